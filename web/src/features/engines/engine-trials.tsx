import type { EngineCapability, EngineTrial } from '#shared/engine-settings';
import { t } from '#web/texts/engines';
import { Banner } from '#web/ui/banner';
import type { useTryEngine } from './api.ts';

const wordsFor: Record<EngineCapability, { asked: string; came: string; first: (time: string) => string }> = {
  language: {
    asked: t('trials.asked'),
    came: t('trials.answered'),
    first: (time) => t('trials.firstWords', { time }),
  },
  ears: {
    asked: t('trials.told'),
    came: t('trials.understood'),
    first: (time) => t('trials.firstUnderstood', { time }),
  },
  voice: {
    asked: t('trials.said'),
    came: t('trials.said'),
    first: (time) => t('trials.firstSound', { time }),
  },
  rooms: {
    asked: t('trials.asked'),
    came: t('trials.result'),
    first: (time) => t('trials.firstAnswer', { time }),
  },
  storage: {
    asked: t('trials.asked'),
    came: t('trials.result'),
    first: (time) => t('trials.firstAnswer', { time }),
  },
};

/** The result of a trial: text, sound and times, or the error. */
export function EngineTrials({
  capability,
  trial,
}: {
  capability: EngineCapability;
  trial: Pick<ReturnType<typeof useTryEngine>, 'data' | 'error' | 'isPending'>;
}) {
  if (trial.isPending) return null;
  return (
    <>
      {trial.error && (
        <Banner tone="error" role="alert">
          {trial.error.message}
        </Banner>
      )}
      {trial.data?.trials.map((one) => (
        <Result key={one.name} capability={capability} trial={one} />
      ))}
    </>
  );
}

function Result({ capability, trial }: { capability: EngineCapability; trial: EngineTrial }) {
  const { name, problem, asked, text, sound, firstMs, ms, tokens } = trial;
  const words = wordsFor[capability];
  if (problem)
    return (
      <Banner tone="error" role="alert">
        <span className="font-medium">{name}: </span>
        {problem}
      </Banner>
    );
  const times = [
    firstMs === undefined ? null : words.first(milliseconds(firstMs)),
    t('trials.total', { time: milliseconds(ms) }),
    tokens?.input == null ? null : t('trials.tokensRead', { count: tokens.input }),
    tokens?.output == null ? null : t('trials.tokensWritten', { count: tokens.output }),
  ].filter((each) => each !== null);
  return (
    <div
      role="status"
      className="flex flex-col gap-2.5 rounded-md border border-line bg-sunken p-3.5 text-sm"
    >
      <p className="font-medium">{name}</p>
      {asked && <Words name={words.asked} text={asked} />}
      {text && <Words name={words.came} text={text} />}
      {sound && (
        // biome-ignore lint/a11y/useMediaCaption: what it says stands above it.
        <audio
          controls
          src={`data:${sound.mediaType};base64,${sound.data}`}
          aria-label={t('trials.sound', { name })}
          className="w-full"
        />
      )}
      <p className="numbers text-ink-muted text-xs">{times.join(' · ')}</p>
    </div>
  );
}

const Words = ({ name, text }: { name: string; text: string }) => (
  <p>
    <span className="text-ink-faint">{name}: </span>
    {text}
  </p>
);

const milliseconds = (ms: number) => t('milliseconds', { ms });
