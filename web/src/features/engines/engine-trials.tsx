import type { EngineCapability, EngineTrial } from '#shared/engine-settings';
import { Banner } from '#web/ui/banner';
import type { useTryEngine } from './api.ts';

const wordsFor: Record<EngineCapability, { asked: string; came: string; first: string }> = {
  language: { asked: 'Asked', came: 'Answered', first: 'First words' },
  ears: { asked: 'Was told', came: 'Understood', first: 'Understood after' },
  voice: { asked: 'Said', came: 'Said', first: 'First sound' },
  rooms: { asked: 'Asked', came: 'Result', first: 'First answer' },
  storage: { asked: 'Asked', came: 'Result', first: 'First answer' },
};

/** What came of a trial: text, sound and times, or the complaint. */
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
    firstMs === undefined ? null : `${words.first} ${milliseconds(firstMs)}`,
    `In all ${milliseconds(ms)}`,
    tokens?.input == null ? null : `${tokens.input} tokens read`,
    tokens?.output == null ? null : `${tokens.output} written`,
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
          aria-label={`What ${name} said`}
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

const milliseconds = (ms: number) => `${ms.toLocaleString('en-US')} ms`;
