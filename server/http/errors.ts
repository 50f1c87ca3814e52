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

/** Converts anything a route threw into the refusal that its client sees, without internal details. */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError || !(error instanceof Error)) return appErrorOf(error);
  if (hasZodFastifySchemaValidationErrors(error)) return refuseInput(error);
  if (isResponseSerializationError(error)) return internal(error);
  const code = codeOf(error);
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return payloadTooLarge();
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return unsupportedMediaType();
  if (code === 'FST_ERR_CTP_INVALID_CONTENT_LENGTH' || isAborted(error))
    return invalidInput('The request body was cut off.');
  // Names set by the file server for failed conditions and ranges (RFC 9110).
  if (error.name === 'PreconditionFailedError')
    return new AppError('conflict', 412, 'This file is not the one you asked for any more.');
  if (error.name === 'RangeNotSatisfiableError')
    return new AppError('invalid-input', 416, 'This file ends before that.');
  return appErrorOf(error);
}

type ValidationError = Omit<FastifyError, 'validation'> & {
  validation: { instancePath: string; message?: string }[];
};

function refuseInput(error: ValidationError): AppError {
  // A malformed id in the path belongs to nothing.
  if (error.validationContext === 'params') return notFound();
  const fields: Record<string, string> = {};
  for (const { instancePath, message } of error.validation) {
    const name = instancePath.split('/').slice(1).join('.');
    if (name) fields[name] ??= sentence(name, message);
  }
  const [first] = Object.values(fields);
  if (!first) return invalidInput('Send a JSON object.');
  return invalidInput(first, fields);
}

/**
 * Our own rules bring their sentence; the schema library's messages ("Invalid input: expected …") are not
 * meant for people.
 */
function sentence(name: string, message = ''): string {
  if (/^[A-Z].*\.$/.test(message)) return message;
  const [, expected = '', received] = /expected (\w+), received (\w+)/.exec(message) ?? [];
  if (received === 'undefined') return `The field "${name}" is missing.`;
  const kind = kinds[expected];
  return kind ? `The field "${name}" must be ${kind}.` : `The field "${name}" is not as it should be.`;
}

const kinds: Record<string, string> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
};

/** The client disconnected in the middle of the body: the only reset to which Fastify gives a status. */
const isAborted = (error: Error) =>
  codeOf(error) === 'ECONNRESET' && 'statusCode' in error && error.statusCode === 400;
