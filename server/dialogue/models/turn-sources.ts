import { isOfPack } from '#server/languages/index';
import type { Citation } from '#shared/conversations';
import type { CustomerTurn } from '../contract.ts';
import { find } from '../knowledge/find.ts';
import { saidIn } from '../said.ts';
import { isWrittenIn } from '../written-in.ts';
import { passagesFor } from './passages-for.ts';
import { tellMoment } from './prompts.ts';
import type { TurnRead } from './read-turn.ts';
import type { ModelSurroundings } from './surroundings.ts';

/** A model's material for a turn. */
export interface TurnSources {
  question: string;
  /** Whether the customer writes in the agent's language. */
  isOwnLanguage: boolean;
  passages: Citation[];
  statements: string[];
  /** The search's confidence: needed only when a sentence is said, which takes a model longer. */
  finding: ReturnType<typeof find>;
  now: Date;
  /** The time, and the customer's channel. */
  moment: string;
  customerSaid: readonly string[];
}

/** @throws the signal's reason */
export async function findSources(
  { knowing, timeZone }: ModelSurroundings,
  turn: CustomerTurn,
  { message, pack, state }: TurnRead,
  signal: AbortSignal,
): Promise<TurnSources> {
  const { agent, text, channel, speaker, history } = turn;
  const question = saidIn(message) || text;
  const isOwnLanguage = isOfPack(agent.language) && isWrittenIn(text, pack.words);
  const context = state.question;
  knowing.reading?.prepareEntailment();
  const finding = find(knowing, agent, { text: question, context, section: state.section }, signal);
  finding.catch(() => {});
  const { passages, statements } = await passagesFor(
    knowing,
    agent,
    pack,
    { text: question, context },
    signal,
  );
  const now = new Date();
  const moment = tellMoment({ now, timeZone, channel, speaker });
  const said = history.filter(({ role }) => role === 'user').map(({ content }) => content);
  const customerSaid = [...said, text];
  return { question, isOwnLanguage, passages, statements, finding, now, moment, customerSaid };
}
