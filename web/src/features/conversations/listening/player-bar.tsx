import { ListEnd, Pause, Play, SkipBack, SkipForward } from 'lucide-react';
import { memo } from 'react';
import type { Sentiment } from '#shared/conversations';
import { formatClock } from '#web/lib/formats';
import { t } from '#web/texts/conversations';
import { Button } from '#web/ui/button';
import { Spinner } from '#web/ui/spinner';
import type { ShownMessage } from '../api.ts';
import { speakerOf } from '../transcript-files.ts';
import type { ConversationPlayer } from './conversation-player.ts';
import type { Timeline } from './timeline.ts';
import { usePlayer } from './use-conversation-player.ts';
import { WaveSlider } from './wave-slider.tsx';

const SPEEDS: readonly number[] = [1, 1.25, 1.5, 2];

interface PlayerBarProps {
  player: ConversationPlayer;
  timeline: Timeline;
  messages: readonly ShownMessage[];
  /** Null while the lines follow the sound. */
  onFollow: (() => void) | null;
}

/** Plays the whole conversation, and shows its turns and the customer's mood at a glance. */
export function PlayerBar({ player, timeline, messages, onFollow }: PlayerBarProps) {
  const phase = usePlayer(player, (state) => state.phase);
  const at = usePlayer(player, (state) => state.at);
  const speed = usePlayer(player, (state) => state.speed);
  const turnId = usePlayer(player, (state) => state.turnId);
  const playing = messages.find(({ _id }) => _id === turnId);
  const clock = t('player.position', {
    at: formatClock(at),
    length: formatClock(Math.max(1, Math.round(timeline.length))),
  });
  return (
    <section
      aria-label={t('player.title')}
      className="sticky bottom-4 z-20 mt-7 rounded-xl border border-line bg-raised px-3 pt-2.5 pb-3 shadow-float"
    >
      <div className="flex items-center gap-1">
        <Button size="sm" className="mr-1 rounded-full pr-4" onClick={() => player.toggle()}>
          {phase === 'loading' ? (
            <Spinner />
          ) : phase === 'playing' ? (
            <Pause aria-hidden="true" className="fill-current" />
          ) : (
            <Play aria-hidden="true" className="fill-current" />
          )}
          {phase === 'stopped' ? (
            <span>
              {t.rich('player.play', { wide: (text) => <span className="max-sm:sr-only">{text}</span> })}
            </span>
          ) : (
            t('player.pause')
          )}
        </Button>
        <Button
          variant="ghost"
          size="icon-sm"
          aria-label={t('player.previous')}
          onClick={() => player.step(-1)}
        >
          <SkipBack aria-hidden="true" />
        </Button>
        <Button variant="ghost" size="icon-sm" aria-label={t('player.next')} onClick={() => player.step(1)}>
          <SkipForward aria-hidden="true" />
        </Button>
        <span className="numbers ml-1 truncate text-ink-muted text-xs">
          {formatClock(at)}
          <span className="text-ink-faint"> / {formatClock(Math.max(1, Math.round(timeline.length)))}</span>
        </span>
        <span className="ml-auto flex items-center gap-1">
          {onFollow && phase !== 'stopped' && (
            <Button variant="ghost" size="sm" className="max-sm:px-2" onClick={onFollow}>
              <ListEnd aria-hidden="true" />
              <span className="max-sm:sr-only">{t('player.follow')}</span>
            </Button>
          )}
          <Button
            variant="ghost"
            size="sm"
            className="numbers min-w-12 px-1.5 font-normal"
            aria-label={t('player.speed', { speed })}
            onClick={() => player.setSpeed(SPEEDS[(SPEEDS.indexOf(speed) + 1) % SPEEDS.length] ?? 1)}
          >
            {speed}×
          </Button>
        </span>
      </div>
      <WaveSlider
        label={t('player.positionLabel')}
        valueText={playing ? `${clock}, ${speakerOf(playing)}` : clock}
        at={at}
        length={timeline.length}
        onSeek={(seconds) => player.playFrom(seconds)}
        onStep={(direction) => player.step(direction)}
        className="mt-2"
      >
        <Overview timeline={timeline} messages={messages} />
      </WaveSlider>
    </section>
  );
}

const fills: Record<Sentiment, string> = {
  positive: 'fill-positive',
  neutral: 'fill-neutral',
  negative: 'fill-negative',
  urgent: 'fill-urgent',
};

/**
 * The customer's turns above, in the colour of their mood, the agent's below; overlapping where both talked. Drawn once
 * per conversation, not with every tick.
 */
const Overview = memo(function Overview({
  timeline,
  messages,
}: {
  timeline: Timeline;
  messages: readonly ShownMessage[];
}) {
  const sentiments = new Map(messages.map(({ _id, sentiment }) => [_id, sentiment]));
  return (
    <svg
      aria-hidden="true"
      viewBox={`0 0 ${timeline.length || 1} 32`}
      preserveAspectRatio="none"
      className="absolute inset-0 size-full rounded-sm bg-sunken"
    >
      {timeline.turns.map(({ id, start, length, isCustomer, audioUrl }) => (
        <rect
          key={id}
          x={start}
          width={length}
          y={isCustomer ? (audioUrl ? 3 : 11) : 17}
          height={audioUrl ? 12 : 4}
          className={isCustomer ? fills[sentiments.get(id) ?? 'neutral'] : 'fill-accent/55'}
        />
      ))}
    </svg>
  );
});
