import { z } from 'zod';
import { refusal, sentenceOf } from './refusals/refusal.ts';
import { storable } from './storable.ts';

/** Kinds of files, recognised by their bytes, else by their name. */
const fileKinds = ['text', 'markdown', 'html', 'pdf', 'docx', 'csv'] as const;
export type FileKind = (typeof fileKinds)[number];

/** `page`: a web address, or all pages of a sitemap. */
const documentKindSchema = z.enum([...fileKinds, 'page']);
export type DocumentKind = z.infer<typeof documentKindSchema>;

/** Name of the part of POST /api/agents/{id}/documents that holds a file. */
export const FILE_PART = 'file';
/** The largest file, in bytes. */
export const MAX_FILE_BYTES = 25 * 1024 * 1024;
export const FILE_TOO_LARGE = refusal('documents.file-too-large', { megabytes: 25 });
/** Characters read of one document. */
export const MAX_DOCUMENT_CHARACTERS = 2_000_000;
const MAX_TITLE_CHARACTERS = 200;
/** The most texts in one request. */
const MAX_BATCH = 1_000;
const MAX_ADDRESS_CHARACTERS = 2_000;

export const documentSchema = z.object({
  _id: z.string(),
  title: z.string(),
  kind: documentKindSchema,
  /** Its file name or address. */
  source: z.string().optional(),
  /** `indexing`: being read. `ready`: in use by the agents. `failed`: it has no readable text. */
  status: z.enum(['indexing', 'ready', 'failed']),
  /** One sentence: why it failed, or what could not be read the last time. */
  problem: z.string().optional(),
  characters: z.number().int(),
  passages: z.number().int(),
  createdAt: z.iso.datetime(),
  /** When its text was last read from its source. */
  readAt: z.iso.datetime().optional(),
  /** Days until a page is read again. */
  readEveryDays: z.number().int().optional(),
  /** All agents that read it. */
  agentIds: z.array(z.string()),
});
export type KnowledgeDocument = z.infer<typeof documentSchema>;

/** A document with its passages, as the agent reads them. */
export const documentWithPassagesSchema = documentSchema.extend({
  passages: z.array(z.object({ _id: z.string(), heading: z.string(), text: z.string() })),
});
export type DocumentWithPassages = z.infer<typeof documentWithPassagesSchema>;

/** Answer of POST /api/agents/{id}/documents/preview: the content of a file or an address, before it is added. */
export const documentPreviewSchema = z.object({
  title: z.string(),
  kind: documentKindSchema,
  characters: z.number().int(),
  /** Passages that an agent would read. */
  passages: z.number().int(),
  /** The pages of a sitemap; otherwise one part. */
  parts: z.array(z.object({ title: z.string().nullable(), text: z.string() })),
  /** One sentence: what could not be read. */
  problem: z.string().optional(),
});
export type DocumentPreview = z.infer<typeof documentPreviewSchema>;

const titleSchema = z
  .string()
  .overwrite(storable)
  .trim()
  .min(1, sentenceOf('documents.title-missing'))
  .max(MAX_TITLE_CHARACTERS, sentenceOf(refusal('documents.title-too-long', { max: MAX_TITLE_CHARACTERS })));
const textSchema = z
  .string()
  .overwrite(storable)
  .refine((text) => text.trim().length > 0, sentenceOf('documents.text-missing'))
  .refine(
    (text) => text.length <= MAX_DOCUMENT_CHARACTERS,
    sentenceOf(refusal('documents.text-too-long', { max: MAX_DOCUMENT_CHARACTERS })),
  );

export const writtenDocumentSchema = z.object({ title: titleSchema, text: textSchema });
export type WrittenDocument = z.infer<typeof writtenDocumentSchema>;

/** A document to try: a text, or the parts from a preview. */
export const triedDocumentSchema = z.union(
  [
    writtenDocumentSchema,
    z.object({
      title: titleSchema,
      parts: documentPreviewSchema.shape.parts.refine(
        (parts) => parts.reduce((all, { text }) => all + text.length, 0) <= MAX_DOCUMENT_CHARACTERS,
        sentenceOf(refusal('documents.parts-too-long', { max: MAX_DOCUMENT_CHARACTERS })),
      ),
    }),
  ],
  sentenceOf('documents.text-or-parts'),
);

export const addressSchema = z.object({
  url: z
    .string()
    .trim()
    .min(1, sentenceOf('documents.url-missing'))
    .max(MAX_ADDRESS_CHARACTERS, sentenceOf('documents.url-too-long')),
});
export const sharedDocumentSchema = z.object({ documentId: z.string() });

/** Body of POST /api/agents/{id}/documents except for files: a text, an address, or a document of another agent. */
export const newDocumentSchema = z.union([writtenDocumentSchema, addressSchema, sharedDocumentSchema]);
export type NewDocument = z.infer<typeof newDocumentSchema>;

/** Body of POST /api/agents/{id}/documents/batch. */
export const documentBatchSchema = z.object({
  documents: z
    .array(writtenDocumentSchema)
    .min(1, sentenceOf('documents.batch-empty'))
    .max(MAX_BATCH, sentenceOf(refusal('documents.batch-too-many', { max: MAX_BATCH }))),
});

const MAX_DAYS = 365;
const daysInRange = sentenceOf(refusal('documents.days-range', { max: MAX_DAYS }));

/** Body of PATCH /api/agents/{id}/documents/{documentId}. */
export const documentChangeSchema = z.object({
  title: titleSchema.optional(),
  /** null: never automatically. */
  readEveryDays: z
    .number(sentenceOf('documents.days'))
    .int(sentenceOf('documents.days-whole'))
    .min(1, daysInRange)
    .max(MAX_DAYS, daysInRange)
    .nullable()
    .optional(),
});
export type DocumentChange = z.infer<typeof documentChangeSchema>;
