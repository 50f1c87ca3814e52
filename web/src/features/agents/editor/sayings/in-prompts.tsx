import { type ReactNode, useId } from 'react';
import type { DecidedSayings } from '#shared/sayings';
import { Banner } from '#web/ui/banner';
import { Button } from '#web/ui/button';

interface InPromptsProps {
  sayings: DecidedSayings;
  onUse: () => void;
}

/** Shows what was read in the prompts, to be confirmed. The agent does so already, as far as it was understood. */
export function InPrompts({ sayings, onUse }: InPromptsProps) {
  const title = useId();
  const { greeting, goodbye, answers = [], neverSay = [], handOverWhen = [] } = sayings;
  const lines: { name: string; text: ReactNode }[] = [
    ...(greeting ? [{ name: 'Greeting', text: `“${greeting}”` }] : []),
    ...(goodbye ? [{ name: 'Goodbye', text: `“${goodbye}”` }] : []),
    ...answers.map(({ about, say }) => ({
      name: `Asked about ${about.split('\n').join(' or ')}`,
      text: `“${say}”`,
    })),
    ...(neverSay.length > 0 ? [{ name: 'Never says', text: neverSay.join(', ') }] : []),
    ...(handOverWhen.length > 0 ? [{ name: 'A colleague takes over', text: handOverWhen.join(', ') }] : []),
  ];
  return (
    <section aria-labelledby={title}>
      <Banner>
        <p id={title} className="font-medium">
          Your prompts tell the agent what to say
        </p>
        <p className="mt-1">
          This is how they are read. Put it into the fields below, where it can be checked and changed. The
          prompts stay as they are.
        </p>
        <dl className="wrap-anywhere mt-2 flex max-h-60 flex-col gap-1.5 overflow-y-auto">
          {lines.map(({ name, text }) => (
            <div key={name}>
              <dt className="inline font-medium">{name}: </dt>
              <dd dir="auto" className="inline">
                {text}
              </dd>
            </div>
          ))}
        </dl>
        <Button variant="secondary" size="sm" className="mt-3" onClick={onUse}>
          Use these
        </Button>
      </Banner>
    </section>
  );
}
