import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import {
  type EngineCapability,
  type EngineSettings,
  type EngineValues,
  engineInUseSchema,
  engineSettingsSchema,
  engineTrialsSchema,
} from '#shared/engine-settings';
import { requestData } from '#web/lib/server/api-client';

const ENGINES = ['engines'] as const;
const POLL_MS = 2_000;
/** Longer than the server gives an engine. */
const TRIAL_MS = 40_000;
const pathOf = (capability: EngineCapability) => `/api/settings/engines/${capability}`;

/** The engines in use, polled while one of them loads. */
export function useEngines() {
  return useQuery({
    queryKey: ENGINES,
    queryFn: ({ signal }) => requestData('/api/settings/engines', { schema: engineSettingsSchema, signal }),
    refetchInterval: ({ state }) =>
      state.data?.engines.some(({ status }) => status.state === 'fetching' || status.state === 'loading')
        ? POLL_MS
        : false,
  });
}

/** @throws ApiError */
export function useChangeEngine(capability: EngineCapability) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (values: EngineValues) =>
      requestData(pathOf(capability), { method: 'PUT', body: { values }, schema: engineInUseSchema }),
    onSuccess: (changed) => {
      queryClient.setQueryData<EngineSettings>(
        ENGINES,
        (known) =>
          known && {
            ...known,
            engines: known.engines.map((one) => (one.capability === changed.capability ? changed : one)),
          },
      );
      // Every page's status of brain, voice and ears.
      void queryClient.invalidateQueries({ queryKey: ['status'] });
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: ENGINES }),
  });
}

/** Tries the engine in use, or one of these settings, with a real request. */
export function useTryEngine(capability: EngineCapability) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (values: EngineValues | undefined) =>
      requestData(`${pathOf(capability)}/try`, {
        method: 'POST',
        body: values ? { values } : {},
        schema: engineTrialsSchema,
        timeoutMs: TRIAL_MS,
      }),
    // Its recent response times include this trial.
    onSettled: () => queryClient.invalidateQueries({ queryKey: ENGINES }),
  });
}
