import { useEffect, useState } from 'react';
import { type Control, useWatch } from 'react-hook-form';
import { MAX_PROMPT_CHARACTERS, MAX_PROMPTS } from '#shared/agents';
import { type DecidedSayings, type Sayings, sayingsIn } from '#shared/sayings';
import { logProblem } from '#web/lib/log';
import { sayingsInPrompts } from '../../api.ts';
import { type AgentFormValues, type SayingField, sayingFields } from '../agent-form-values.ts';

/** Prompts are read after a pause in typing of this many milliseconds. */
const PAUSE_MS = 1_000;

/**
 * Parts of the prompts that belong into blank, undecided fields, as of the last pause in typing.
 * @returns null if there are none
 */
export function useSayingsInPrompts(
  control: Control<AgentFormValues>,
  language: string | undefined,
): DecidedSayings | null {
  const values = useWatch({ control });
  const [read, setRead] = useState<Sayings | null>(null);
  const open = sayingFields.filter((field) => !values.decided?.includes(field) && !values[field]?.length);
  const prompts = (values.prompts ?? []).map(({ text = '' }) => text.trim()).filter(Boolean);
  const isReadable =
    open.length > 0 &&
    prompts.length > 0 &&
    prompts.length <= MAX_PROMPTS &&
    prompts.every((prompt) => prompt.length <= MAX_PROMPT_CHARACTERS);
  const asked = isReadable ? prompts.join('\0') : null;

  useEffect(() => {
    if (asked === null) {
      setRead(null);
      return;
    }
    const abort = new AbortController();
    const pause = setTimeout(async () => {
      try {
        setRead(await sayingsInPrompts(asked.split('\0'), language, abort.signal));
      } catch (error) {
        if (!abort.signal.aborted) logProblem('The prompts could not be read.', error);
      }
    }, PAUSE_MS);
    return () => {
      clearTimeout(pause);
      abort.abort();
    };
  }, [asked, language]);

  if (!read) return null;
  const found = <F extends SayingField>(field: F) =>
    open.includes(field) && read[field].length > 0 ? read[field] : undefined;
  const sayings = sayingsIn({
    greeting: found('greeting'),
    goodbye: found('goodbye'),
    answers: found('answers'),
    neverSay: found('neverSay'),
    handOverWhen: found('handOverWhen'),
  });
  return Object.keys(sayings).length > 0 ? sayings : null;
}
