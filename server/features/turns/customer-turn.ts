import type { AgentProfile, CustomerTurn, DialogueMessage } from '#server/dialogue/contract';
import type { MessageRecord } from '#server/features/conversations/service';
import { MAX_MESSAGE_CHARACTERS } from '#shared/conversations';

/** How much of a conversation the dialogue is told: enough for any follow-up, little enough for every model. */
export const HISTORY_MESSAGES = 40;

/**
 * What the dialogue is asked.
 * @param history what was said before, oldest first, each reply behind its question
 * @param goesOn whether the text goes on with messages whose replies were withdrawn before a word of them was played:
 *   then all of them are one question
 * @param joint what stands between them: words that were said go on, and what was written stands in lines
 */
export function customerTurn(
  agent: AgentProfile,
  history: readonly MessageRecord[],
  text: string,
  { goesOn, joint }: { goesOn: boolean; joint: ' ' | '\n' },
): CustomerTurn {
  const before = goesOn ? goneOnWith(history) : [];
  const said = history.slice(0, history.length - 2 * before.length);
  return {
    agent,
    history: said
      .filter((message) => message.content !== '')
      .map((message) => toDialogueMessage(message, isOthers(message, said))),
    // No longer than one message: of many the last ones count.
    text: [...before.map(({ content }) => content), text].join(joint).slice(-MAX_MESSAGE_CHARACTERS),
  };
}

/** The customer's messages that another one goes on with, oldest first: those right before it whose replies nobody heard. */
export function goneOnWith(history: readonly MessageRecord[]): MessageRecord[] {
  const messages: MessageRecord[] = [];
  for (let end = history.length; end >= 2; end -= 2) {
    const [question, reply] = history.slice(end - 2, end);
    if (!question || !reply || !isWithdrawn(reply) || question.id !== reply.replyTo) break;
    if (question.saidBy !== null) break;
    messages.unshift(question);
  }
  return messages;
}

/** Whether both would be answered alike; how a text is spaced and ends does not matter. */
export function isSameTurn(one: CustomerTurn, other: CustomerTurn): boolean {
  return (
    one.agent.id === other.agent.id &&
    one.agent.revision === other.agent.revision &&
    isSameText(one.text, other.text) &&
    (one.actions === undefined) === (other.actions === undefined) &&
    one.history.length === other.history.length &&
    one.history.every(
      ({ role, content }, place) =>
        role === other.history[place]?.role && content === other.history[place]?.content,
    )
  );
}

export const isSameText = (one: string, other: string) => comparable(one) === comparable(other);

const comparable = (text: string) =>
  text
    .toLowerCase()
    .replaceAll(/\s+/gu, ' ')
    .trim()
    .replace(/(?<![\s.,;…])[\s.,;…]+$/u, '');

const isWithdrawn = ({ role, content, interrupted }: MessageRecord) =>
  role === 'assistant' && interrupted && content === '';

/** Whether a message in the record of a room was said by somebody else, or to somebody else. */
function isOthers(
  { role, saidBy, replyTo, state }: MessageRecord,
  history: readonly MessageRecord[],
): boolean {
  if (role !== 'assistant') return saidBy !== null;
  // A welcome answers nobody, and has no state.
  if (replyTo === null) return state !== null;
  const question = history.find(({ id }) => id === replyTo);
  // A question too long ago to be told was not surely theirs where others speak.
  if (question) return question.saidBy !== null;
  return history.some((message) => message.role === 'user' && message.saidBy !== null);
}

function toDialogueMessage(
  { role, content, state, authorId, saidBy }: MessageRecord,
  isSomebodyElses: boolean,
): DialogueMessage {
  const others = isSomebodyElses ? { isOthers: true } : {};
  if (role !== 'assistant') return { role: 'user', content, ...others };
  const by = authorId === null ? {} : { colleague: saidBy ?? '' };
  return { role: 'assistant', content, ...by, ...others, ...(state === null ? {} : { state }) };
}

/** How a customer speaks with the agent: a page's agent is its conversation's, in a room whoever is there answers. */
export const channelOf = ({
  agent,
  isSpoken,
}: {
  agent?: AgentProfile | null | undefined;
  isSpoken?: boolean | undefined;
}): NonNullable<CustomerTurn['channel']> => (agent ? 'room' : isSpoken ? 'voice' : 'text');
