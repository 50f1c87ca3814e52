import { createLocalAudioTrack, type LocalAudioTrack } from 'livekit-client';
import { Mic } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { logProblem } from '#web/lib/log';
import { t } from '#web/texts/rooms';
import { Button } from '#web/ui/button';
import { useTrackLevel } from './connection/track-level.ts';
import { LevelMeter } from './level-meter.tsx';

interface MicrophoneTestProps {
  microphoneId: string | null;
  /** The browser allowed the microphone, so that it can name the others. */
  onAllowed: () => void;
  onDenied: () => void;
}

/** Tests the microphone before joining. Its sound stays in the browser. */
export function MicrophoneTest({ microphoneId, onAllowed, onDenied }: MicrophoneTestProps) {
  const [testing, setTesting] = useState(false);
  const [track, setTrack] = useState<LocalAudioTrack | null>(null);
  const [wasLoud, setWasLoud] = useState(false);
  const level = useTrackLevel(track);
  const told = useRef({ onAllowed, onDenied });
  told.current = { onAllowed, onDenied };

  useEffect(() => {
    if (!testing) return;
    let current = true;
    let opened: LocalAudioTrack | null = null;
    setWasLoud(false);
    createLocalAudioTrack(microphoneId ? { deviceId: microphoneId } : undefined).then(
      (created) => {
        opened = created;
        if (!current) return created.stop();
        setTrack(created);
        told.current.onAllowed();
      },
      (error: unknown) => {
        logProblem('The microphone could not be tested.', error);
        if (!current) return;
        setTesting(false);
        told.current.onDenied();
      },
    );
    return () => {
      current = false;
      opened?.stop();
      setTrack(null);
    };
  }, [testing, microphoneId]);

  return (
    <div className="flex min-h-11 flex-wrap items-center gap-x-4 gap-y-2">
      <Button variant="secondary" aria-pressed={testing} onClick={() => setTesting(!testing)}>
        <Mic aria-hidden="true" />
        {testing ? t('microphoneTest.stop') : t('microphoneTest.start')}
      </Button>
      {testing && (
        <div className="flex min-w-40 flex-1 animate-appear items-center gap-3">
          <LevelMeter level={level} onSound={() => setWasLoud(true)} className="w-24" />
          <p role="status" className="text-ink-muted text-sm">
            {wasLoud ? t('microphoneTest.heard') : t('microphoneTest.saySomething')}
          </p>
        </div>
      )}
    </div>
  );
}
