import type { AgentProfile, Dialogue, DialogueMessage, WholeReply } from '#server/dialogue/contract';

/**
 * A conversation with an agent; the state passes through JSON, as in a database.
 * @returns says several texts in turn, and resolves with the last reply
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
