import { z } from 'zod';
import { sentenceOf } from './refusals/refusal.ts';

/** Actions in the security log. */
const auditActions = [
  'sign-in',
  'sign-in-refused',
  'sign-out',
  'password-changed',
  'password-reset',
  'session-ended',
  'role-changed',
  'invited',
  'member-removed',
  'exported',
  'erased',
  'conversation-deleted',
  'settings-changed',
  'access-refused',
  'malware-refused',
] as const;
const auditActionSchema = z.enum(auditActions);
export type AuditAction = z.infer<typeof auditActionSchema>;

export const auditEntrySchema = z.object({
  _id: z.string(),
  at: z.string(),
  /** The email address of the acting account; empty if unknown. */
  actor: z.string(),
  action: auditActionSchema,
  /** The person or thing concerned. */
  subject: z.string().optional(),
  /** The network address of the request. */
  address: z.string().optional(),
});
export type AuditEntry = z.infer<typeof auditEntrySchema>;

export const auditQuerySchema = z.object({
  limit: z.coerce.number().int().min(1).max(100).default(50),
  cursor: z.uuid(sentenceOf('accounts.log-cursor')).optional(),
});
export type AuditQuery = z.infer<typeof auditQuerySchema>;
