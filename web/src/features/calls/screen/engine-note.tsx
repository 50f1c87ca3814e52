import { AudioLines, Brain, Ear } from 'lucide-react';
import type { EngineStatus, ServerStatus } from '#shared/status';
import { Progress } from '#web/ui/progress';

/** Which brain answers, and how voice and ears stand, plainly. */
export function EngineNote({ status }: { status: ServerStatus | undefined }) {
  if (!status) return <div className="h-5" />;
  const { brain, voice, ears } = status;
  return (
    <div className="flex w-full max-w-md flex-col items-center gap-2 text-ink-faint text-xs">
      <p className="flex flex-wrap items-center justify-center gap-x-4 gap-y-1">
        <span className="inline-flex items-center gap-1.5">
          <Brain aria-hidden="true" className="size-3.5" />
          <span>
            Answered by <span className="font-medium text-ink-muted">{brain.name}</span>
          </span>
        </span>
        {voice.status.state === 'ready' && (
          <span className="hidden items-center gap-1.5 lg:inline-flex">
            <AudioLines aria-hidden="true" className="size-3.5" />
            <span>
              Voice <span className="font-medium text-ink-muted">{voice.name}</span>
            </span>
          </span>
        )}
        {ears?.status.state === 'ready' && (
          <span className="hidden items-center gap-1.5 lg:inline-flex">
            <Ear aria-hidden="true" className="size-3.5" />
            <span>
              Ears <span className="font-medium text-ink-muted">{ears.name}</span>
            </span>
          </span>
        )}
      </p>
      <Coming name="Voice" meanwhile="Text works meanwhile." status={voice.status} />
      {ears && <Coming name="Hearing" meanwhile="Typing works meanwhile." status={ears.status} />}
      {brain.status.state === 'failed' && <p role="status">{brain.status.message}</p>}
    </div>
  );
}

interface ComingProps {
  name: string;
  /** What can be done until it is there. */
  meanwhile: string;
  status: EngineStatus;
}

/** How far an engine is that is not ready. */
function Coming({ name, meanwhile, status: { state, progress, message } }: ComingProps) {
  switch (state) {
    case 'fetching':
      return (
        <div className="flex w-64 flex-col gap-1.5 text-center">
          <p role="status">
            {progress === undefined
              ? `${name} is being fetched. ${meanwhile}`
              : `${name} is being fetched: ${Math.floor(progress * 100)} %`}
          </p>
          <Progress label={`Fetching the ${name.toLowerCase()}`} value={progress ?? null} />
        </div>
      );
    case 'loading':
      return (
        <p role="status">
          {name} is getting ready. {meanwhile}
        </p>
      );
    case 'failed':
      return <p role="status">{message}</p>;
    case 'ready':
      return null;
  }
}
