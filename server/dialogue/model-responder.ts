import type { ChatMessage, LanguageEngine } from '#server/engines/language/contract';
import type { Outcome } from '#shared/conversations';
import type { CustomerTurn, ReplyEvent } from './contract.ts';
import { readMessage } from './grounded/acts.ts';
import { voiceOf } from './grounded/grounded-responder.ts';
import * as say from './grounded/wording.ts';
import { disclosureCheck } from './guardrails.ts';
import type { Library } from './knowledge/library.ts';
import { makeInstructions, rules } from './prompts.ts';
import { sentencesFrom } from './sentence-stream.ts';

/** Turns of the conversation that the model sees. */
const REMEMBERED = 20;
const MAX_SENTENCES = 12;

/** Lets a language model answer from the passages that the same search finds. */
export async function* respondWithModel(
  language: LanguageEngine,
  library: Library,
  turn: CustomerTurn,
  signal: AbortSignal,
): AsyncGenerator<ReplyEvent> {
  signal.throwIfAborted();
  const message = readMessage(turn.text);
  const voice = voiceOf(turn);
  if (message.acts.includes('injection')) {
    yield* whole(say.injection(voice), 'declined');
    return;
  }
  const earlier = turn.history.filter((m) => m.role === 'user').map((m) => m.content);
  const lastReply = turn.history.findLast((m) => m.role === 'assistant')?.content ?? '';
  const questions = message.needs.length > 0 ? message.needs : [turn.text];
  const found = await library.ask(
    turn.agent,
    questions.map((text) => ({ text, background: message.background, earlier, lastReply })),
    signal,
  );
  const passages = uniqueBy(
    found.flatMap((f) => f.passages),
    (p) => p.text,
  );
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
    for await (const sentence of sentencesFrom(stream)) {
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
  const quoted = found.filter((f) => f.verdict === 'answer').flatMap((f) => f.citations);
  const outcome = outcomeOf(text, message.needs.length > 0);
  yield { type: 'reply', text, citations: outcome === 'answered' ? quoted : [], outcome };
}

function* whole(text: string, outcome: Outcome): Generator<ReplyEvent> {
  yield { type: 'sentence', index: 0, text, isLast: true };
  yield { type: 'reply', text, citations: [], outcome };
}

function outcomeOf(text: string, asked: boolean): Outcome {
  if (/\b(?:don't|do not) have (?:that|this|any|the|enough) information\b|\bcan't help with\b/i.test(text))
    return 'declined';
  if (/\bcolleague\b.*\bget back\b/i.test(text)) return 'handover';
  return asked ? 'answered' : 'social';
}

function uniqueBy<T>(items: readonly T[], key: (item: T) => string): T[] {
  return [...new Map(items.map((item) => [key(item), item])).values()];
}
