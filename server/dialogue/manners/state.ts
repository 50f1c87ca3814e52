import { z } from 'zod';
import type { ExpectedAnswer } from '#server/languages/turn-taking';
import { contactSchema } from '#shared/conversations';
import type { DialogueMessage } from '../contract.ts';

const citation = z.object({ text: z.string(), source: z.string(), documentId: z.string().optional() });

/** A candidate for the next answer: sentences with their citations, and a spoken name for it. */
const tellable = z.object({
  topic: z.string(),
  sentences: z.array(z.string()),
  citations: z.array(citation),
});
export type Tellable = z.infer<typeof tellable>;

const pending = z.discriminatedUnion('is', [
  /** The closest passage was offered: is it meant? `others` come next if not. */
  z.object({
    is: z.literal('offer'),
    question: z.string(),
    told: tellable,
    /** Its part that was not said yet. */
    rest: tellable.optional(),
    others: z.array(tellable),
  }),
  /** Which of these topics is meant? */
  z.object({
    is: z.literal('choice'),
    question: z.string(),
    options: z.array(z.object({ label: z.string(), passages: z.array(z.number()) })),
  }),
  /** Whether a colleague should contact the customer. */
  z.object({ is: z.literal('colleague') }),
  /** The customer's name or contact details. */
  z.object({
    is: z.literal('contact'),
    asked: z.enum(['name', 'phone']),
    /** Parts told so far, in the customer's words. */
    heard: z.array(z.string()).optional(),
  }),
  /** An input of an action, or, without `asked`, whether to run it. */
  z.object({
    is: z.literal('action'),
    actionId: z.string(),
    given: z.record(z.string(), z.string()),
    asked: z.string().nullable(),
    /** The expected kind of answer, for endpointing. */
    expects: z.enum(['code', 'email', 'phone', 'short', 'anything', 'yes-or-no']),
    /** Failed answers in a row. */
    misses: z.number(),
    /** Another person in the room was asked since: a yes may be meant for that. */
    isOvertaken: z.boolean().optional(),
  }),
  /** More words about the problem. */
  z.object({ is: z.literal('more'), question: z.string() }),
]);

/** The topic of the talk, shared by everybody in a room. */
const topicSchema = z.object({
  /** The last question, with its dependencies: later questions may depend on it. */
  question: z.string().nullable(),
  /** The last question by itself. */
  own: z.string().nullable(),
  /** The last answer: it is not told again. */
  told: z.array(z.string()),
  /** Its topic, in spoken words. */
  about: z.string().nullable().default(null),
  /** The heading of the topic, if the customer named one. */
  section: z.string().nullable(),
  /** The customer chose this topic. */
  isFocused: z.boolean(),
  /** Replies without an answer in a row. */
  unanswered: z.number(),
});

const stateSchema = topicSchema.extend({
  version: z.literal(1),
  pending: pending.nullable(),
  contact: contactSchema,
  /** Their last question without an answer. */
  open: z.string().nullable().default(null),
  /** Whether a colleague will contact the customer. */
  isHandedOver: z.boolean(),
  /** The rest of the last answer, for a customer who asks for more. */
  further: tellable.nullable().default(null),
  /** Values for inputs of actions so far, by type and label: they fill the next action, too. */
  known: z.record(z.string(), z.string()).default({}),
  /** The reply was about this customer's own records. */
  isPersonal: z.boolean().default(false),
});
export type DialogueState = z.infer<typeof stateSchema>;
export type Pending = NonNullable<DialogueState['pending']>;

/** The part of a state for other people in the room. */
const overheardSchema = z.object({
  version: z.literal(1),
  /** Null: the reply was about one customer's own records. */
  topic: topicSchema.nullable(),
  /** Whether the reply asked for an answer. */
  asks: z.boolean(),
});
type Overheard = z.infer<typeof overheardSchema>;

const nothing: DialogueState = {
  version: 1,
  question: null,
  own: null,
  told: [],
  about: null,
  section: null,
  isFocused: false,
  pending: null,
  contact: {},
  open: null,
  isHandedOver: false,
  further: null,
  unanswered: 0,
  known: {},
  isPersonal: false,
};

/** The expected kind of answer to a pending question; null without a particular one. */
export function answerTo(asked: Pending | null): ExpectedAnswer | null {
  switch (asked?.is) {
    case 'offer':
    case 'colleague':
      return 'yes-or-no';
    case 'choice':
      return 'short';
    case 'contact':
      return asked.asked === 'phone' ? 'phone' : 'short';
    case 'action':
      return asked.expects;
    case 'more':
      return 'anything';
    case undefined:
      return null;
  }
}

/**
 * The state after the latest reply to this customer. In a room the talk may have continued with others: then its topic
 * is the newest one, unless the customer has a pending question. Without a state (a talk from elsewhere), the last
 * question is read from the history.
 */
export function stateFrom(history: readonly DialogueMessage[]): DialogueState {
  const replies = history.filter(({ role }) => role === 'assistant');
  const at = replies.findLastIndex(({ isOthers }) => !isOthers);
  const own = stateSchema.safeParse(replies[at]?.state);
  const overheard = replies.slice(at + 1).flatMap((reply) => overheardIn(reply) ?? []);
  const topic = overheard.findLast((each) => each.topic !== null)?.topic;
  if (!own.success) return { ...nothing, ...(topic ?? asked(history)) };
  const { pending } = own.data;
  if (pending === null) return { ...own.data, ...topic };
  const isOvertaken = pending.is === 'action' && overheard.some(({ asks }) => asks);
  return { ...own.data, ...(isOvertaken ? { pending: { ...pending, isOvertaken } } : {}) };
}

function asked(history: readonly DialogueMessage[]): Pick<DialogueState, 'question' | 'own'> {
  const questions = history.flatMap(({ role, content }) => (role === 'user' && content ? [content] : []));
  return {
    question: questions.slice(-2).join(' ').slice(-400) || null,
    own: questions.at(-1)?.slice(-300) ?? null,
  };
}

/** Whether the last reply asked another person in the room a question. */
export function isAskedOfAnother(history: readonly DialogueMessage[]): boolean {
  const last = history.findLast(({ role }) => role === 'assistant');
  return last !== undefined && overheardIn(last)?.asks === true;
}

/** The part of a state after a reply that other people in a room may know. */
export function stateForOthers(state: DialogueState): Overheard {
  return {
    version: 1,
    topic: state.isPersonal ? null : topicSchema.parse(state),
    asks: state.pending !== null,
  };
}

/** Omits other people's questions and answers about their own records. */
export function withoutOthersRecords(history: readonly DialogueMessage[]): DialogueMessage[] {
  const isTheirRecords = (message: DialogueMessage | undefined) =>
    message?.role === 'assistant' && message.isOthers === true && !overheardIn(message)?.topic;
  return history.map((message, place) =>
    // Each reply comes after its question.
    isTheirRecords(message) ||
    (message.role === 'user' && message.isOthers && isTheirRecords(history[place + 1]))
      ? { ...message, content: '' }
      : message,
  );
}

/** Whether a message is about the customer's own records. */
export const isOfOwnRecords = ({ role, isOthers, state }: DialogueMessage): boolean =>
  role === 'assistant' && !isOthers && stateSchema.safeParse(state).data?.isPersonal === true;

function overheardIn({ isOthers, state }: DialogueMessage): Overheard | undefined {
  return isOthers ? overheardSchema.safeParse(state).data : undefined;
}
