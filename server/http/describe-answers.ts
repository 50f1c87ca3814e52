import { z } from 'zod';

const descriptions: Record<string, string> = {
  '200': 'Done.',
  '201': 'Created.',
  '204': 'Done; there is nothing to say.',
  '206': 'The part that was asked for.',
  '4XX':
    'Refused; `code` says why for programs, `message` for people, `fields` which parts of the input are wrong. `key` names the sentence, for clients that translate it.',
  '5XX': 'It could not be done; trying again later may help.',
};

const answerSchema = z.looseObject({ description: z.string() });
const operationSchema = z.looseObject({ responses: z.record(z.string(), answerSchema).optional() });

/** The generator's placeholder for a response without a description. */
const UNDESCRIBED = 'Default Response';

/**
 * Describes every response in an OpenAPI document, and marks responses without a body.
 * @returns the same document, changed in place
 */
export function describeAnswers<T extends { paths?: object | undefined }>(document: T): T {
  for (const path of Object.values(document.paths ?? {}))
    for (const operation of Object.values(path ?? {})) {
      const { responses = {} } = operationSchema.safeParse(operation).data ?? {};
      for (const [status, answer] of Object.entries(responses)) {
        if (answer.description === UNDESCRIBED) answer.description = descriptions[status] ?? 'An answer.';
        if (status === '204') delete answer.content;
      }
      if (typeof operation === 'object' && operation !== null) Object.assign(operation, { responses });
    }
  return document;
}
