import type { ErrorCode } from '#shared/errors';
import { t } from '#web/texts/common';

/** A refused or failed request. `message` is a sentence for people; `status` 0 means that no answer came. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly code: ErrorCode | 'network' | 'bad-answer';
  readonly fields: Record<string, string>;
  /** The server's own sentence; null if it sent none. */
  readonly serverMessage: string | null;

  constructor(
    status: number,
    code: ApiError['code'],
    message: string,
    options: { fields?: Record<string, string> | undefined; serverMessage?: string; cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause });
    this.status = status;
    this.code = code;
    this.fields = options.fields ?? {};
    this.serverMessage = options.serverMessage ?? null;
  }

  /** The error when no answer came. */
  static unreachable(cause: unknown): ApiError {
    return new ApiError(0, 'network', t('unreachable'), {
      cause,
    });
  }
}
