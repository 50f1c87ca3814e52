import type { UseFormReturn } from 'react-hook-form';
import { Field } from '#web/ui/forms/field';
import { Textarea } from '#web/ui/forms/textarea';
import type { AgentFormValues } from '../agent-form-values.ts';

interface LinesFieldProps {
  form: UseFormReturn<AgentFormValues>;
  name: 'greeting' | 'goodbye' | 'neverSay' | 'handOverWhen';
  label: string;
  hint: string;
  placeholder: string;
}

/** A text field that grows with its lines. */
export function LinesField({ form, name, label, hint, placeholder }: LinesFieldProps) {
  return (
    <Field label={label} hint={hint} error={form.formState.errors[name]?.message}>
      {(control) => (
        <Textarea
          {...control}
          {...form.register(name)}
          rows={1}
          dir="auto"
          placeholder={placeholder}
          className="field-sizing-content max-h-60 min-h-11"
        />
      )}
    </Field>
  );
}
