import { Pause, Play, RotateCcw } from 'lucide-react';
import { memo, useEffect, useRef, useState } from 'react';
import { formatClock } from '#web/lib/formats';
import { logProblem } from '#web/lib/log';
import { t as common } from '#web/texts/common';
import { t } from '#web/texts/conversations';
import { Button } from '#web/ui/button';
import { Spinner } from '#web/ui/spinner';
import type { ShownMessage } from '../api.ts';
import { type Listening, usePlayer } from './use-conversation-player.ts';
import { WaveSlider } from './wave-slider.tsx';
import { barCount, knownWaveform, loadWaveform, type Waveform } from './waveform.ts';

/** Width of a bar and of the gap between two, in pixels. */
const BAR = 3;

/** The sound of one turn: its waveform, for seeking, and a button to play from there. */
export function TurnSound({ message, listening }: { message: ShownMessage; listening: Listening }) {
  const { player } = listening;
  const { _id: id, audioUrl = '' } = message;
  const turnOf = () => player.timeline.turns.find((turn) => turn.id === id);
  const phase = usePlayer(player, (state) => (state.turnId === id ? state.phase : 'elsewhere'));
  const at = usePlayer(player, (state) => (state.turnId === id ? state.at - (turnOf()?.start ?? 0) : 0));
  const hasFailed = usePlayer(player, (state) => state.failed.has(id));
  const box = useRef<HTMLDivElement>(null);
  const waveform = useWaveform(box, id, audioUrl, listening);
  const length = message.audioDuration ?? waveform?.seconds ?? turnOf()?.length ?? 1;
  // A clock shows at least one second.
  const wholeLength = formatClock(Math.max(1, Math.round(length)));
  const isPlaying = phase === 'playing' || phase === 'loading';
  const toggle = () => {
    if (isPlaying) player.pause();
    else player.playTurn(id, at < length - 0.1 ? at : 0);
  };

  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would be announced as a form.
    <div
      ref={box}
      role="group"
      aria-label={nameOf(message)}
      className="flex h-10 min-w-0 max-w-full items-center gap-2 rounded-full border border-line bg-surface pr-3 pl-1 text-ink"
    >
      <Button
        variant="ghost"
        size="icon-sm"
        className="rounded-full text-accent-text"
        aria-label={hasFailed ? common('tryAgain') : isPlaying ? t('player.pause') : t('sound.play')}
        aria-busy={phase === 'loading' || undefined}
        onClick={toggle}
      >
        <Face name={hasFailed ? 'failed' : phase} />
      </Button>
      {hasFailed ? (
        <span role="status" className="truncate text-urgent-text text-xs">
          {t('sound.failed')}
        </span>
      ) : (
        <>
          <div className="min-w-14 shrink" style={{ width: barCount(length) * BAR }}>
            <WaveSlider
              label={t('sound.positionLabel')}
              valueText={t('player.position', { at: formatClock(at), length: wholeLength })}
              at={at}
              length={length}
              onSeek={(seconds) => player.playTurn(id, seconds)}
            >
              <Bars waveform={waveform} length={length} isCut={message.interrupted === true} />
              {at > 0 && (
                <span
                  className="absolute inset-0 text-accent"
                  style={{ clipPath: `inset(0 ${100 - Math.min(1, at / length) * 100}% 0 0)` }}
                >
                  <Outline waveform={waveform} length={length} />
                </span>
              )}
            </WaveSlider>
          </div>
          <span className="numbers shrink-0 text-ink-muted text-xs">
            {at > 0 ? formatClock(at) : wholeLength}
          </span>
        </>
      )}
    </div>
  );
}

function Face({ name }: { name: 'failed' | 'loading' | 'playing' | 'stopped' | 'elsewhere' }) {
  if (name === 'loading') return <Spinner />;
  const Icon = name === 'failed' ? RotateCcw : name === 'playing' ? Pause : Play;
  return <Icon aria-hidden="true" className={name === 'failed' ? '' : 'fill-current'} />;
}

interface OutlineProps {
  waveform: Waveform | null;
  /** Seconds. */
  length: number;
}

/** The bars of a recording, low ones until its waveform is known. */
const Outline = memo(function Outline({ waveform, length }: OutlineProps) {
  const count = waveform?.bars.length ?? barCount(length);
  const path = Array.from({ length: count }, (_, bar) => {
    const height = Math.round(Math.max(0.08, waveform?.bars[bar] ?? 0) * 240) / 10;
    return `M${bar * BAR + 0.5} ${16 - height / 2}h2v${height}h-2z`;
  }).join('');
  return (
    <svg
      aria-hidden="true"
      viewBox={`0 0 ${count * BAR} 32`}
      preserveAspectRatio="none"
      className="absolute inset-0 size-full fill-current"
    >
      <path d={path} />
    </svg>
  );
});

const Bars = memo(function Bars({ isCut, ...outline }: OutlineProps & { isCut: boolean }) {
  return (
    <>
      <span data-waveform={outline.waveform ? 'drawn' : 'waiting'} className="text-edge/70">
        <Outline {...outline} />
      </span>
      {isCut && (
        <span
          title={t('sound.interruptedHere')}
          className="absolute inset-y-1 right-0 w-0.5 rounded-full bg-negative"
        />
      )}
    </>
  );
});

/** The waveform of a recording, loaded when it comes near the screen; null before that or without one. */
function useWaveform(
  box: React.RefObject<HTMLElement | null>,
  id: string,
  link: string,
  { renew, measure }: Listening,
): Waveform | null {
  const [waveform, setWaveform] = useState(() => knownWaveform(link));
  const path = link.split('?')[0];
  // biome-ignore lint/correctness/useExhaustiveDependencies: a link that is signed anew leads to the same recording.
  useEffect(() => {
    const element = box.current;
    const found = knownWaveform(link);
    setWaveform(found);
    if (found) measure(id, found.seconds);
    if (!element || found) return;
    let loading: AbortController | null = null;
    const observer = new IntersectionObserver(
      ([entry]) => {
        loading?.abort();
        loading = null;
        if (!entry?.isIntersecting) return;
        const current = new AbortController();
        loading = current;
        loadWaveform(link, () => renew(id), current.signal).then(
          (loaded) => {
            setWaveform(loaded);
            measure(id, loaded.seconds);
            observer.disconnect();
          },
          (error: unknown) => {
            // It can be played regardless.
            if (!current.signal.aborted) logProblem('A waveform could not be drawn.', error);
          },
        );
      },
      { rootMargin: '200px' },
    );
    observer.observe(element);
    return () => {
      observer.disconnect();
      loading?.abort();
    };
  }, [path, id, renew, measure]);
  return waveform;
}

function nameOf({ author: { kind, name } }: ShownMessage): string {
  if (name !== undefined) return t('sound.ofPerson', { name });
  return kind === 'contact' ? t('sound.ofYou') : t('sound.ofReply');
}
