import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useSyncExternalStore } from 'react';
import {
  defaultPreferences,
  type Preferences,
  type PreferencesChange,
  preferencesSchema,
} from '#shared/preferences';
import { logProblem } from '#web/lib/log';
import { t } from '#web/texts/common';
import { requestData } from './api-client.ts';
import { getSession, subscribeToSession } from './session.ts';

interface PreferencesControl {
  /** The current preferences. Until they are loaded: nothing that the person may have refused. */
  preferences: Preferences;
  isKnown: boolean;
  /** Why loading failed, as a sentence. */
  loadProblem: string | null;
  /** Why the last change was undone, as a sentence; null after the next change. */
  saveProblem: string | null;
  /** Changes a preference for all calls: applies at once and is undone if the server does not store it. */
  change(change: PreferencesChange): void;
  reload(): void;
}

const KEY = ['preferences'] as const;

/** The page stays quiet until it knows that sound is wanted. */
const untilKnown: Preferences = { ...defaultPreferences, soundCues: false };

/** The signed-in person's call preferences, shared across the page. */
export function usePreferences(): PreferencesControl {
  const { token } = useSyncExternalStore(subscribeToSession, getSession);
  const queryClient = useQueryClient();
  const query = useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => requestData('/api/preferences', { schema: preferencesSchema, signal }),
    enabled: token !== null,
  });

  const saving = useMutation({
    mutationKey: KEY,
    // In order: the last answer is the last wish.
    scope: { id: 'preferences' },
    mutationFn: (change: PreferencesChange) =>
      requestData('/api/preferences', { method: 'PUT', body: change, schema: preferencesSchema }),
    onMutate: async (change) => {
      await queryClient.cancelQueries({ queryKey: KEY });
      const before = queryClient.getQueryData<Preferences>(KEY);
      queryClient.setQueryData<Preferences>(KEY, (known) => known && merge(known, change));
      return { before };
    },
    onError: (error, change, context) => {
      logProblem('The settings were not saved.', error);
      queryClient.setQueryData<Preferences>(
        KEY,
        (known) => known && context?.before && takeBack(known, change, context.before),
      );
    },
    // While another change is pending, its own answer will tell.
    onSettled: () =>
      queryClient.isMutating({ mutationKey: KEY }) > 1
        ? undefined
        : queryClient.invalidateQueries({ queryKey: KEY }),
  });

  const { mutate } = saving;
  const { refetch } = query;
  return {
    preferences: query.data ?? untilKnown,
    isKnown: query.data !== undefined,
    loadProblem: query.isError && !query.data ? t('preferences.loadFailed') : null,
    saveProblem: saving.isError ? t('preferences.saveFailed') : null,
    change: useCallback((change) => mutate(change), [mutate]),
    reload: useCallback(() => void refetch(), [refetch]),
  };
}

const merge = (known: Preferences, change: PreferencesChange): Preferences => ({
  keepRecordings: change.keepRecordings ?? known.keepRecordings,
  recognition: change.recognition ?? known.recognition,
  soundCues: change.soundCues ?? known.soundCues,
});

/** Undoes only this change's fields: others may have changed since. */
const takeBack = (known: Preferences, change: PreferencesChange, before: Preferences): Preferences => ({
  keepRecordings: change.keepRecordings === undefined ? known.keepRecordings : before.keepRecordings,
  recognition: change.recognition === undefined ? known.recognition : before.recognition,
  soundCues: change.soundCues === undefined ? known.soundCues : before.soundCues,
});
