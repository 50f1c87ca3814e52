import type { AgentProfile, DialogueMessage, WholeReply } from '#server/dialogue/contract';
import type { Brain } from './brain.ts';
import type { Asked, Case, Judged, Round } from './case.ts';
import { answerTo } from './customer.ts';

type Reply = WholeReply & { ms: number; trace: readonly string[] };

/** A conversation in this process: stores the messages with the dialogue's state. */
interface Conversation {
  say(text: string): Promise<Reply>;
}

export function converse(
  { dialogue }: Pick<Brain, 'dialogue'>,
  agent: AgentProfile,
  given?: readonly DialogueMessage[],
): Conversation {
  const history: DialogueMessage[] = [
    ...(given ?? [{ role: 'assistant' as const, content: dialogue.greet(agent) }]),
  ];
  return {
    async say(text) {
      const start = performance.now();
      let ms: number | undefined;
      const turn = { agent, history: [...history], text };
      for await (const event of dialogue.respond(turn, new AbortController().signal)) {
        ms ??= performance.now() - start;
        if (event.type !== 'reply') continue;
        const { text: content, state } = event;
        history.push(
          { role: 'user', content: text },
          { role: 'assistant', content, ...(state === undefined ? {} : { state }) },
        );
        return { ...event, ms, trace: [...dialogue.lastTrace()] };
      }
      throw new Error('A turn ended without a reply.');
    },
  };
}

/** Asks a round's questions, and passes each to `told` as soon as it is judged. */
export async function askRound(brain: Brain, round: Round, told: (asked: Asked) => void): Promise<Asked[]> {
  const all: Asked[] = [];
  const one = converse(brain, round.agent);
  for (const each of round.cases) {
    const conversation = round.together ? one : converse(brain, round.agent, each.given);
    const asked = { round, case: each, ...(await ask(brain, conversation, each)) };
    told(asked);
    all.push(asked);
  }
  return all;
}

async function ask(brain: Brain, conversation: Conversation, each: Case) {
  if (!each.given) for (const text of each.before) await conversation.say(text);
  const reply = await conversation.say(each.question);
  const first = judged(each, reply);
  const said = await answerTo(each, reply, first.verdict.right, brain.reading);
  const second = said === null ? null : { said, ...judged(each, await conversation.say(said)) };
  return { first, second };
}

function judged(each: Case, reply: Reply): Judged {
  const { text, outcome, trace, ms } = reply;
  return { text, outcome, trace, ms, verdict: each.judge(reply) };
}
