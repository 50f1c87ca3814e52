import type { AgentProfile, Dialogue, DialogueMessage, WholeReply } from '#server/dialogue/contract';

/**
 * A conversation with an agent, in which the state travels as it does in a database, as JSON.
 * @returns says one text after another, and gives the reply to the last
 */
export function aConversation(dialogue: Pick<Dialogue, 'respond'>, agent: AgentProfile) {
  const history: DialogueMessage[] = [];
  return async function say(...texts: string[]): Promise<WholeReply> {
    let last: WholeReply | null = null;
    for (const text of texts) {
      for await (const event of dialogue.respond({ agent, history, text }, new AbortController().signal))
        if (event.type === 'reply') last = event;
      if (!last) throw new Error('A turn ended without a reply.');
      const state: unknown = JSON.parse(JSON.stringify(last.state ?? null));
      history.push({ role: 'user', content: text }, { role: 'assistant', content: last.text, state });
    }
    if (!last) throw new Error('Nothing was said.');
    return last;
  };
}
