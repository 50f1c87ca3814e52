import { type ReactNode, useId } from 'react';
import type { DecidedSayings } from '#shared/sayings';
import { t } from '#web/texts/agents';
import { Banner } from '#web/ui/banner';
import { Button } from '#web/ui/button';

interface InPromptsProps {
  sayings: DecidedSayings;
  onUse: () => void;
}

/** Shows sayings found in the prompts, for confirmation. The agent already uses those it understood. */
export function InPrompts({ sayings, onUse }: InPromptsProps) {
  const title = useId();
  const { greeting, goodbye, answers = [], neverSay = [], handOverWhen = [] } = sayings;
  const lines: { name: string; text: ReactNode }[] = [
    ...(greeting ? [{ name: t('fields.greeting'), text: `“${greeting}”` }] : []),
    ...(goodbye ? [{ name: t('fields.goodbye'), text: `“${goodbye}”` }] : []),
    ...answers.map(({ about, say }) => ({
      name: t('inPrompts.about', { topics: about.split('\n').join(' or ') }),
      text: `“${say}”`,
    })),
    ...(neverSay.length > 0 ? [{ name: t('inPrompts.neverSays'), text: neverSay.join(', ') }] : []),
    ...(handOverWhen.length > 0 ? [{ name: t('inPrompts.takeover'), text: handOverWhen.join(', ') }] : []),
  ];
  return (
    <section aria-labelledby={title}>
      <Banner>
        <p id={title} className="font-medium">
          {t('inPrompts.title')}
        </p>
        <p className="mt-1">{t('inPrompts.text')}</p>
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
          {t('inPrompts.use')}
        </Button>
      </Banner>
    </section>
  );
}
