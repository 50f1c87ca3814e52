import { z } from 'zod';
import type { ExpectedAnswer } from '#server/languages/turn-taking';
import { contactSchema } from '#shared/conversations';
import type { DialogueMessage } from '../contract.ts';

const citation = z.object({ text: z.string(), source: z.string(), documentId: z.string().optional() });

/** Something that could be told next: sentences with what they quote, and a name for it in spoken words. */
const tellable = z.object({
  topic: z.string(),
  sentences: z.array(z.string()),
  citations: z.array(citation),
});
export type Tellable = z.infer<typeof tellable>;

const pending = z.discriminatedUnion('is', [
  /** The closest passage was named: is it what they meant? `others` come next if it is not. */
  z.object({
    is: z.literal('offer'),
    question: z.string(),
    told: tellable,
    /** What belongs to it and was not said yet. */
    rest: tellable.optional(),
    others: z.array(tellable),
  }),
  /** Which of these is it about? */
  z.object({
    is: z.literal('choice'),
    question: z.string(),
    options: z.array(z.object({ label: z.string(), passages: z.array(z.number()) })),
  }),
  /** Whether a colleague shall get back to them. */
  z.object({ is: z.literal('colleague') }),
  /** Their name, or how they can be reached. */
  z.object({
    is: z.literal('contact'),
    asked: z.enum(['name', 'phone']),
    /** Parts of it that were told so far, as they were said. */
    heard: z.array(z.string()).optional(),
  }),
  /** An input of an action, or, where none is `asked`, whether it is to be done. */
  z.object({
    is: z.literal('action'),
    actionId: z.string(),
    given: z.record(z.string(), z.string()),
    asked: z.string().nullable(),
    /** What the customer is asked for, so that it is waited for. */
    expects: z.enum(['code', 'email', 'phone', 'short', 'anything', 'yes-or-no']),
    /** Answers in a row that were none. */
    misses: z.number(),
    /** Somebody else in the room was asked something since: a yes may be meant for that. */
    isOvertaken: z.boolean().optional(),
  }),
  /** What their problem is, in more words. */
  z.object({ is: z.literal('more'), question: z.string() }),
]);

/** What the talk is about: in a room everybody goes on from it. */
const topicSchema = z.object({
  /** What was last asked, with what it leant on: later questions may lean on it. */
  question: z.string().nullable(),
  /** The last question by itself. */
  own: z.string().nullable(),
  /** What was told last: it is not told again. */
  told: z.array(z.string()),
  /** What that is about, in spoken words. */
  about: z.string().nullable().default(null),
  /** The heading under which the talk is, where the customer named one. */
  section: z.string().nullable(),
  /** They said that this is what they want to talk about. */
  isFocused: z.boolean(),
  /** Replies in a row that had no answer. */
  unanswered: z.number(),
});

const stateSchema = topicSchema.extend({
  version: z.literal(1),
  pending: pending.nullable(),
  contact: contactSchema,
  /** What they asked last that has no answer yet. */
  open: z.string().nullable().default(null),
  /** Whether a colleague is to get back to them. */
  isHandedOver: z.boolean(),
  /** What there is beyond what was told last, for who asks for more. */
  further: tellable.nullable().default(null),
  /** What they have said for inputs of actions, by type and label: it holds for the next action, too. */
  known: z.record(z.string(), z.string()).default({}),
  /** The reply asked or told something of this customer's own records. */
  isPersonal: z.boolean().default(false),
});
export type DialogueState = z.infer<typeof stateSchema>;
export type Pending = NonNullable<DialogueState['pending']>;

/** What is left of a state for others in the room. */
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

/** How people answer what was asked of them; null where nothing in particular was. */
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
 * The state after the latest reply to this customer. In a room the talk may have gone on with others since: then it is about
 * what it is about by now, unless the customer still has something to answer.
 * Without a state (a talk from elsewhere) what was last asked is read from the history.
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

/** Whether the last reply asked somebody else in the room something. */
export function isAskedOfAnother(history: readonly DialogueMessage[]): boolean {
  const last = history.findLast(({ role }) => role === 'assistant');
  return last !== undefined && overheardIn(last)?.asks === true;
}

/** What others in a room may know of the state after a reply. */
export function stateForOthers(state: DialogueState): Overheard {
  return {
    version: 1,
    topic: state.isPersonal ? null : topicSchema.parse(state),
    asks: state.pending !== null,
  };
}

/** Leaves out what others in the room asked, and were told, of their own records. */
export function withoutOthersRecords(history: readonly DialogueMessage[]): DialogueMessage[] {
  const isTheirRecords = (message: DialogueMessage | undefined) =>
    message?.role === 'assistant' && message.isOthers === true && !overheardIn(message)?.topic;
  return history.map((message, place) =>
    // Each reply stands behind its question.
    isTheirRecords(message) ||
    (message.role === 'user' && message.isOthers && isTheirRecords(history[place + 1]))
      ? { ...message, content: '' }
      : message,
  );
}

/** Whether the customer was asked, or told, something of their own records. */
export const isOfOwnRecords = ({ role, isOthers, state }: DialogueMessage): boolean =>
  role === 'assistant' && !isOthers && stateSchema.safeParse(state).data?.isPersonal === true;

function overheardIn({ isOthers, state }: DialogueMessage): Overheard | undefined {
  return isOthers ? overheardSchema.safeParse(state).data : undefined;
}
