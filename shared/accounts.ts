import { z } from 'zod';
import { refusal, sentenceOf } from './refusals/refusal.ts';

const MAX_EMAIL_CHARACTERS = 254;
const MAX_NAME_CHARACTERS = 100;
const MIN_PASSWORD_CHARACTERS = 8;
const MAX_PASSWORD_CHARACTERS = 128;

const emailTooLong = sentenceOf(refusal('accounts.email-too-long', { max: MAX_EMAIL_CHARACTERS }));
const passwordTooLong = sentenceOf(refusal('accounts.password-too-long', { max: MAX_PASSWORD_CHARACTERS }));

export const emailSchema = z
  .string()
  .trim()
  .toLowerCase()
  .max(MAX_EMAIL_CHARACTERS, emailTooLong)
  .pipe(z.email(sentenceOf('accounts.email-invalid')));

const nameSchema = z
  .string()
  .trim()
  .min(1, sentenceOf('accounts.name-missing'))
  .max(MAX_NAME_CHARACTERS, sentenceOf(refusal('common.name-too-long', { max: MAX_NAME_CHARACTERS })));

export const passwordSchema = z
  .string()
  .min(
    MIN_PASSWORD_CHARACTERS,
    sentenceOf(refusal('accounts.password-too-short', { min: MIN_PASSWORD_CHARACTERS })),
  )
  .max(MAX_PASSWORD_CHARACTERS, passwordTooLong);

/** Roles in a workspace: an owner may do everything, a supervisor everything except managing members. */
export const roleSchema = z.enum(['owner', 'supervisor', 'member'], sentenceOf('accounts.role'));
export type Role = z.infer<typeof roleSchema>;

export const registrationSchema = z.object({
  name: nameSchema,
  email: emailSchema,
  password: passwordSchema,
  /** The secret of the invitation link. */
  invitation: z.string().min(1).max(200).optional(),
});
export type Registration = z.infer<typeof registrationSchema>;

const codeSchema = z
  .string()
  .trim()
  .min(1, sentenceOf('accounts.code-missing'))
  .max(64, sentenceOf('accounts.code-too-long'));

/** Login only requires that something was typed: describing valid passwords helps only strangers. */
export const credentialsSchema = z.object({
  email: z
    .string()
    .trim()
    .toLowerCase()
    .min(1, sentenceOf('accounts.email-missing'))
    .max(MAX_EMAIL_CHARACTERS, emailTooLong),
  password: z
    .string()
    .min(1, sentenceOf('accounts.password-missing'))
    .max(MAX_PASSWORD_CHARACTERS, passwordTooLong),
  /** Of the authenticator app, or a recovery code: requested by a 401 with the code `second-factor-needed`. */
  code: codeSchema.optional(),
});
export type Credentials = z.infer<typeof credentialsSchema>;

const userSchema = z.object({
  _id: z.string(),
  name: z.string(),
  email: z.string(),
  /** The user's workspace. Missing from servers without workspaces. */
  workspaceId: z.string().optional(),
  /** In their workspace. Missing from servers without roles. */
  role: roleSchema.optional(),
  /** May change settings for all users of this server, such as engines and registration. */
  isInstallationOwner: z.boolean().optional(),
  /** No other request is answered before. */
  mustSetUpSecondFactor: z.boolean().optional(),
});
export type User = z.infer<typeof userSchema>;

/** The key that encrypts what the page keeps in its tab for the signed-in user. Missing from servers without one. */
const tabKeySchema = z.base64().length(44).optional();

/** Answer of GET /api/auth/me. */
export const ownAccountSchema = userSchema.extend({ tabKey: tabKeySchema });
export type OwnAccount = z.infer<typeof ownAccountSchema>;

/** Body of requests that need the password again, such as DELETE /api/auth/me. */
export const passwordProofSchema = z.object({
  /** Empty for a user without a password, who has signed in a moment ago. */
  password: z.string().max(MAX_PASSWORD_CHARACTERS, passwordTooLong),
});

/** Body of PUT /api/auth/password. */
export const passwordChangeSchema = z.object({
  currentPassword: credentialsSchema.shape.password,
  newPassword: passwordSchema,
});
export type PasswordChange = z.infer<typeof passwordChangeSchema>;

/** Body of POST /api/auth/password-reset. */
export const passwordResetRequestSchema = credentialsSchema.pick({ email: true });

/** Body of POST /api/auth/password-reset/confirm: the token after the # of the link, and the new password. */
export const passwordResetSchema = z.object({
  token: z.string().min(1).max(200),
  newPassword: passwordSchema,
});
export type PasswordReset = z.infer<typeof passwordResetSchema>;

/** Answer of GET /api/auth/options: the ways to sign in besides a password. */
export const signInOptionsSchema = z.object({
  /** Whether a link to a new password can be requested. */
  passwordReset: z.boolean(),
  /** The name of the identity provider; null without one. */
  provider: z.string().nullable(),
});
export type SignInOptions = z.infer<typeof signInOptionsSchema>;

/** Answer of POST /api/auth/oidc: the address to go to, and the state that the browser keeps until it returns. */
export const providerVisitSchema = z.object({ address: z.string(), attempt: z.string() });

/** Body of POST /api/auth/oidc/back: the state that the browser kept, and the query it returned with. */
export const providerAnswerSchema = z.object({
  attempt: z.string().min(1).max(2_000),
  answer: z.string().max(8_000),
});
export type ProviderAnswer = z.infer<typeof providerAnswerSchema>;

/** Counts of the contents of an account that a stranger may have made with this address, unconfirmed. */
const existingAccountSchema = z.object({
  createdAt: z.string(),
  agents: z.number().int(),
  actions: z.number().int(),
  documents: z.number().int(),
  conversations: z.number().int(),
  recordings: z.number().int(),
  rooms: z.number().int(),
});
export type ExistingAccount = z.infer<typeof existingAccountSchema>;

/** Answer of POST /api/auth/oidc/back. */
export const ticketSchema = z.object({
  ticket: z.string(),
  /** Present if the owner has not decided about the existing account yet. */
  existing: existingAccountSchema.optional(),
});
export type Ticket = z.infer<typeof ticketSchema>;

const existingChoiceSchema = z.enum(['start-empty', 'take-over'], sentenceOf('accounts.start-choice'));
export type ExistingChoice = z.infer<typeof existingChoiceSchema>;

/** Body of POST /api/auth/oidc/sign-in. A code is requested as at POST /api/auth/login. */
export const ticketUseSchema = z.object({
  ticket: z.string().min(1).max(2_000),
  code: codeSchema.optional(),
  /** The choice about `existing`: requested by a 409 with the code `choice-needed`. */
  existing: existingChoiceSchema.optional(),
});
export type TicketUse = z.infer<typeof ticketUseSchema>;

/** Answer of GET /api/auth/second-factor. */
export const secondFactorStateSchema = z.object({
  on: z.boolean(),
  recoveryCodesLeft: z.number().int(),
  /** An owner requires it of every user. */
  required: z.boolean(),
});
export type SecondFactorState = z.infer<typeof secondFactorStateSchema>;

/** A secret for an authenticator app: as text, and as the address of its picture. */
export const secondFactorProposalSchema = z.object({ secret: z.string(), address: z.string() });
export type SecondFactorProposal = z.infer<typeof secondFactorProposalSchema>;

/** Body of POST /api/auth/second-factor/confirm. */
export const secondFactorCodeSchema = z.object({ code: codeSchema });

/** Shown only once. */
export const recoveryCodesSchema = z.object({ recoveryCodes: z.array(z.string()) });

/** GET and PUT /api/settings/second-factor: whether every user needs one. */
export const secondFactorSettingSchema = z.object({ required: z.boolean() });

/** One of the user's own sessions. */
export const listedSessionSchema = z.object({
  _id: z.string(),
  createdAt: z.string(),
  lastUsedAt: z.string(),
  /** The session ends then, however often it is used. */
  expiresAt: z.string(),
  /** The session of this request. */
  current: z.boolean(),
  /** The user agent and the network address of the sign-in. */
  userAgent: z.string().optional(),
  address: z.string().optional(),
});
export type ListedSession = z.infer<typeof listedSessionSchema>;

export const signedInSchema = z.object({ token: z.string(), user: userSchema, tabKey: tabKeySchema });
export type SignedIn = z.infer<typeof signedInSchema>;
