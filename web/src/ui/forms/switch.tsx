import { Switch as Primitive } from 'radix-ui';
import { useId } from 'react';

interface SwitchProps {
  label: string;
  /** Its meaning in a sentence or two. */
  hint: string;
  checked: boolean;
  disabled?: boolean;
  onChange: (checked: boolean) => void;
}

/** A switch with its name and meaning. It takes effect at once. */
export function Switch({ label, hint, checked, disabled, onChange }: SwitchProps) {
  const id = useId();
  return (
    <div className="flex items-start justify-between gap-5">
      <div className="min-w-0">
        <label htmlFor={id} className="font-medium text-ink text-sm">
          {label}
        </label>
        <p id={`${id}-hint`} className="mt-0.5 text-ink-muted text-sm">
          {hint}
        </p>
      </div>
      <Primitive.Root
        id={id}
        checked={checked}
        disabled={disabled ?? false}
        onCheckedChange={onChange}
        aria-describedby={`${id}-hint`}
        className="mt-0.5 h-6 w-10.5 shrink-0 rounded-full border border-edge bg-sunken p-0.5 transition-colors disabled:cursor-not-allowed disabled:opacity-55 data-[state=checked]:border-accent data-[state=checked]:bg-accent"
      >
        <Primitive.Thumb className="block size-4.5 rounded-full bg-edge transition-[translate,background-color] data-[state=checked]:translate-x-4.5 data-[state=checked]:bg-on-accent" />
      </Primitive.Root>
    </div>
  );
}
