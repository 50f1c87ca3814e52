import { CircleAlert } from 'lucide-react';
import { playCue } from '#web/lib/loudspeaker/sound-cues';
import { usePreferences } from '#web/lib/server/preferences';
import { useServerStatus } from '#web/lib/server/status';
import { Button } from '#web/ui/button';
import { RadioGroup } from '#web/ui/forms/radio-group';
import { Switch } from '#web/ui/forms/switch';

/** What a person settles for all their calls. Each choice holds at once. */
export function CallSettings() {
  const { data: status } = useServerStatus();
  const audioStaysHere = status?.policy.audioStaysHere ?? false;
  const { preferences, isKnown, loadProblem, saveProblem, change, reload } = usePreferences();
  if (loadProblem)
    return (
      <div role="alert" className="flex flex-wrap items-center gap-3 text-sm text-urgent-text">
        {loadProblem}
        <Button variant="secondary" size="sm" onClick={reload}>
          Try again
        </Button>
      </div>
    );
  return (
    <div aria-busy={!isKnown || undefined} className="flex flex-col gap-6">
      <p className="text-ink-muted text-sm">They hold for all your calls, on every device.</p>
      {saveProblem && (
        <p role="alert" className="flex items-start gap-1.5 text-sm text-urgent-text">
          <CircleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
          {saveProblem}
        </p>
      )}
      <Switch
        label="Keep recordings of calls"
        hint={
          preferences.keepRecordings
            ? 'What you say and what the agent says can be heard again in the conversation.'
            : 'Nothing that is said from now on is kept as sound. Recordings you already have stay until you delete their conversation.'
        }
        checked={isKnown && preferences.keepRecordings}
        disabled={!isKnown}
        onChange={(keepRecordings) => change({ keepRecordings })}
      />
      <RadioGroup
        label="Turn speech into text"
        value={preferences.recognition}
        disabled={!isKnown || audioStaysHere}
        onChange={(recognition) => change({ recognition })}
        choices={[
          {
            value: 'server',
            label: 'Only on this server',
            hint: 'Your voice is sent to this server in every browser, never to its maker.',
          },
          {
            value: 'automatic',
            label: 'In your browser, where it can',
            hint: 'Single messages only. The maker of the browser may receive what you say.',
          },
        ]}
      />
      {audioStaysHere && (
        <p className="-mt-4 text-ink-muted text-sm">
          Whoever runs this server has settled that what is said stays on it. Live rooms ask no server outside
          either.
        </p>
      )}
      <Switch
        label="Sound cues"
        hint="Short, soft sounds when you join, mute and hang up."
        checked={preferences.soundCues}
        disabled={!isKnown}
        onChange={(soundCues) => {
          change({ soundCues });
          if (soundCues) playCue('joined');
        }}
      />
    </div>
  );
}
