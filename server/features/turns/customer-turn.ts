import type { AgentProfile, CustomerTurn, DialogueMessage } from '#server/dialogue/contract';
import type { MessageRecord } from '#server/features/conversations/service';
import { MAX_MESSAGE_CHARACTERS } from '#shared/conversations';

/** Messages of a conversation given to the dialogue: enough for any follow-up, few enough for every model. */
export const HISTORY_MESSAGES = 40;

/**
 * The request to the dialogue.
 * @param history earlier messages, oldest first, each reply after its question
 * @param goesOn whether the text continues messages whose replies were withdrawn before any of them was played: then
 *   all of them are one question
 * @param joint the text between them: spoken words continue, written ones are on separate lines
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
    // No longer than one message: the last parts count.
    text: [...before.map(({ content }) => content), text].join(joint).slice(-MAX_MESSAGE_CHARACTERS),
  };
}

/**
 * The customer's messages that another one continues, oldest first: those right before it whose replies were not
 * played.
 */
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

/** Whether both would get the same answer; spacing and end of a text do not matter. */
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

/** Whether a message in the record of a room was said by, or to, another person. */
function isOthers(
  { role, saidBy, replyTo, state }: MessageRecord,
  history: readonly MessageRecord[],
): boolean {
  if (role !== 'assistant') return saidBy !== null;
  // A welcome answers no message, and has no state.
  if (replyTo === null) return state !== null;
  const question = history.find(({ id }) => id === replyTo);
  // A question before the known history may be another person's.
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

/** The customer's channel: a page's agent is its conversation's, a room has its own. */
export const channelOf = ({
  agent,
  isSpoken,
}: {
  agent?: AgentProfile | null | undefined;
  isSpoken?: boolean | undefined;
}): NonNullable<CustomerTurn['channel']> => (agent ? 'room' : isSpoken ? 'voice' : 'text');
