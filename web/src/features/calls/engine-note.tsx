import { AudioLines, Brain } from 'lucide-react';
import type { ServerStatus } from '#shared/status';
import { Progress } from '#web/ui/progress';

/** Which brain answers and how the voice stands, plainly. */
export function EngineNote({ status }: { status: ServerStatus | undefined }) {
  if (!status) return <div className="h-5" />;
  const { brain, voice } = status;
  const { state, progress } = voice.status;
  return (
    <div className="flex w-full max-w-md flex-col items-center gap-2 text-ink-faint text-xs">
      <p className="flex flex-wrap items-center justify-center gap-x-4 gap-y-1">
        <span className="inline-flex items-center gap-1.5">
          <Brain aria-hidden="true" className="size-3.5" />
          <span>
            Answered by <span className="font-medium text-ink-muted">{brain.name}</span>
          </span>
        </span>
        {state === 'ready' && (
          <span className="hidden items-center gap-1.5 lg:inline-flex">
            <AudioLines aria-hidden="true" className="size-3.5" />
            <span>
              Voice <span className="font-medium text-ink-muted">{voice.name}</span>
            </span>
          </span>
        )}
      </p>
      {state === 'fetching' && (
        <div className="flex w-64 flex-col gap-1.5 text-center">
          <p role="status">
            {progress === undefined
              ? 'Voice is being fetched. Text works meanwhile.'
              : `Voice is being fetched: ${Math.floor(progress * 100)} %`}
          </p>
          <Progress label="Fetching the voice" value={progress ?? null} />
        </div>
      )}
      {state === 'loading' && <p role="status">Voice is getting ready. Text works meanwhile.</p>}
      {state === 'failed' && <p role="status">{voice.status.message}</p>}
      {brain.status.state === 'failed' && <p role="status">{brain.status.message}</p>}
    </div>
  );
}
