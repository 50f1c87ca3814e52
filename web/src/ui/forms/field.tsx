import { CircleAlert } from 'lucide-react';
import { type ReactNode, useId } from 'react';

/** Ids that name and describe a control. */
interface FieldControl {
  id: string;
  'aria-invalid': boolean | undefined;
  'aria-describedby': string | undefined;
}

interface FieldProps {
  label: string;
  hint?: string;
  error?: string | undefined;
  /** Renders the control with these ids. */
  children: (control: FieldControl) => ReactNode;
}

/** A control with its label above and its hint or error below. */
export function Field({ label, hint, error, children }: FieldProps) {
  const id = useId();
  const note = error ?? hint;
  return (
    <div className="flex flex-col gap-1.5">
      <label htmlFor={id} className="font-medium text-ink text-sm">
        {label}
      </label>
      {children({
        id,
        'aria-invalid': error !== undefined || undefined,
        'aria-describedby': note ? `${id}-note` : undefined,
      })}
      {note && (
        <p
          id={`${id}-note`}
          className={
            error
              ? 'flex animate-appear items-start gap-1.5 text-sm text-urgent-text'
              : 'text-ink-faint text-sm'
          }
        >
          {error && <CircleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0" />}
          {note}
        </p>
      )}
    </div>
  );
}
