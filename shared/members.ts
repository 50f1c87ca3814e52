import { z } from 'zod';
import { emailSchema, roleSchema } from './accounts.ts';
import { sentenceOf } from './refusals/refusal.ts';

/** A member of a workspace, as its owners see them; owners of the installation see all members. */
export const memberSchema = z.object({
  _id: z.string(),
  workspaceId: z.string(),
  name: z.string(),
  email: z.string(),
  role: roleSchema,
  createdAt: z.string(),
  /** The last use of their sessions; missing without a session. */
  lastUsedAt: z.string().optional(),
});
export type Member = z.infer<typeof memberSchema>;

/** Body of PUT /api/members/{id}. */
export const memberChangeSchema = z.object({ role: roleSchema });

/** The modes of registration: who may make an account. */
export const registrationModes = ['open', 'invitation', 'closed'] as const;
const registrationModeSchema = z.enum(registrationModes, sentenceOf('accounts.registration-mode'));
export type RegistrationMode = z.infer<typeof registrationModeSchema>;
export const registrationSettingSchema = z.object({ mode: registrationModeSchema });

/** Body of POST /api/invitations. */
export const invitationRequestSchema = z.object({ email: emailSchema, role: roleSchema });
export type InvitationRequest = z.infer<typeof invitationRequestSchema>;

/** An unused invitation. */
export const invitationSchema = z.object({
  _id: z.string(),
  email: z.string(),
  role: roleSchema,
  createdAt: z.string(),
  expiresAt: z.string(),
});
export type Invitation = z.infer<typeof invitationSchema>;

/** The link is shown only once: it cannot be derived from the stored hash. */
export const newInvitationSchema = invitationSchema.extend({ link: z.string() });
export type NewInvitation = z.infer<typeof newInvitationSchema>;
