import type { ErrorBody, ErrorCode } from '#shared/errors';

/**
 * A refusal with a sentence that is safe to show. Made by the named factories below;
 * turned into an answer in one place each: http/ for requests, realtime/ for socket events.
 */
export class AppError extends Error {
  override readonly name = 'AppError';
  readonly code: ErrorCode;
  readonly status: number;
  readonly fields: Record<string, string> | undefined;
  readonly retryAfterMs: number | undefined;

  constructor(
    code: ErrorCode,
    status: number,
    message: string,
    options: { fields?: Record<string, string>; retryAfterMs?: number; cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause });
    this.code = code;
    this.status = status;
    this.fields = options.fields;
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
      ...(this.fields ? { fields: this.fields } : {}),
    };
  }
}

export const invalidInput = (message: string, fields?: Record<string, string>) =>
  new AppError('invalid-input', 400, message, fields ? { fields } : {});
export const invalidJson = (message = 'The request body is not valid JSON.') =>
  new AppError('invalid-json', 400, message);
export const unauthenticated = () => new AppError('unauthenticated', 401, 'Please sign in to continue.');
export const invalidCredentials = () =>
  new AppError('invalid-credentials', 401, 'Invalid email or password.');
/** For somebody who is signed in and proves it once more; `field` is where they typed it. */
export const wrongPassword = (field: string) => {
  const sentence = 'This is not your current password.';
  return new AppError('invalid-credentials', 401, sentence, { fields: { [field]: sentence } });
};
/** The password was right, and the account asks for more. */
export const secondFactorNeeded = () =>
  new AppError('second-factor-needed', 401, 'Enter the code of your authenticator app, too.');
export const wrongCode = () => {
  const sentence = 'This code is wrong, was used already or is too old.';
  return new AppError('invalid-credentials', 401, sentence, { fields: { code: sentence } });
};
/** The ticket or attempt of a sign-in at the identity provider is worth nothing any more, or never was. */
export const startSignInAgain = () =>
  invalidInput('This sign-in has taken too long, was used already or began elsewhere. Start it again.');
/** An account waits for its person. */
export const choiceNeeded = () =>
  new AppError(
    'choice-needed',
    409,
    'An account with your email address exists already, made by somebody who did not confirm the address. Say whether to start empty or to take over what is in it.',
  );
/** For somebody who is signed in, where everybody must have one. */
export const secondFactorMissing = () =>
  new AppError('second-factor-missing', 403, 'Set up a second factor first: everybody here needs one.');
export const forbidden = (message = 'You may not see this.') => new AppError('forbidden', 403, message);
/** For a member, of what owners and supervisors of their workspace may do. */
export const forSupervisors = () => forbidden('Only an owner or a supervisor of this workspace may do this.');
export const notFound = (what = 'page') => new AppError('not-found', 404, `This ${what} does not exist.`);
export const emailTaken = () =>
  new AppError('email-taken', 409, 'An account with this email already exists.');
/** For an invitation: an account belongs to one workspace. */
export const alreadyAMember = () =>
  new AppError(
    'email-taken',
    409,
    'Somebody with this email address has an account already, and an account belongs to one workspace. Invite another address of theirs, or have them delete that account first.',
  );
export const conversationEnded = () =>
  new AppError('conversation-ended', 409, 'This conversation has ended. Start a new call to go on.');
export const idempotencyConflict = () =>
  new AppError('idempotency-conflict', 409, 'This Idempotency-Key was already used with another request.');
export const inLobby = () =>
  new AppError('lobby', 403, 'The owner of this room has been asked to let you in. Please wait.');
export const payloadTooLarge = (message = 'This request is too large.') =>
  new AppError('payload-too-large', 413, message);
export const conflict = (message: string) => new AppError('conflict', 409, message);
export const unsupportedRecording = () =>
  new AppError(
    'unsupported-media-type',
    415,
    'This is no recording that can be played. Send WebM, Ogg, MP4, WAV or MP3.',
  );
/** @param name what the scanner knows it as */
export const malicious = (what: string, name: string) =>
  new AppError(
    'malicious',
    422,
    `This ${what} is malicious (${name}), so nothing of it was kept. Look for viruses where it comes from, and send a clean one.`,
  );
export const unsupportedMediaType = (type = 'application/json') =>
  new AppError('unsupported-media-type', 415, `Send this request as ${type}.`);
export const rateLimited = (retryAfterMs: number) =>
  new AppError('rate-limited', 429, 'Too many attempts. Please wait a moment and try again.', {
    retryAfterMs,
  });
export const unavailable = (message: string, cause?: unknown) =>
  new AppError('unavailable', 503, message, { cause });
export const noRoom = (cause?: unknown) =>
  unavailable(
    'There is no room left on the disk: everything can be read, and nothing can be saved until whoever runs Sigma has made room.',
    cause,
  );
/** While the server ends. */
export const restarting = () => unavailable('Sigma is restarting. Please try again in a moment.');
export const internal = (cause: unknown) =>
  new AppError('internal', 500, 'Something went wrong on our side. Please try again.', { cause });
