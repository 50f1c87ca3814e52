import { EngineError } from '#server/lib/engine-error';
import { codeOf } from '#server/lib/error-code';

/** Why a fetch failed: `message` is the second half of a sentence that begins "… is not here yet because". */
export class FetchFailure extends Error {
  override readonly name = 'FetchFailure';
  /** Whether a retry soon can help, or only one after somebody fixed something. */
  readonly soon: boolean;

  constructor(message: string, options: { soon: boolean }) {
    super(message);
    this.soon = options.soon;
  }
}

/** The registry requires credentials, which only the npm client can read from the user's settings. */
export class CredentialsNeeded extends FetchFailure {
  constructor() {
    super('the npm registry asks for credentials that npm does not have (see npm login)', { soon: false });
  }
}

const notWritable = 'the folder MODELS_DIR cannot be written';

const REGISTRY = 'the npm registry';

function reasonsOf(from: string): Readonly<Record<string, string>> {
  const unreachable = `${from} cannot be reached`;
  const untrusted = `the certificate of ${from} is not trusted (see npm's setting cafile)`;
  const silent = `${from} does not answer`;
  const broke = `the connection to ${from} broke`;
  const full = `the disk of MODELS_DIR is full${from === REGISTRY ? ' (300 MB are needed)' : ''}`;
  return {
    ENOTFOUND: unreachable,
    EAI_AGAIN: unreachable,
    ECONNREFUSED: unreachable,
    EHOSTUNREACH: unreachable,
    EHOSTDOWN: unreachable,
    ENETUNREACH: unreachable,
    ENETDOWN: unreachable,
    ETIMEDOUT: silent,
    ECONNECTIONTIMEOUT: silent,
    EIDLETIMEOUT: silent,
    ERESPONSETIMEOUT: silent,
    ETRANSFERTIMEOUT: silent,
    ECONNRESET: broke,
    EPIPE: broke,
    ERR_STREAM_PREMATURE_CLOSE: broke,
    EINVALIDPROXY: "npm's proxy setting is wrong",
    CERT_HAS_EXPIRED: untrusted,
    SELF_SIGNED_CERT_IN_CHAIN: untrusted,
    DEPTH_ZERO_SELF_SIGNED_CERT: untrusted,
    UNABLE_TO_VERIFY_LEAF_SIGNATURE: untrusted,
    UNABLE_TO_GET_ISSUER_CERT: untrusted,
    UNABLE_TO_GET_ISSUER_CERT_LOCALLY: untrusted,
    ERR_TLS_CERT_ALTNAME_INVALID: untrusted,
    ENOSPC: full,
    EDQUOT: full,
    EACCES: notWritable,
    EPERM: notWritable,
    EROFS: notWritable,
    ENOTDIR: notWritable,
    EEXIST: notWritable,
    EBUSY: 'another program holds the files in MODELS_DIR',
    EMFILE: 'too many files are open on this machine',
  };
}

/**
 * Turns any error of a fetch into the second half of a sentence, without addresses or paths.
 * @param from name of the source in the sentence
 */
export function reasonOf(error: unknown, from: string = REGISTRY): string {
  if (error instanceof FetchFailure || error instanceof EngineError) return error.message;
  const code = codeOf(error);
  const known = reasonsOf(from)[code];
  if (known) return known;
  const status = /^E(\d{3})$/.exec(code ?? '')?.[1];
  if (status) return `${from} answered with the error ${status}`;
  if (error instanceof Error && error.name === 'FetchError') return `${from} cannot be reached`;
  return `of an unexpected error${code ? ` (${code})` : ''}`;
}

/** Whether the same attempt may succeed in a moment by itself. */
export function passesSoon(error: unknown): boolean {
  if (error instanceof FetchFailure) return error.soon;
  if (error instanceof EngineError) return error.retryable;
  return reasonOf(error) !== notWritable;
}

/** The HTTP status that caused the failure, if any. */
export const statusOf = (error: unknown): number | null =>
  error instanceof Error && 'statusCode' in error && typeof error.statusCode === 'number'
    ? error.statusCode
    : null;
