import { useState } from 'react';
import type { EngineField, EngineInUse, EngineValues } from '#shared/engine-settings';
import { ApiError } from '#web/lib/server/api-error';
import { t as common } from '#web/texts/common';
import { t } from '#web/texts/engines';
import { Banner } from '#web/ui/banner';
import { Button } from '#web/ui/button';
import { Field } from '#web/ui/forms/field';
import { Input } from '#web/ui/forms/input';
import { Select } from '#web/ui/forms/select';
import { toast } from '#web/ui/layers/toast';
import { useChangeEngine, useTryEngine } from './api.ts';
import { EngineTrials } from './engine-trials.tsx';

/** Typed values by setting; null: to be removed. */
type Typed = Readonly<Record<string, string | null>>;

/** The settings of an engine: tries the values in the form, then saves them. */
export function EngineForm({ engine, onDone }: { engine: EngineInUse; onDone: () => void }) {
  const { capability, fields } = engine;
  const [typed, setTyped] = useState<Typed>({});
  const change = useChangeEngine(capability);
  const trial = useTryEngine(capability);
  const values = changesOf(fields, typed);
  const failure = change.error ?? trial.error;
  const problems = failure instanceof ApiError ? failure.fields : {};
  const isAtField = fields.some(({ name }) => problemOf(problems, name));
  const ours = fields.filter(({ isSet, isFixed }) => isSet && !isFixed);

  const save = (wanted: EngineValues) => {
    trial.reset();
    change.mutate(wanted, {
      onSuccess: ({ waitsForStart }) => {
        toast.success(waitsForStart ? t('form.savedForStart') : t('form.saved'));
        onDone();
      },
    });
  };

  return (
    <form
      noValidate
      aria-label={t('form.title', { capability })}
      className="flex flex-col gap-4 border-line border-t pt-4"
      onSubmit={(event) => {
        event.preventDefault();
        save(values);
      }}
    >
      {fields.map((field) => (
        <SettingField
          key={field.name}
          field={field}
          typed={typed[field.name]}
          problem={problemOf(problems, field.name)}
          onType={(value) => setTyped({ ...typed, [field.name]: value })}
        />
      ))}
      <p className="text-ink-faint text-sm">{notes[capability]}</p>
      {failure && !isAtField && (
        <Banner tone="error" role="alert">
          {failure.message}
        </Banner>
      )}
      <EngineTrials capability={capability} trial={{ ...trial, error: null }} />
      <div className="flex flex-wrap gap-2.5">
        <Button type="submit" size="sm" busy={change.isPending} disabled={Object.keys(values).length === 0}>
          {t('form.save')}
        </Button>
        <Button
          variant="secondary"
          size="sm"
          busy={trial.isPending}
          onClick={() => {
            change.reset();
            trial.mutate(values);
          }}
        >
          {t('form.tryFirst')}
        </Button>
        {ours.length > 0 && (
          <Button
            variant="secondary"
            size="sm"
            disabled={change.isPending}
            onClick={() => save(Object.fromEntries(ours.map(({ name }) => [name, null])))}
          >
            {t('form.removeAll')}
          </Button>
        )}
        <Button variant="ghost" size="sm" onClick={onDone}>
          {common('cancel')}
        </Button>
      </div>
    </form>
  );
}

const notes: Record<EngineInUse['capability'], string> = {
  language: t('form.notes.language'),
  ears: t('form.notes.ears'),
  voice: t('form.notes.voice'),
  rooms: t('form.notes.rooms'),
  storage: t('form.notes.storage'),
};

interface SettingFieldProps {
  field: EngineField;
  typed: string | null | undefined;
  problem: string | undefined;
  onType: (value: string | null) => void;
}

function SettingField({ field, typed, problem, onType }: SettingFieldProps) {
  const { label, kind, value, isSet, isFixed, example } = field;
  const isHidden = isSet && value === null;
  return (
    <Field
      label={label}
      error={problem}
      {...(isFixed ? { hint: t('form.fixed', { setting: field.name }) } : {})}
    >
      {(control) => (
        <div className="flex items-center gap-2">
          {field.options ? (
            <Select
              {...control}
              className="flex-1"
              disabled={isFixed}
              value={typed ?? value ?? field.options[0]?.value}
              onChange={({ target }) => onType(target.value)}
            >
              {field.options.map((option) => (
                <option key={option.value} value={option.value}>
                  {option.label}
                </option>
              ))}
            </Select>
          ) : (
            <Input
              {...control}
              type={kind === 'key' ? 'password' : 'text'}
              {...(kind === 'address' ? { inputMode: 'url' as const } : {})}
              {...(kind === 'number' ? { inputMode: 'decimal' as const } : {})}
              autoComplete={kind === 'key' ? 'new-password' : 'off'}
              autoCapitalize="off"
              spellCheck={false}
              readOnly={isFixed}
              placeholder={placeholderOf(isHidden, typed, isFixed, example)}
              value={typed ?? (typed === null ? '' : (value ?? ''))}
              onChange={({ target }) => onType(target.value)}
            />
          )}
          {isHidden && !isFixed && typed !== null && (
            <Button
              variant="ghost"
              size="sm"
              aria-label={t('form.removeNamed', { setting: label })}
              onClick={() => onType(null)}
            >
              {t('form.remove')}
            </Button>
          )}
        </div>
      )}
    </Field>
  );
}

function placeholderOf(
  isHidden: boolean,
  typed: string | null | undefined,
  isFixed: boolean,
  example: string,
): string {
  if (!isHidden) return example;
  if (isFixed) return t('form.set');
  return typed === null ? t('form.removedOnSave') : t('form.setTypeToReplace');
}

/** The changed settings: removes an emptied field, keeps a hidden one without input. */
function changesOf(fields: readonly EngineField[], typed: Typed): EngineValues {
  return Object.fromEntries(
    fields.flatMap(({ name, value, isSet, isFixed }): [string, string | null][] => {
      const now = typed[name];
      if (now === undefined || isFixed || now?.trim() === (value ?? '')) return [];
      if (now === null || now.trim() === '') return isSet ? [[name, null]] : [];
      return [[name, now.trim()]];
    }),
  );
}

const problemOf = (problems: Record<string, string>, name: string): string | undefined =>
  problems[name] ?? problems[`values.${name}`];
