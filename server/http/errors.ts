import type { FastifyError } from 'fastify';
import { hasZodFastifySchemaValidationErrors, isResponseSerializationError } from 'fastify-type-provider-zod';
import { appErrorOf } from '#server/lib/app-error-of';
import { codeOf } from '#server/lib/error-code';
import {
  AppError,
  internal,
  invalidInput,
  notFound,
  payloadTooLarge,
  unsupportedMediaType,
} from '#server/lib/errors';
import { type Reason, refusal, refusalBehind } from '#shared/refusals/refusal';
import type { RefusalKey } from '#shared/refusals/refusals';

/** Converts anything a route threw into the refusal that its client sees, without internal details. */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError || !(error instanceof Error)) return appErrorOf(error);
  if (hasZodFastifySchemaValidationErrors(error)) return refuseInput(error);
  if (isResponseSerializationError(error)) return internal(error);
  const code = codeOf(error);
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return payloadTooLarge();
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return unsupportedMediaType();
  if (code === 'FST_ERR_CTP_INVALID_CONTENT_LENGTH' || isAborted(error))
    return invalidInput('common.body-cut-off');
  // Names set by the file server for failed conditions and ranges (RFC 9110).
  if (error.name === 'PreconditionFailedError') return new AppError('conflict', 412, 'common.file-changed');
  if (error.name === 'RangeNotSatisfiableError')
    return new AppError('invalid-input', 416, 'common.file-ends-before');
  return appErrorOf(error);
}

type ValidationError = Omit<FastifyError, 'validation'> & {
  validation: { instancePath: string; message?: string }[];
};

function refuseInput(error: ValidationError): AppError {
  // A malformed id in the path belongs to nothing.
  if (error.validationContext === 'params') return notFound();
  const fields: Record<string, Reason> = {};
  for (const { instancePath, message } of error.validation) {
    const name = instancePath.split('/').slice(1).join('.');
    if (name) fields[name] ??= reasonFor(name, message);
  }
  const [first] = Object.values(fields);
  if (!first) return invalidInput('common.send-object');
  return new AppError('invalid-input', 400, first, { fields });
}

/**
 * Our own rules bring their sentence; the schema library's messages ("Invalid input: expected …") are not
 * meant for people.
 */
function reasonFor(name: string, message = ''): Reason {
  const own = refusalBehind(message);
  if (own) return own;
  const [, expected = '', received] = /expected (\w+), received (\w+)/.exec(message) ?? [];
  if (received === 'undefined') return refusal('common.field-missing', { name });
  return refusal(kinds.get(expected) ?? 'common.field-wrong', { name });
}

type FieldKey = Extract<RefusalKey, `common.field-must-be-${string}`>;

const kinds = new Map<string, FieldKey>([
  ['string', 'common.field-must-be-text'],
  ['number', 'common.field-must-be-number'],
  ['int', 'common.field-must-be-whole-number'],
  ['boolean', 'common.field-must-be-boolean'],
  ['array', 'common.field-must-be-list'],
  ['object', 'common.field-must-be-object'],
]);

/** The client disconnected in the middle of the body: the only reset to which Fastify gives a status. */
const isAborted = (error: Error) =>
  codeOf(error) === 'ECONNRESET' && 'statusCode' in error && error.statusCode === 400;
