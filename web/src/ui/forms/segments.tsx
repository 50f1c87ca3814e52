import { RadioGroup as Primitive } from 'radix-ui';

interface SegmentsProps<T extends string> {
  label: string;
  value: T;
  onChange: (value: T) => void;
  choices: readonly { value: T; label: string }[];
}

/** One of two or three views of the same, side by side. */
export function Segments<T extends string>({ label, value, onChange, choices }: SegmentsProps<T>) {
  return (
    <Primitive.Root
      aria-label={label}
      orientation="horizontal"
      value={value}
      onValueChange={(next) => {
        const choice = choices.find((each) => each.value === next);
        if (choice) onChange(choice.value);
      }}
      className="inline-flex rounded-[0.625rem] bg-sunken p-1"
    >
      {choices.map((choice) => (
        <Primitive.Item
          key={choice.value}
          value={choice.value}
          className="h-9 rounded-[0.45rem] px-4 font-medium text-ink-muted text-sm transition-colors hover:text-ink data-[state=checked]:bg-surface data-[state=checked]:text-ink data-[state=checked]:shadow-lift"
        >
          {choice.label}
        </Primitive.Item>
      ))}
    </Primitive.Root>
  );
}
