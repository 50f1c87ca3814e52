import { Tooltip as Primitive } from 'radix-ui';
import type { ReactNode } from 'react';

/** A short explanation of its only child, a control with a name of its own. */
export function Tooltip({ text, children }: { text: string; children: ReactNode }) {
  return (
    <Primitive.Provider delayDuration={350}>
      <Primitive.Root>
        <Primitive.Trigger asChild>{children}</Primitive.Trigger>
        <Primitive.Portal>
          <Primitive.Content
            sideOffset={6}
            collisionPadding={8}
            className="z-50 max-w-64 animate-pop rounded-sm bg-ink px-2.5 py-1.5 font-medium text-canvas text-xs shadow-float"
          >
            {text}
          </Primitive.Content>
        </Primitive.Portal>
      </Primitive.Root>
    </Primitive.Provider>
  );
}
