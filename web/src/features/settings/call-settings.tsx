import { CircleAlert } from 'lucide-react';
import { playCue } from '#web/lib/loudspeaker/sound-cues';
import { usePreferences } from '#web/lib/server/preferences';
import { useServerStatus } from '#web/lib/server/status';
import { t as common } from '#web/texts/common';
import { t } from '#web/texts/settings';
import { Button } from '#web/ui/button';
import { RadioGroup } from '#web/ui/forms/radio-group';
import { Switch } from '#web/ui/forms/switch';

/** A user's preferences for all their calls. Each choice applies at once. */
export function CallSettings() {
  const { data: status } = useServerStatus();
  const audioStaysHere = status?.policy.audioStaysHere ?? false;
  const { preferences, isKnown, loadProblem, saveProblem, change, reload } = usePreferences();
  if (loadProblem)
    return (
      <div role="alert" className="flex flex-wrap items-center gap-3 text-sm text-urgent-text">
        {loadProblem}
        <Button variant="secondary" size="sm" onClick={reload}>
          {common('tryAgain')}
        </Button>
      </div>
    );
  return (
    <div aria-busy={!isKnown || undefined} className="flex flex-col gap-6">
      <p className="text-ink-muted text-sm">{t('calls.text')}</p>
      {saveProblem && (
        <p role="alert" className="flex items-start gap-1.5 text-sm text-urgent-text">
          <CircleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
          {saveProblem}
        </p>
      )}
      <Switch
        label={t('calls.recordings')}
        hint={preferences.keepRecordings ? t('calls.recordingsOn') : t('calls.recordingsOff')}
        checked={isKnown && preferences.keepRecordings}
        disabled={!isKnown}
        onChange={(keepRecordings) => change({ keepRecordings })}
      />
      <RadioGroup
        label={t('calls.speech')}
        value={preferences.recognition}
        disabled={!isKnown || audioStaysHere}
        onChange={(recognition) => change({ recognition })}
        choices={[
          {
            value: 'server',
            label: t('calls.server'),
            hint: t('calls.serverHint'),
          },
          {
            value: 'automatic',
            label: t('calls.browser'),
            hint: t('calls.browserHint'),
          },
        ]}
      />
      {audioStaysHere && <p className="-mt-4 text-ink-muted text-sm">{t('calls.decided')}</p>}
      <Switch
        label={t('calls.cues')}
        hint={t('calls.cuesHint')}
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
