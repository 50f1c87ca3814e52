import { useState } from 'react';
import type { ExistingAccount as Existing, ExistingChoice } from '#shared/accounts';
import { formatCount } from '#web/lib/formats';
import { Banner } from '#web/ui/banner';
import { Button } from '#web/ui/button';
import { RadioGroup } from '#web/ui/forms/radio-group';

interface ExistingAccountProps {
  existing: Existing;
  /** Rejects with the reason, in a sentence. */
  onChoice: (choice: ExistingChoice) => Promise<void>;
}

/** Asks what becomes of an account that somebody made with this address: nothing of it is anybody's before that. */
export function ExistingAccount({ existing, onChoice }: ExistingAccountProps) {
  const [choice, setChoice] = useState<ExistingChoice | ''>('');
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);

  const decide = async () => {
    if (choice === '') return setProblem('Choose one of the two.');
    setBusy(true);
    setProblem(null);
    try {
      await onChoice(choice);
    } catch (error) {
      setProblem(error instanceof Error ? error.message : 'The sign-in failed.');
      setBusy(false);
    }
  };

  return (
    <div className="flex flex-col gap-6">
      <div>
        <h2 id="what-is-in-it" className="font-medium text-ink text-sm">
          What is in it
        </h2>
        <ul
          aria-labelledby="what-is-in-it"
          className="mt-2 grid grid-cols-2 gap-x-6 gap-y-1 text-ink-muted text-sm"
        >
          {contentsOf(existing).map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
        <p className="mt-3 text-ink-muted text-sm">
          Until you choose, its agents answer nobody and its actions do not run.
        </p>
      </div>
      {problem && (
        <Banner tone="error" role="alert">
          {problem}
        </Banner>
      )}
      <RadioGroup<ExistingChoice | ''>
        label="What becomes of it"
        value={choice}
        disabled={busy}
        onChange={setChoice}
        choices={[
          {
            value: 'start-empty',
            label: 'Start empty',
            hint: 'Everything in it is erased for good. Right where somebody else made it.',
          },
          {
            value: 'take-over',
            label: 'Take over what is in it',
            hint: 'It is yours as it is. Look through its agents and their actions before you use them.',
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
  '': 'Go on',
  'start-empty': 'Erase it and start empty',
  'take-over': 'Take it over',
};

function contentsOf(existing: Existing): string[] {
  const { agents, actions, documents, conversations, recordings, rooms } = existing;
  const counts: [number, string][] = [
    [agents, 'agent'],
    [actions, 'action'],
    [documents, 'document'],
    [conversations, 'conversation'],
    [recordings, 'recording'],
    [rooms, 'room'],
  ];
  return counts.flatMap(([count, name]) => (count > 0 ? [formatCount(count, name)] : []));
}
