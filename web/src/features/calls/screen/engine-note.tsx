import { AudioLines, Brain, Ear } from 'lucide-react';
import type { ReactNode } from 'react';
import type { EngineStatus, ServerStatus } from '#shared/status';
import { t } from '#web/texts/calls';
import { Progress } from '#web/ui/progress';

/** Names the brain in use, and the state of voice and ears. */
export function EngineNote({ status }: { status: ServerStatus | undefined }) {
  if (!status) return <div className="h-5" />;
  const { brain, voice, ears } = status;
  return (
    <div className="flex w-full max-w-md flex-col items-center gap-2 text-ink-faint text-xs">
      <p className="flex flex-wrap items-center justify-center gap-x-4 gap-y-1">
        <span className="inline-flex items-center gap-1.5">
          <Brain aria-hidden="true" className="size-3.5" />
          <span>{t.rich('engines.answeredBy', { name: brain.name, engine })}</span>
        </span>
        {voice.status.state === 'ready' && (
          <span className="hidden items-center gap-1.5 lg:inline-flex">
            <AudioLines aria-hidden="true" className="size-3.5" />
            <span>{t.rich('engines.voice', { name: voice.name, engine })}</span>
          </span>
        )}
        {ears?.status.state === 'ready' && (
          <span className="hidden items-center gap-1.5 lg:inline-flex">
            <Ear aria-hidden="true" className="size-3.5" />
            <span>{t.rich('engines.ears', { name: ears.name, engine })}</span>
          </span>
        )}
      </p>
      <Coming engine="voice" status={voice.status} />
      {ears && <Coming engine="ears" status={ears.status} />}
      {brain.status.state === 'failed' && <p role="status">{brain.status.message}</p>}
    </div>
  );
}

const engine = (name: ReactNode) => <span className="font-medium text-ink-muted">{name}</span>;

interface ComingProps {
  engine: 'voice' | 'ears';
  status: EngineStatus;
}

/** The progress of an engine that is not ready. */
function Coming({ engine, status: { state, progress, message } }: ComingProps) {
  switch (state) {
    case 'fetching':
      return (
        <div className="flex w-64 flex-col gap-1.5 text-center">
          <p role="status">
            {progress === undefined
              ? t(`engines.${engine}Fetched`)
              : t(`engines.${engine}Part`, { part: Math.floor(progress * 100) / 100 })}
          </p>
          <Progress label={t(`engines.${engine}Progress`)} value={progress ?? null} />
        </div>
      );
    case 'loading':
      return <p role="status">{t(`engines.${engine}Loading`)}</p>;
    case 'failed':
      return <p role="status">{message}</p>;
    case 'ready':
      return null;
  }
}
