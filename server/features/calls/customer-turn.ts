import type { AgentProfile, CustomerTurn, DialogueMessage } from '#server/dialogue/contract';
import type { MessageRecord } from '#server/features/conversations/service';

/** How much of a conversation the dialogue is told: enough for any follow-up, little enough for every model. */
export const HISTORY_MESSAGES = 40;

/**
 * What the dialogue is asked.
 * @param history what was said before, oldest first, each reply behind its question
 * @param goesOn whether the text goes on with messages whose replies were withdrawn before a word of them was played:
 *   then all of them are one question
 */
export function customerTurn(
  agent: AgentProfile,
  history: readonly MessageRecord[],
  text: string,
  goesOn: boolean,
): CustomerTurn {
  const said = [...history];
  const words = [text];
  for (let reply = said.at(-1); goesOn && reply && isWithdrawn(reply); reply = said.at(-1)) {
    const question = said.at(-2);
    if (question?.id !== reply.replyTo) break;
    words.unshift(question.content);
    said.splice(-2);
  }
  return {
    agent,
    history: said.filter((message) => message.content !== '').map(toDialogueMessage),
    text: words.join(' '),
  };
}

/** Whether both would be answered alike; how a text is spaced and ends does not matter. */
export function isSameTurn(one: CustomerTurn, other: CustomerTurn): boolean {
  return (
    one.agent.id === other.agent.id &&
    one.agent.revision === other.agent.revision &&
    isSameText(one.text, other.text) &&
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
    .replace(/[\s.,;…]+$/u, '');

const isWithdrawn = ({ role, content, interrupted }: MessageRecord) =>
  role === 'assistant' && interrupted && content === '';

const toDialogueMessage = ({ role, content, state }: MessageRecord): DialogueMessage =>
  role === 'assistant'
    ? { role: 'assistant', content, ...(state === null ? {} : { state }) }
    : { role: 'user', content };
