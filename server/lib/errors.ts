import type { ErrorBody, ErrorCode } from '#shared/errors';
import {
  type Reason,
  type Refusal,
  refusal,
  refusalBehind,
  refusalOf,
  sentenceOf,
} from '#shared/refusals/refusal';
import type { refusals } from '#shared/refusals/refusals';

/**
 * A refusal with a sentence that is safe to show. Made by the named factories below;
 * turned into an answer in one place each: http/ for requests, realtime/ for socket events.
 */
export class AppError extends Error {
  override readonly name = 'AppError';
  readonly code: ErrorCode;
  readonly status: number;
  /** The key of the sentence, and what it is filled with. */
  readonly refusal: Refusal;
  readonly retryAfterMs: number | undefined;
  /** A sentence for each part of the input that is wrong, by its name. */
  readonly fields: Readonly<Record<string, string>> | undefined;
  readonly #fieldKeys: Readonly<Record<string, string>> | undefined;

  constructor(
    code: ErrorCode,
    status: number,
    reason: Reason,
    options: { fields?: Record<string, Reason>; retryAfterMs?: number; cause?: unknown } = {},
  ) {
    super(sentenceOf(reason), { cause: options.cause });
    this.code = code;
    this.status = status;
    this.refusal = refusalOf(reason);
    this.fields = options.fields && mapped(options.fields, sentenceOf);
    this.#fieldKeys = options.fields && mapped(options.fields, (reason) => refusalOf(reason).key);
    this.retryAfterMs = options.retryAfterMs;
  }

  get retryable(): boolean {
    return this.status === 429 || this.status >= 500;
  }

  toBody(): ErrorBody {
    return {
      message: this.message,
      error: this.message,
      code: this.code,
      ...keyed(this.refusal),
      ...(this.fields ? { fields: this.fields, fieldKeys: this.#fieldKeys } : {}),
    };
  }
}

/** As it stands beside a sentence on the wire. */
export const keyed = ({ key, values }: Refusal): Pick<ErrorBody, 'key' | 'values'> => ({
  key,
  ...(Object.keys(values).length > 0 ? { values } : {}),
});

const mapped = (fields: Readonly<Record<string, Reason>>, map: (reason: Reason) => string) =>
  Object.fromEntries(Object.entries(fields).map(([name, reason]) => [name, map(reason)]));

/** @param fields names of what is wrong with the input, where they can be named */
export const invalidInput = (reason: Reason, ...fields: string[]) =>
  new AppError('invalid-input', 400, reason, inFields(reason, fields));
const inFields = (reason: Reason, names: string[]) =>
  names.length === 0 ? {} : { fields: Object.fromEntries(names.map((name) => [name, reason])) };

export const invalidJson = (reason: Reason = 'common.invalid-json') =>
  new AppError('invalid-json', 400, reason);
export const unauthenticated = () => new AppError('unauthenticated', 401, 'common.sign-in');
export const invalidCredentials = () =>
  new AppError('invalid-credentials', 401, 'accounts.credentials-wrong');
/** For somebody who is signed in and proves it once more; `field` is where they typed it. */
export const wrongPassword = (field: string) =>
  new AppError('invalid-credentials', 401, 'accounts.password-wrong', {
    fields: { [field]: 'accounts.password-wrong' },
  });
/** The password was right, and the account asks for more. */
export const secondFactorNeeded = () => new AppError('second-factor-needed', 401, 'accounts.code-needed');
export const wrongCode = () =>
  new AppError('invalid-credentials', 401, 'accounts.code-wrong', {
    fields: { code: 'accounts.code-wrong' },
  });
/** The ticket or attempt of a sign-in at the identity provider is worth nothing any more, or never was. */
export const startSignInAgain = () => invalidInput('accounts.sign-in-again');
/** An account waits for its person. */
export const choiceNeeded = () => new AppError('choice-needed', 409, 'accounts.start-choice-needed');
/** For somebody who is signed in, where everybody must have one. */
export const secondFactorMissing = () =>
  new AppError('second-factor-missing', 403, 'accounts.second-factor-missing');
export const forbidden = (reason: Reason = 'common.forbidden') => new AppError('forbidden', 403, reason);
/** For a member, of what owners and supervisors of their workspace may do. */
export const forSupervisors = () => forbidden('common.supervisors');
export const notFound = (what: keyof typeof refusals.missing = 'page') =>
  new AppError('not-found', 404, `missing.${what}`);
export const emailTaken = () => new AppError('email-taken', 409, 'accounts.email-taken');
/** For an invitation: an account belongs to one workspace. */
export const alreadyAMember = () => new AppError('email-taken', 409, 'accounts.already-a-member');
export const conversationEnded = () => new AppError('conversation-ended', 409, 'conversations.ended');
export const idempotencyConflict = () => new AppError('idempotency-conflict', 409, 'common.idempotency-used');
export const inLobby = () => new AppError('lobby', 403, 'rooms.in-lobby');
export const payloadTooLarge = (reason: Reason = 'common.body-too-large') =>
  new AppError('payload-too-large', 413, reason);
export const conflict = (reason: Reason) => new AppError('conflict', 409, reason);
export const unsupportedRecording = () =>
  new AppError('unsupported-media-type', 415, 'conversations.recording-unplayable');
export const malicious = (reason: Reason) => new AppError('malicious', 422, reason);
export const unsupportedMediaType = (type = 'application/json') =>
  new AppError('unsupported-media-type', 415, refusal('common.send-as', { type }));
export const rateLimited = (retryAfterMs: number, reason: Reason = 'common.too-many-attempts') =>
  new AppError('rate-limited', 429, reason, { retryAfterMs });
export const unavailable = (reason: Reason, cause?: unknown) =>
  new AppError('unavailable', 503, reason, { cause });
/** What an engine says of its failure, or the server behind it. */
export const inItsWords = ({ message }: { message: string }): Refusal =>
  refusalBehind(message) ?? refusal('engines.said', { text: message });
export const noRoom = (cause?: unknown) => unavailable('common.disk-full', cause);
/** While the server ends. */
export const restarting = () => unavailable('common.restarting');
export const internal = (cause: unknown) => new AppError('internal', 500, 'common.internal', { cause });
