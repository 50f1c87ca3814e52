import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { z } from 'zod';
import type { Role } from '#shared/accounts';
import {
  type InvitationRequest,
  invitationSchema,
  type Member,
  memberSchema,
  newInvitationSchema,
  type RegistrationMode,
  registrationSettingSchema,
} from '#shared/members';
import { request, requestData } from '#web/lib/server/api-client';
import { t } from '#web/texts/accounts';
import { toast } from '#web/ui/layers/toast';

const MEMBERS = ['members'] as const;
const INVITATIONS = ['invitations'] as const;
const REGISTRATION = ['registration'] as const;
const memberPath = (id: string) => `/api/members/${encodeURIComponent(id)}`;
const say = (error: Error) => toast.error(error.message);

/** All accounts, oldest first. */
export function useMembers() {
  return useQuery({
    queryKey: MEMBERS,
    queryFn: ({ signal }) => requestData('/api/members', { schema: z.array(memberSchema), signal }),
  });
}

export function useChangeRole() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ id, role }: { id: string; role: Role }) =>
      requestData(memberPath(id), { method: 'PUT', body: { role }, schema: memberSchema }),
    onSuccess: (changed) =>
      queryClient.setQueryData<Member[]>(MEMBERS, (members) =>
        members?.map((member) => (member._id === changed._id ? changed : member)),
      ),
    onError: say,
    onSettled: () => queryClient.invalidateQueries({ queryKey: MEMBERS }),
  });
}

export function useRemoveMember() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ _id }: Member) => request(memberPath(_id), { method: 'DELETE', timeoutMs: 120_000 }),
    onSuccess: (_answer, { name }) => toast.success(t('members.removed', { name })),
    onError: say,
    onSettled: () => queryClient.invalidateQueries({ queryKey: MEMBERS }),
  });
}

/** Signs a member out everywhere. */
export function useEndSessions() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ _id }: Member) => request(`${memberPath(_id)}/sessions`, { method: 'DELETE' }),
    onSuccess: (_answer, { name }) => toast.success(t('members.signedOut', { name })),
    onError: say,
    onSettled: () => queryClient.invalidateQueries({ queryKey: MEMBERS }),
  });
}

/** The mode of registration. */
export function useRegistrationMode() {
  return useQuery({
    queryKey: REGISTRATION,
    queryFn: ({ signal }) =>
      requestData('/api/settings/registration', { schema: registrationSettingSchema, signal }),
  });
}

export function useSettleRegistration() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (mode: RegistrationMode) =>
      requestData('/api/settings/registration', {
        method: 'PUT',
        body: { mode },
        schema: registrationSettingSchema,
      }),
    onSuccess: (settled) => queryClient.setQueryData(REGISTRATION, settled),
    onError: say,
  });
}

/** Unused invitations, newest first. */
export function useInvitations() {
  return useQuery({
    queryKey: INVITATIONS,
    queryFn: ({ signal }) => requestData('/api/invitations', { schema: z.array(invitationSchema), signal }),
  });
}

/** @throws ApiError */
export function useInvite() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (invitation: InvitationRequest) =>
      requestData('/api/invitations', { method: 'POST', body: invitation, schema: newInvitationSchema }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: INVITATIONS }),
  });
}

export function useWithdraw() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => request(`/api/invitations/${encodeURIComponent(id)}`, { method: 'DELETE' }),
    onError: say,
    onSettled: () => queryClient.invalidateQueries({ queryKey: INVITATIONS }),
  });
}
