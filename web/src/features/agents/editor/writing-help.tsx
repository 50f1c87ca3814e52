import { ChevronRight, Lightbulb } from 'lucide-react';
import { useEffect, useState } from 'react';
import { type Control, useWatch } from 'react-hook-form';
import { MAX_COMPANY_INFO_CHARACTERS, type WritingHint } from '#shared/agents';
import { logProblem } from '#web/lib/log';
import { t } from '#web/texts/agents';
import { writingHelp } from '../api.ts';
import type { AgentFormValues } from './agent-form-values.ts';

/** The pause in typing before hints appear, in milliseconds. */
const PAUSE_MS = 1_500;
/** Shorter texts, in characters, have only been begun and get no hints. */
const BEGUN = 100;

const kinds: Record<WritingHint['kind'], { name: string; says: (hint: WritingHint) => string }> = {
  contradiction: {
    name: t('hints.contradiction'),
    says: ({ text }) => (text ? t('hints.whichHolds') : t('hints.opposite')),
  },
  'no-number': {
    name: t('hints.numberMissing'),
    says: ({ text }) => t('hints.numberMissingText', { text }),
  },
  unanswered: { name: t('hints.customersAsk'), says: ({ text }) => text },
};

/** Hints on the company information during writing; closed until opened. */
export function WritingHelp({
  control,
  agentId,
}: {
  control: Control<AgentFormValues>;
  agentId?: string | undefined;
}) {
  const companyInfo = useWatch({ control, name: 'companyInfo' });
  const hints = useHints(companyInfo, agentId);
  if (hints.length === 0) return null;
  return (
    <details className="group rounded-md border border-line bg-sunken/50 text-sm">
      <summary className="flex min-h-10 cursor-pointer list-none items-center gap-2 px-3 py-2 font-medium [&::-webkit-details-marker]:hidden">
        <Lightbulb aria-hidden="true" className="size-4 text-ink-faint" />
        {t('hints.count', { count: hints.length })}
        <ChevronRight
          aria-hidden="true"
          className="ml-auto size-4 text-ink-faint transition-transform group-open:rotate-90"
        />
      </summary>
      <ul aria-label={t('hints.title')} className="divide-y divide-line border-line border-t">
        {hints.map((hint) => (
          <li key={`${hint.kind} ${hint.text} ${hint.passages.join(' ')}`} className="px-3 py-2.5">
            <p className="text-ink-muted">{kinds[hint.kind].name}</p>
            <p className="wrap-anywhere">{kinds[hint.kind].says(hint)}</p>
            {hint.passages.map((passage) => (
              <p
                key={passage}
                dir="auto"
                className="wrap-anywhere mt-1 border-line border-l-2 pl-2 text-ink-muted"
              >
                {passage}
              </p>
            ))}
          </li>
        ))}
      </ul>
    </details>
  );
}

/** Hints for the text at the last pause. A text that cannot be read gets none, since hints are optional. */
function useHints(companyInfo: string, agentId: string | undefined): readonly WritingHint[] {
  const [hints, setHints] = useState<readonly WritingHint[]>([]);
  const length = companyInfo.trim().length;
  const isWorthIt = length >= BEGUN && companyInfo.length <= MAX_COMPANY_INFO_CHARACTERS;
  useEffect(() => {
    if (!isWorthIt) {
      setHints([]);
      return;
    }
    const abort = new AbortController();
    const pause = setTimeout(async () => {
      try {
        setHints(await writingHelp({ companyInfo, ...(agentId ? { agentId } : {}) }, abort.signal));
      } catch (error) {
        if (!abort.signal.aborted) logProblem('There is no help with writing.', error);
      }
    }, PAUSE_MS);
    return () => {
      clearTimeout(pause);
      abort.abort();
    };
  }, [companyInfo, agentId, isWorthIt]);
  return hints;
}
