import { Tabs as Primitive } from 'radix-ui';
import type { ReactNode } from 'react';

interface TabsProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
  tabs: readonly { value: string; label: ReactNode; content: ReactNode }[];
}

/** Views of one thing, one at a time. Tab names too wide for the screen scroll. */
export function Tabs({ label, value, onChange, tabs }: TabsProps) {
  return (
    <Primitive.Root value={value} onValueChange={onChange}>
      <Primitive.List
        aria-label={label}
        className="flex gap-1 overflow-x-auto shadow-[inset_0_-1px_0_var(--line)] [scrollbar-width:none]"
      >
        {tabs.map((tab) => (
          <Primitive.Trigger
            key={tab.value}
            value={tab.value}
            className="h-11 shrink-0 whitespace-nowrap border-transparent border-b-2 px-3 font-medium text-ink-muted text-sm transition-colors hover:text-ink data-[state=active]:border-accent data-[state=active]:text-ink"
          >
            {tab.label}
          </Primitive.Trigger>
        ))}
      </Primitive.List>
      {tabs.map((tab) => (
        <Primitive.Content key={tab.value} value={tab.value} className="pt-6">
          {tab.content}
        </Primitive.Content>
      ))}
    </Primitive.Root>
  );
}
