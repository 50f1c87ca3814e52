import { z } from 'zod';
import { emailSchema, roleSchema } from './accounts.ts';
import { sentenceOf } from './refusals/refusal.ts';

/** A member of a workspace, as its owners see them; owners of the installation see everybody. */
export const memberSchema = z.object({
  _id: z.string(),
  workspaceId: z.string(),
  name: z.string(),
  email: z.string(),
  role: roleSchema,
  createdAt: z.string(),
  /** When one of their sessions was used last; missing while they have none. */
  lastUsedAt: z.string().optional(),
});
export type Member = z.infer<typeof memberSchema>;

/** Body of PUT /api/members/{id}. */
export const memberChangeSchema = z.object({ role: roleSchema });

/** Who may make an account. */
export const registrationModes = ['open', 'invitation', 'closed'] as const;
const registrationModeSchema = z.enum(registrationModes, sentenceOf('accounts.registration-mode'));
export type RegistrationMode = z.infer<typeof registrationModeSchema>;
export const registrationSettingSchema = z.object({ mode: registrationModeSchema });

/** Body of POST /api/invitations. */
export const invitationRequestSchema = z.object({ email: emailSchema, role: roleSchema });
export type InvitationRequest = z.infer<typeof invitationRequestSchema>;

/** A link that is not used yet. */
export const invitationSchema = z.object({
  _id: z.string(),
  email: z.string(),
  role: roleSchema,
  createdAt: z.string(),
  expiresAt: z.string(),
});
export type Invitation = z.infer<typeof invitationSchema>;

/** The link itself is told once: what is stored does not lead back to it. */
export const newInvitationSchema = invitationSchema.extend({ link: z.string() });
export type NewInvitation = z.infer<typeof newInvitationSchema>;
