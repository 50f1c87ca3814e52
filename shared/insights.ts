import { z } from 'zod';
import {
  citationSchema,
  contactSchema,
  modelUseSchema,
  outcomeSchema,
  sentimentSchema,
  statsSchema,
} from './conversations.ts';
import { refusal, sentenceOf } from './refusals/refusal.ts';

/** Numbers of days that the dashboard can show. */
export const periods = [7, 30, 90] as const;
export type Period = (typeof periods)[number];
export const DEFAULT_PERIOD: Period = 30;

const noTimeZone = sentenceOf('insights.time-zone');

/** Whether this is the IANA name of a time zone. Offsets such as "+02:00" are not, because they have no summer time. */
function isTimeZone(name: string): boolean {
  try {
    return /^[A-Za-z]/.test(name) && new Intl.DateTimeFormat('en', { timeZone: name }) !== null;
  } catch {
    return false;
  }
}

export const statsQuerySchema = z.object({
  /** The viewer's time zone, in which days are counted. */
  tz: z
    .string(noTimeZone)
    .max(64, noTimeZone)
    .refine(isTimeZone, noTimeZone)
    .default('UTC')
    .meta({
      description: 'IANA name of the time zone that days are counted in',
      examples: ['Europe/Berlin'],
    }),
  days: z
    .enum(['7', '30', '90'], sentenceOf('insights.period'))
    .default('30')
    .meta({ description: 'How many days `daily` covers, today included' }),
});
export type StatsQuery = z.infer<typeof statsQuerySchema>;

/** The conversations that began on one calendar day of the viewer, by their current label and outcome. */
export const dayOfCallsSchema = z.object({
  date: z.iso.date(),
  calls: z.number().int(),
  sentiment: z.record(sentimentSchema, z.number().int()),
  outcome: z.record(outcomeSchema, z.number().int()).optional(),
});

export const urgentConversationSchema = z.object({
  _id: z.string(),
  title: z.string(),
  /** Time of its last message. */
  when: z.iso.datetime(),
});

/** A conversation left to a colleague, with the customer's contact details. */
const needsColleagueSchema = urgentConversationSchema.extend({ contact: contactSchema.optional() });

/** The Stats entity, and the dashboard's figures over time. */
export const insightsSchema = statsSchema.extend({
  /** Every day of the period, oldest first, including days without calls; the last one is today. */
  daily: z.array(dayOfCallsSchema),
  /** The newest conversations labelled urgent, newest first. */
  urgentConversations: z.array(urgentConversationSchema),
  /** The newest conversations whose outcome is `handover`, newest first. */
  needsColleague: z.array(needsColleagueSchema).optional(),
});
export type Insights = z.infer<typeof insightsSchema>;

const MAX_MONTHS = 24;
const noMonths = sentenceOf(refusal('insights.months', { max: MAX_MONTHS }));

export const modelUsageQuerySchema = z.object({
  months: z.coerce
    .number(noMonths)
    .int(noMonths)
    .min(1, noMonths)
    .max(MAX_MONTHS, noMonths)
    .default(2)
    .meta({ description: 'How many months, this one included' }),
});

const monthOfModelSchema = modelUseSchema.extend({
  month: z.string().regex(/^\d{4}-\d{2}$/),
  model: z.string(),
  /** Turns that asked the model, including speculative ones that were never used. */
  turns: z.number().int(),
});
export type MonthOfModel = z.infer<typeof monthOfModelSchema>;

/** Answer of GET /api/insights/usage. */
export const modelUsageSchema = z.object({
  /** All accounts for an owner. */
  scope: z.enum(['installation', 'account']),
  /** Latest month first, one row for each model. */
  months: z.array(monthOfModelSchema),
  today: z.object({
    tokens: z.number().int(),
    /** The daily limit for all accounts together; null without one, or if the requester may not see it. */
    limit: z.number().int().nullable(),
    /** The limit is reached: the embedded reader answers. */
    isSpent: z.boolean(),
  }),
});
export type ModelUsage = z.infer<typeof modelUsageSchema>;

/** The model use of a turn, as written into an archive. */
export interface TurnModelUse extends z.infer<typeof modelUseSchema> {
  at: string;
  /** The customer's message; absent for a speculative answer to a message that never came. */
  messageId?: string;
  model: string;
}

const DEFAULT_UNANSWERED = 50;
const MAX_UNANSWERED = 100;
const noLimit = sentenceOf(refusal('common.limit', { max: MAX_UNANSWERED }));

export const unansweredQuerySchema = z.object({
  limit: z.coerce
    .number(noLimit)
    .int(noLimit)
    .min(1, noLimit)
    .max(MAX_UNANSWERED, noLimit)
    .default(DEFAULT_UNANSWERED),
});

/**
 * Questions of one meaning that agents declined, or whose offer did not help. Answer of GET /api/insights/unanswered.
 */
export const unansweredSchema = z.object({
  _id: z.string(),
  /** The newest of them, in the customer's words. */
  question: z.string(),
  count: z.number().int(),
  lastAsked: z.iso.datetime(),
  /** Null: the demo agent, whose information cannot be changed. */
  agentId: z.string().nullable(),
  agentName: z.string(),
  /** Ids of their conversations, newest first. */
  conversations: z.array(z.string()),
});
export type Unanswered = z.infer<typeof unansweredSchema>;

export const MAX_WRITTEN_ANSWER = 4_000;

/** Body of POST /api/insights/unanswered/{id}/answer. */
export const writtenAnswerSchema = z.object({
  answer: z
    .string()
    .trim()
    .min(1, sentenceOf('insights.answer-missing'))
    .max(MAX_WRITTEN_ANSWER, sentenceOf(refusal('common.answer-too-long', { max: MAX_WRITTEN_ANSWER }))),
});

/** The agent's answer to the question with the new information. */
export const answeredNowSchema = z.object({
  message: z.string(),
  citations: z.array(citationSchema),
  outcome: outcomeSchema,
});
export type AnsweredNow = z.infer<typeof answeredNowSchema>;
