import { z } from 'zod';

export const emailSchema = z
  .string()
  .trim()
  .toLowerCase()
  .max(254, 'Use an email address of at most 254 characters.')
  .pipe(z.email('Enter a valid email address.'));

const nameSchema = z
  .string()
  .trim()
  .min(1, 'Enter your name.')
  .max(100, 'Use a name of at most 100 characters.');

export const passwordSchema = z
  .string()
  .min(8, 'Use a password of at least 8 characters.')
  .max(128, 'Use a password of at most 128 characters.');

/** What somebody may do for everybody in an installation. An owner lets people in and out; the others look after their own. */
export const roleSchema = z.enum(['owner', 'supervisor', 'member'], 'Choose one of the roles.');
export type Role = z.infer<typeof roleSchema>;

export const registrationSchema = z.object({
  name: nameSchema,
  email: emailSchema,
  password: passwordSchema,
  /** The secret of the link by which somebody was invited. */
  invitation: z.string().min(1).max(200).optional(),
});
export type Registration = z.infer<typeof registrationSchema>;

/** Login only asks that something was typed: telling a stranger what a valid password looks like helps nobody. */
export const credentialsSchema = z.object({
  email: z
    .string()
    .trim()
    .toLowerCase()
    .min(1, 'Enter your email address.')
    .max(254, 'Use an email address of at most 254 characters.'),
  password: z.string().min(1, 'Enter your password.').max(128, 'Use a password of at most 128 characters.'),
});
export type Credentials = z.infer<typeof credentialsSchema>;

export const userSchema = z.object({
  _id: z.string(),
  name: z.string(),
  email: z.string(),
  /** Missing where a server knows no roles. */
  role: roleSchema.optional(),
});
export type User = z.infer<typeof userSchema>;

/** Body of DELETE /api/auth/me. */
export const passwordProofSchema = credentialsSchema.pick({ password: true });

/** Body of PUT /api/auth/password. */
export const passwordChangeSchema = z.object({
  currentPassword: credentialsSchema.shape.password,
  newPassword: passwordSchema,
});
export type PasswordChange = z.infer<typeof passwordChangeSchema>;

/** One of the user's own sessions. */
export const listedSessionSchema = z.object({
  _id: z.string(),
  createdAt: z.string(),
  lastUsedAt: z.string(),
  /** Then it ends, however much it is used. */
  expiresAt: z.string(),
  /** The session that asks. */
  current: z.boolean(),
  /** What signed in, as it calls itself, and from which network address. */
  userAgent: z.string().optional(),
  address: z.string().optional(),
});
export type ListedSession = z.infer<typeof listedSessionSchema>;

export const signedInSchema = z.object({ token: z.string(), user: userSchema });
export type SignedIn = z.infer<typeof signedInSchema>;
