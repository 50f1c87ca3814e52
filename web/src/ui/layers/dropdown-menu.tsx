import { Check } from 'lucide-react';
import { DropdownMenu as Primitive } from 'radix-ui';
import type { ComponentProps, ReactNode } from 'react';
import { cn } from '#web/lib/class-names';

const itemClasses =
  'flex h-9 cursor-pointer select-none items-center gap-2.5 rounded-sm px-2.5 text-ink text-sm outline-none data-[highlighted]:bg-sunken data-[disabled]:opacity-50 [&_svg]:size-4 [&_svg]:shrink-0 [&_svg]:text-ink-faint';

interface DropdownMenuProps {
  trigger: ReactNode;
  /** For an owner that controls which of several menus is open; otherwise the menu controls itself. */
  open?: boolean;
  onOpenChange?: (open: boolean) => void;
  defaultOpen?: boolean;
  children: ReactNode;
}

/** A button, its only trigger, with a list of choices below it. */
export function DropdownMenu({ trigger, children, ...control }: DropdownMenuProps) {
  return (
    <Primitive.Root modal={false} {...control}>
      <Primitive.Trigger asChild>{trigger}</Primitive.Trigger>
      <Primitive.Portal>
        <Primitive.Content
          align="end"
          sideOffset={6}
          collisionPadding={8}
          className="z-50 min-w-44 rounded-md border border-line bg-raised p-1 shadow-float data-[state=closed]:animate-unpop data-[state=open]:animate-pop"
        >
          {children}
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  );
}

export function DropdownMenuItem({ className, ...props }: ComponentProps<typeof Primitive.Item>) {
  return <Primitive.Item className={cn(itemClasses, className)} {...props} />;
}

interface ChoicesProps<T extends string> {
  label: string;
  value: T;
  onChange: (value: T) => void;
  choices: readonly { value: T; label: string; icon: ReactNode }[];
}

/** One of several choices, with the current one ticked. */
export function DropdownMenuChoices<T extends string>({ label, value, onChange, choices }: ChoicesProps<T>) {
  return (
    <Primitive.RadioGroup
      aria-label={label}
      value={value}
      onValueChange={(next) => {
        const choice = choices.find((each) => each.value === next);
        if (choice) onChange(choice.value);
      }}
    >
      {choices.map((choice) => (
        <Primitive.RadioItem key={choice.value} value={choice.value} className={itemClasses}>
          {choice.icon}
          <span className="flex-1">{choice.label}</span>
          <Primitive.ItemIndicator>
            <Check aria-hidden="true" className="text-accent-text!" />
          </Primitive.ItemIndicator>
        </Primitive.RadioItem>
      ))}
    </Primitive.RadioGroup>
  );
}
