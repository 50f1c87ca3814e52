import { t } from '#web/texts/common';
import { usePreferences } from './preferences.ts';
import { useServerStatus } from './status.ts';

/**
 * What a caller must know before speaking: that a machine answers, whether sound is stored, and for how long;
 * null until known.
 */
export function useCallNotice(): string | null {
  const { preferences, isKnown } = usePreferences();
  const { data: status } = useServerStatus();
  if (!isKnown || !status) return null;
  const { retentionDays } = status.policy;
  return [
    t('callNotice.agent'),
    preferences.keepRecordings ? t('callNotice.recorded') : t('callNotice.text'),
    ...(retentionDays === null ? [] : [t('callNotice.deleted', { days: retentionDays })]),
  ].join(' ');
}
