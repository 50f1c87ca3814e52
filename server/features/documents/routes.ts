import multipart from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import { type FastifyPluginAsyncZod, validatorCompiler } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { AppError, invalidInput } from '#server/lib/errors';
import { key, member, scopeOf } from '#server/lib/principal';
import { whileConnected } from '#server/lib/while-connected';
import {
  addressSchema,
  documentBatchSchema,
  documentChangeSchema,
  documentPreviewSchema,
  documentSchema,
  documentWithPassagesSchema,
  FILE_PART,
  newDocumentSchema,
  sharedDocumentSchema,
  writtenDocumentSchema,
} from '#shared/documents';
import { type PlainKey, type Refusal, refusalBehind } from '#shared/refusals/refusal';
import { storable } from '#shared/storable';
import type { UploadedFile } from './read-source.ts';
import type { DocumentsService } from './service.ts';
import { FORM_OPTIONS, fileTooLarge, MAX_FORM_BYTES, readUploadForm } from './upload-form.ts';

/** Any string: a malformed id is answered like a missing one. */
const agentParams = z.object({ id: z.string() });
const params = agentParams.extend({ documentId: z.string() });

/** A text of two million characters, four bytes each, with room for JSON's escapes. */
const TEXT_BODY_BYTES = 10_000_000;

const formSchema = z.object({
  [FILE_PART]: z.file().meta({ description: 'Text, Markdown, HTML, PDF, DOCX or CSV, at most 25 MB.' }),
});

/** `/api/agents/{id}/documents` and `/api/documents`: what agents read besides their company information. */
export const documentsRoutes =
  (documents: DocumentsService): FastifyPluginAsyncZod =>
  async (app) => {
    await app.register(multipart, FORM_OPTIONS);
    const tags = ['Documents'];

    app.get(
      '/api/documents',
      {
        config: { serves: [member(), key('documents:read')] },
        schema: {
          tags,
          summary: 'All your documents, newest first, each with the agents that read it',
          response: { 200: z.array(documentSchema) },
        },
      },
      (request) => documents.all(scopeOf(request.principal)),
    );

    app.get(
      '/api/documents/:documentId',
      {
        config: { serves: [member(), key('documents:read')] },
        schema: {
          tags,
          summary: 'One of your documents, with its passages',
          params: z.object({ documentId: z.string() }),
          response: { 200: documentWithPassagesSchema },
        },
      },
      (request) => documents.get(scopeOf(request.principal), null, request.params.documentId),
    );

    app.get(
      '/api/agents/:id/documents',
      {
        config: { serves: [member(), key('documents:read')] },
        schema: {
          tags,
          summary: 'What an agent reads besides its company information, newest first',
          params: agentParams,
          response: { 200: z.array(documentSchema) },
        },
      },
      (request) => documents.list(scopeOf(request.principal), request.params.id),
    );

    app.get(
      '/api/agents/:id/documents/:documentId',
      {
        config: { serves: [member(), key('documents:read')] },
        schema: {
          tags,
          summary: 'One document, with its passages as the agent reads them',
          params,
          response: { 200: documentWithPassagesSchema },
        },
      },
      (request) => documents.get(scopeOf(request.principal), request.params.id, request.params.documentId),
    );

    app.post(
      '/api/agents/:id/documents',
      {
        config: { serves: [member('supervisor'), key('documents:write')] },
        bodyLimit: TEXT_BODY_BYTES,
        validatorCompiler: (route) =>
          route.httpPart === 'body' ? mended : validatorCompiler({ ...route, schema: agentParams }),
        schema: {
          tags,
          summary: 'Have an agent read a file, a text, an address, or a document of another agent',
          description:
            'A form with one `file`, or JSON. A file is read before the answer; an address, and a sitemap with its pages, soon after it. ' +
            'A document whose `status` is `failed` says why in `problem`.',
          consumes: ['multipart/form-data', 'application/json'],
          params: agentParams,
          body: z.union([formSchema, newDocumentSchema]),
          response: { 201: documentSchema },
        },
      },
      async (request, reply) => {
        const { id } = request.params;
        const scope = scopeOf(request.principal);
        if (request.isMultipart())
          return reply.code(201).send(await documents.addFile(scope, id, () => receive(request)));
        const { body } = request;
        if (has(body, 'documentId')) {
          const { documentId } = checked(sharedDocumentSchema, body);
          return reply.code(201).send(await documents.share(scope, id, documentId));
        }
        if (has(body, 'url')) {
          const { url } = checked(addressSchema, body);
          return reply.code(201).send(await documents.addAddress(scope, id, url));
        }
        const [added] = await documents.addTexts(scope, id, [checked(writtenDocumentSchema, body)]);
        if (!added) throw new Error('A text that was added is gone.');
        return reply.code(201).send(added);
      },
    );

    app.post(
      '/api/agents/:id/documents/batch',
      {
        bodyLimit: TEXT_BODY_BYTES,
        config: {
          serves: [member('supervisor'), key('documents:write')],
          perUser: { count: 20, windowS: 60 },
        },
        schema: {
          tags,
          summary: 'Have an agent read many texts at once',
          params: agentParams,
          body: documentBatchSchema,
          response: { 201: z.array(documentSchema) },
        },
      },
      async (request, reply) =>
        reply
          .code(201)
          .send(
            await documents.addTexts(scopeOf(request.principal), request.params.id, request.body.documents),
          ),
    );

    app.post(
      '/api/agents/:id/documents/preview',
      {
        config: { serves: [member('supervisor')], perUser: { count: 60, windowS: 60 } },
        validatorCompiler: (route) =>
          route.httpPart === 'body' ? () => true : validatorCompiler({ ...route, schema: agentParams }),
        schema: {
          tags,
          summary: 'Read a file or an address as adding it would; nothing is stored',
          description:
            'What comes back can be tried: `documents.add` of `POST /api/agents/{id}/effects` takes its `title` and `parts`.',
          consumes: ['multipart/form-data', 'application/json'],
          params: agentParams,
          body: z.union([formSchema, addressSchema]),
          response: { 200: documentPreviewSchema },
        },
      },
      (request, reply) =>
        documents.preview(
          scopeOf(request.principal),
          request.params.id,
          async () =>
            request.isMultipart()
              ? receive(request)
              : checked(addressSchema, request.body, 'documents.form-to-preview'),
          whileConnected(reply),
        ),
    );

    app.put(
      '/api/agents/:id/documents/:documentId',
      {
        config: { serves: [member('supervisor'), key('documents:write')] },
        bodyLimit: TEXT_BODY_BYTES,
        validatorCompiler: (route) =>
          route.httpPart === 'body' ? mended : validatorCompiler({ ...route, schema: params }),
        schema: {
          tags,
          summary: 'Put a file or a text in the place of a document, for all agents that read it',
          consumes: ['multipart/form-data', 'application/json'],
          params,
          body: z.union([formSchema, writtenDocumentSchema]),
          response: { 200: documentSchema },
        },
      },
      (request) =>
        documents.replace(
          scopeOf(request.principal),
          request.params.id,
          request.params.documentId,
          async () =>
            request.isMultipart() ? receive(request) : checked(writtenDocumentSchema, request.body),
        ),
    );

    app.patch(
      '/api/agents/:id/documents/:documentId',
      {
        config: { serves: [member('supervisor'), key('documents:write')] },
        schema: {
          tags,
          summary: 'Rename a document, or have a page read again every so many days',
          params,
          body: documentChangeSchema,
          response: { 200: documentSchema },
        },
      },
      (request) =>
        documents.change(
          scopeOf(request.principal),
          request.params.id,
          request.params.documentId,
          request.body,
        ),
    );

    app.delete(
      '/api/agents/:id/documents/:documentId',
      {
        config: { serves: [member('supervisor'), key('documents:write')] },
        schema: {
          tags,
          summary: 'The agent no longer reads it; a document that nobody reads is deleted',
          params,
          response: { 204: z.null() },
        },
      },
      async (request, reply) => {
        await documents.remove(scopeOf(request.principal), request.params.id, request.params.documentId);
        return reply.code(204).send(null);
      },
    );

    app.post(
      '/api/agents/:id/documents/:documentId/read-again',
      {
        config: {
          serves: [member('supervisor'), key('documents:write')],
          perUser: { count: 60, windowS: 60 },
        },
        schema: {
          tags,
          summary: 'Fetch a page again, or index a document again',
          params,
          response: { 202: documentSchema },
        },
      },
      async (request, reply) =>
        reply
          .code(202)
          .send(
            await documents.readAgain(
              scopeOf(request.principal),
              request.params.id,
              request.params.documentId,
            ),
          ),
    );
  };

const has = (body: unknown, name: string) => typeof body === 'object' && body !== null && name in body;

/** Repairs the texts of a body for the database: pasted text may hold characters that it refuses. */
function mended(body: unknown): { value: unknown } {
  if (typeof body !== 'object' || body === null) return { value: body };
  const fields = Object.entries(body);
  return {
    value: Object.fromEntries(
      fields.map(([name, each]) => [name, typeof each === 'string' ? storable(each) : each]),
    ),
  };
}

/** Forms are read as a stream outside of validation, so JSON sent instead is checked here. */
function checked<T>(schema: z.ZodType<T>, body: unknown, otherwise: PlainKey = 'documents.form'): T {
  const read = schema.safeParse(body);
  if (read.success) return read.data;
  const fields: Record<string, Refusal> = {};
  for (const { path, message } of read.error.issues) {
    const own = refusalBehind(message);
    if (own) fields[String(path[0] ?? '')] ??= own;
  }
  const [first] = Object.values(fields);
  throw first ? new AppError('invalid-input', 400, first, { fields }) : invalidInput(otherwise);
}

async function receive(request: FastifyRequest): Promise<UploadedFile> {
  if (Number(request.headers['content-length'] ?? 0) > MAX_FORM_BYTES) {
    endFlood(request);
    throw fileTooLarge();
  }
  endFlood(request);
  return { ...(await readUploadForm(request.parts())), from: request.address };
}

/** Closes the connection of a body that continues long after it was refused. */
function endFlood({ raw }: FastifyRequest): void {
  let seen = 0;
  raw.on('data', (chunk: Uint8Array) => {
    seen += chunk.byteLength;
    if (seen > 3 * MAX_FORM_BYTES) raw.destroy();
  });
}
