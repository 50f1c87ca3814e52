import { RadioGroup as Primitive } from 'radix-ui';
import { useId } from 'react';

interface RadioGroupProps<T extends string> {
  label: string;
  value: T;
  disabled?: boolean;
  onChange: (value: T) => void;
  choices: readonly { value: T; label: string; hint: string }[];
}

/** A choice of a few options, each with its explanation. */
export function RadioGroup<T extends string>(props: RadioGroupProps<T>) {
  const { label, value, disabled, onChange, choices } = props;
  const id = useId();
  return (
    <div>
      <p id={`${id}-label`} className="font-medium text-ink text-sm">
        {label}
      </p>
      <Primitive.Root
        aria-labelledby={`${id}-label`}
        value={value}
        disabled={disabled ?? false}
        onValueChange={(next) => {
          const choice = choices.find((each) => each.value === next);
          if (choice) onChange(choice.value);
        }}
        className="mt-2 flex flex-col gap-2"
      >
        {choices.map((choice) => (
          <label
            key={choice.value}
            htmlFor={`${id}-${choice.value}`}
            className="flex cursor-pointer items-start gap-3 rounded-md border border-line p-3 transition-colors has-data-[state=checked]:border-accent has-data-[state=checked]:bg-accent-soft has-disabled:cursor-not-allowed has-disabled:opacity-55"
          >
            <Primitive.Item
              id={`${id}-${choice.value}`}
              value={choice.value}
              aria-labelledby={`${id}-${choice.value}-name`}
              aria-describedby={`${id}-${choice.value}-hint`}
              className="mt-0.5 grid size-4.5 shrink-0 place-items-center rounded-full border border-edge bg-surface data-[state=checked]:border-accent"
            >
              <Primitive.Indicator className="block size-2 rounded-full bg-accent" />
            </Primitive.Item>
            <span>
              <span id={`${id}-${choice.value}-name`} className="block font-medium text-ink text-sm">
                {choice.label}
              </span>
              <span id={`${id}-${choice.value}-hint`} className="block text-ink-muted text-sm">
                {choice.hint}
              </span>
            </span>
          </label>
        ))}
      </Primitive.Root>
    </div>
  );
}
