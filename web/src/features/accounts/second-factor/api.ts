import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import {
  recoveryCodesSchema,
  secondFactorProposalSchema,
  secondFactorSettingSchema,
  secondFactorStateSchema,
} from '#shared/accounts';
import { request, requestData } from '#web/lib/server/api-client';
import { t } from '#web/texts/accounts';
import { toast } from '#web/ui/layers/toast';

const STATE = ['second-factor'] as const;
const SETTING = ['second-factor-setting'] as const;
const PATH = '/api/auth/second-factor';
const SETTING_PATH = '/api/settings/second-factor';

/** Whether the user has a second factor, and whether every user needs one. */
export function useSecondFactor() {
  return useQuery({
    queryKey: STATE,
    queryFn: ({ signal }) => requestData(PATH, { schema: secondFactorStateSchema, signal }),
  });
}

/** Requests a secret for an authenticator app with the password. @throws ApiError */
export function useProposal() {
  return useMutation({
    mutationFn: (password: string) =>
      requestData(PATH, { method: 'POST', body: { password }, schema: secondFactorProposalSchema }),
  });
}

/** Exchanges the first code for the recovery codes. Every other session ends. @throws ApiError */
export function useConfirmation() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (code: string) =>
      (await requestData(`${PATH}/confirm`, { method: 'POST', body: { code }, schema: recoveryCodesSchema }))
        .recoveryCodes,
    onSuccess: () => {
      void queryClient.invalidateQueries({ queryKey: STATE });
      void queryClient.invalidateQueries({ queryKey: ['sessions'] });
    },
  });
}

/** @throws ApiError */
export function useNewRecoveryCodes() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (password: string) =>
      (
        await requestData(`${PATH}/recovery-codes`, {
          method: 'POST',
          body: { password },
          schema: recoveryCodesSchema,
        })
      ).recoveryCodes,
    onSuccess: () => queryClient.invalidateQueries({ queryKey: STATE }),
  });
}

/** @throws ApiError */
export function useTurnOff() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (password: string) => request(PATH, { method: 'DELETE', body: { password } }),
    onSuccess: () => {
      toast.success(t('secondFactor.turnedOff'));
      return queryClient.invalidateQueries({ queryKey: STATE });
    },
  });
}

/** Whether every user needs one, for owners. */
export function useSecondFactorSetting() {
  return useQuery({
    queryKey: SETTING,
    queryFn: ({ signal }) => requestData(SETTING_PATH, { schema: secondFactorSettingSchema, signal }),
  });
}

export function useSettleSecondFactor() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (required: boolean) =>
      requestData(SETTING_PATH, { method: 'PUT', body: { required }, schema: secondFactorSettingSchema }),
    onSuccess: (settled) => queryClient.setQueryData(SETTING, settled),
    onError: (error) => toast.error(error.message),
    onSettled: () => queryClient.invalidateQueries({ queryKey: STATE }),
  });
}
