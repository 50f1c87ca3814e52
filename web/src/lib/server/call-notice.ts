import { usePreferences } from './preferences.ts';
import { useServerStatus } from './status.ts';

/**
 * What whoever calls is to know before they speak: that a machine answers, whether sound is kept, and for how long; null
 * until that is known.
 */
export function useCallNotice(): string | null {
  const { preferences, isKnown } = usePreferences();
  const { data: status } = useServerStatus();
  if (!isKnown || !status) return null;
  const { retentionDays } = status.policy;
  return [
    'You are talking with an AI agent.',
    preferences.keepRecordings ? 'This call is recorded.' : 'This call is kept as text, not as sound.',
    ...(retentionDays === null
      ? []
      : [`It is deleted ${retentionDays === 1 ? 'a day' : `${retentionDays} days`} after its last word.`]),
  ].join(' ');
}
