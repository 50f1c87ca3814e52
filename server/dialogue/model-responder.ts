import type { ChatMessage, LanguageEngine } from '#server/engines/language/contract';
import { packOf } from '#server/languages/index';
import type { Outcome } from '#shared/conversations';
import type { CustomerTurn, ReplyEvent } from './contract.ts';
import { disclosureCheck } from './guardrails.ts';
import { find, type Knowing } from './knowledge/find.ts';
import { voiceOf } from './manners/reply.ts';
import { stateFrom } from './manners/state.ts';
import { makeInstructions, rules } from './prompts.ts';
import { sentencesFrom } from './sentence-stream.ts';

/** Turns of the conversation that the model sees. */
const REMEMBERED = 20;
const MAX_SENTENCES = 12;
/** Passages that the model is given, best first. */
const PASSAGES = 6;

/** Lets a language model answer from the passages that the same search finds. */
export async function* respondWithModel(
  language: LanguageEngine,
  knowing: Knowing,
  turn: CustomerTurn,
  signal: AbortSignal,
): AsyncGenerator<ReplyEvent> {
  signal.throwIfAborted();
  const { messages: customer, replies, say, splitSentences } = packOf(turn.agent.language);
  const message = customer.read(turn.text);
  const voice = voiceOf(turn);
  if (message.acts.includes('injection')) {
    yield* whole(say.injection(voice), 'declined');
    return;
  }
  const state = stateFrom(turn.history);
  const question = [message.background, ...message.needs].filter(Boolean).join(' ') || turn.text;
  const found = await find(
    knowing,
    turn.agent,
    { text: question, context: state.question, section: state.section },
    signal,
  );
  const passages = found.ranked.slice(0, PASSAGES).map(({ passage }) => ({
    text: [passage.lead, ...passage.statements.map(({ told }) => told)].filter(Boolean).join(' '),
    source: passage.headings.join(' › ') || turn.agent.companyName,
  }));
  const instructions = makeInstructions(turn.agent, passages);
  const discloses = disclosureCheck(turn.agent, [...rules, ...turn.agent.prompts].join('\n'));
  const messages: ChatMessage[] = [...turn.history.slice(-REMEMBERED), { role: 'user', content: turn.text }];

  const stop = new AbortController();
  const said: string[] = [];
  let waiting: string | null = null;
  try {
    const stream = language.stream({
      instructions,
      messages,
      signal: AbortSignal.any([signal, stop.signal]),
    });
    for await (const sentence of sentencesFrom(stream, splitSentences)) {
      if (discloses(sentence)) {
        if (waiting === null && said.length === 0) waiting = say.injection(voice);
        break;
      }
      // One sentence is held back, so that the last one can be marked.
      if (waiting !== null) {
        yield { type: 'sentence', index: said.length, text: waiting, isLast: false };
        said.push(waiting);
      }
      waiting = sentence;
      if (said.length >= MAX_SENTENCES) break;
    }
  } finally {
    stop.abort();
  }
  signal.throwIfAborted();
  waiting ??= say.declined(voice);
  yield { type: 'sentence', index: said.length, text: waiting, isLast: true };
  said.push(waiting);
  const text = said.join(' ');
  const outcome = replies.conclusionOf(text) ?? (message.needs.length > 0 ? 'answered' : 'social');
  yield {
    type: 'reply',
    text,
    citations: outcome === 'answered' ? (found.saying?.citations ?? []) : [],
    outcome,
    state: {
      ...state,
      pending: null,
      question: question.slice(-300) || state.question,
      section: found.section,
    },
  };
}

function* whole(text: string, outcome: Outcome): Generator<ReplyEvent> {
  yield { type: 'sentence', index: 0, text, isLast: true };
  yield { type: 'reply', text, citations: [], outcome };
}
