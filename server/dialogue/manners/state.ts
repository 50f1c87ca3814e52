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
  z.object({ is: z.literal('offer'), question: z.string(), told: tellable, others: z.array(tellable) }),
  /** Which of these is it about? */
  z.object({
    is: z.literal('choice'),
    question: z.string(),
    options: z.array(z.object({ label: z.string(), passages: z.array(z.number()) })),
  }),
  /** Whether a colleague shall get back to them. */
  z.object({ is: z.literal('colleague') }),
  /** Their name, or how they can be reached. */
  z.object({ is: z.literal('contact'), asked: z.enum(['name', 'phone']) }),
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
  }),
  /** What their problem is, in more words. */
  z.object({ is: z.literal('more'), question: z.string() }),
]);

const stateSchema = z.object({
  version: z.literal(1),
  /** What was last asked, with what it leant on: later questions may lean on it. */
  question: z.string().nullable(),
  /** The last question by itself. */
  own: z.string().nullable(),
  /** What was told last: it is not told again. */
  told: z.array(z.string()),
  /** The heading under which the talk is, where the customer named one. */
  section: z.string().nullable(),
  /** They said that this is what they want to talk about. */
  isFocused: z.boolean(),
  pending: pending.nullable(),
  contact: contactSchema,
  /** Whether a colleague is to get back to them. */
  isHandedOver: z.boolean(),
  /** Replies in a row that had no answer. */
  unanswered: z.number(),
  /** What they have said for inputs of actions, by type and label: it holds for the next action, too. */
  known: z.record(z.string(), z.string()).default({}),
});
export type DialogueState = z.infer<typeof stateSchema>;
export type Pending = NonNullable<DialogueState['pending']>;

const nothing: DialogueState = {
  version: 1,
  question: null,
  own: null,
  told: [],
  section: null,
  isFocused: false,
  pending: null,
  contact: {},
  isHandedOver: false,
  unanswered: 0,
  known: {},
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

/** The state after the latest reply. Without one (a talk from elsewhere) what was last asked is read from the history. */
export function stateFrom(history: readonly DialogueMessage[]): DialogueState {
  const last = history.findLast(({ role }) => role === 'assistant');
  const kept = stateSchema.safeParse(last?.state);
  if (kept.success) return kept.data;
  const asked = history.filter(({ role }) => role === 'user').map(({ content }) => content);
  return {
    ...nothing,
    question: asked.slice(-2).join(' ').slice(-400) || null,
    own: asked.at(-1)?.slice(-300) ?? null,
  };
}
