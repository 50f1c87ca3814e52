import { useState } from 'react';
import type { ExistingAccount as Existing, ExistingChoice } from '#shared/accounts';
import { t } from '#web/texts/entry';
import { Banner } from '#web/ui/banner';
import { Button } from '#web/ui/button';
import { RadioGroup } from '#web/ui/forms/radio-group';

interface ExistingAccountProps {
  existing: Existing;
  /** Rejects with the reason, in a sentence. */
  onChoice: (choice: ExistingChoice) => Promise<void>;
}

/** Asks what to do with an account that may be a stranger's, made with this address. */
export function ExistingAccount({ existing, onChoice }: ExistingAccountProps) {
  const [choice, setChoice] = useState<ExistingChoice | ''>('');
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);

  const decide = async () => {
    if (choice === '') return setProblem(t('existing.chooseOne'));
    setBusy(true);
    setProblem(null);
    try {
      await onChoice(choice);
    } catch (error) {
      setProblem(error instanceof Error ? error.message : t('signInFailed'));
      setBusy(false);
    }
  };

  return (
    <div className="flex flex-col gap-6">
      <div>
        <h2 id="what-is-in-it" className="font-medium text-ink text-sm">
          {t('existing.contents')}
        </h2>
        <ul
          aria-labelledby="what-is-in-it"
          className="mt-2 grid grid-cols-2 gap-x-6 gap-y-1 text-ink-muted text-sm"
        >
          {contentsOf(existing).map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
        <p className="mt-3 text-ink-muted text-sm">{t('existing.untilThen')}</p>
      </div>
      {problem && (
        <Banner tone="error" role="alert">
          {problem}
        </Banner>
      )}
      <RadioGroup<ExistingChoice | ''>
        label={t('existing.choice')}
        value={choice}
        disabled={busy}
        onChange={setChoice}
        choices={[
          {
            value: 'start-empty',
            label: t('existing.startEmpty'),
            hint: t('existing.startEmptyHint'),
          },
          {
            value: 'take-over',
            label: t('existing.takeOver'),
            hint: t('existing.takeOverHint'),
          },
        ]}
      />
      <Button
        size="lg"
        variant={choice === 'start-empty' ? 'danger' : 'primary'}
        busy={busy}
        className="w-full"
        onClick={decide}
      >
        {labels[choice]}
      </Button>
    </div>
  );
}

const labels: Record<ExistingChoice | '', string> = {
  '': t('existing.goOn'),
  'start-empty': t('existing.startEmptyButton'),
  'take-over': t('existing.takeOverButton'),
};

function contentsOf(existing: Existing): string[] {
  const { agents, actions, documents, conversations, recordings, rooms } = existing;
  return [
    agents > 0 && t('existing.agents', { count: agents }),
    actions > 0 && t('existing.actions', { count: actions }),
    documents > 0 && t('existing.documents', { count: documents }),
    conversations > 0 && t('existing.conversations', { count: conversations }),
    recordings > 0 && t('existing.recordings', { count: recordings }),
    rooms > 0 && t('existing.rooms', { count: rooms }),
  ].filter((line) => line !== false);
}
