import type { Citation, Outcome } from '#shared/conversations';
import type { CustomerTurn } from '../contract.ts';
import type { FoundAnswer } from '../knowledge/ask.ts';
import type { Library } from '../knowledge/library.ts';
import { upperFirst } from '../knowledge/speech.ts';
import { topicsOf } from '../topics.ts';
import { stem } from '../words/stem.ts';
import { contentStems } from '../words/tokens.ts';
import { type Act, type ReadMessage, readMessage } from './acts.ts';
import { readPersona } from './persona.ts';
import * as say from './wording.ts';

export interface GroundedReply {
  sentences: string[];
  citations: Citation[];
  outcome: Outcome;
  /** For the evaluation's print-out. */
  trace: string[];
}

/** Answers a turn from what the business wrote and nothing else. */
export async function respondGrounded(
  library: Library,
  turn: CustomerTurn,
  signal: AbortSignal,
): Promise<GroundedReply> {
  const message = readMessage(turn.text);
  const voice = voiceOf(turn);
  if (message.danger) return emergencyReply(library, turn, message, voice, signal);
  const blocking = message.acts.find((act) => act === 'injection' || act === 'outside' || act === 'advice');
  if (message.needs.length === 0 || blocking === 'injection') return socialReply(turn, message, voice);

  const earlier = turn.history.filter((m) => m.role === 'user').map((m) => m.content);
  const lastReply = turn.history.findLast((m) => m.role === 'assistant')?.content ?? '';
  const found = await library.ask(
    turn.agent,
    message.needs.map((text, n) => ({
      text,
      background: message.background,
      earlier: [...earlier, ...message.needs.slice(0, n)],
      lastReply,
    })),
    signal,
  );
  return answerReply(found, message, voice, turn);
}

export function voiceOf(turn: Pick<CustomerTurn, 'agent' | 'history'>): say.Voice {
  return {
    persona: readPersona(turn.agent),
    agentName: turn.agent.name,
    companyName: turn.agent.companyName,
    turn: turn.history.filter((m) => m.role === 'user').length,
  };
}

const reply = (
  sentences: string[],
  outcome: Outcome,
  citations: Citation[] = [],
  trace: string[] = [],
): GroundedReply => ({
  sentences: sentences.filter(Boolean),
  citations,
  outcome,
  trace,
});

/** What is said when nothing was asked; the weightiest act decides. */
function socialReply(turn: CustomerTurn, message: ReadMessage, voice: say.Voice): GroundedReply {
  const lines: [Act, () => string, Outcome][] = [
    ['injection', () => say.injection(voice), 'declined'],
    ['advice', () => say.advice(voice), 'declined'],
    ['outside', () => say.joke(voice), 'declined'],
    ['handover', () => say.handover(voice), 'handover'],
    ['misunderstood', () => say.misunderstood(voice), 'asked-back'],
    ['repeat', () => lastSaid(turn) ?? say.misunderstood(voice), 'social'],
    ['wait', () => say.takeYourTime(voice), 'social'],
    ['abuse', () => say.abuse(voice), 'social'],
    ['are-you-human', () => say.areYouHuman(voice), 'social'],
    ['who-are-you', () => say.whoAreYou(voice), 'social'],
    ['what-can-you-do', () => say.whatCanYouDo(voice, topicsOf(turn.agent)), 'social'],
    ['how-are-you', () => say.howAreYou(voice), 'social'],
    ['goodbye', () => say.goodbye(voice), 'social'],
    ['thanks', () => say.thanks(voice), 'social'],
    ['compliment', () => say.compliment(voice), 'social'],
    ['greeting', () => say.greeting(voice), 'social'],
    ['yes', () => affirmed(turn, voice), 'social'],
    ['no', () => say.denied(voice), 'social'],
  ];
  const line = lines.find(([act]) => message.acts.includes(act));
  if (!line) return reply([say.greeting(voice)], 'social');
  const [act, text, outcome] = line;
  const feeling =
    act === 'handover' && message.mood === 'frustrated' ? [say.empathy(voice, 'frustrated')] : [];
  const accepted = act === 'yes' && offeredColleague(turn);
  return reply([...feeling, ...sentencesOf(text())], accepted ? 'handover' : outcome);
}

/** What the agent said last, of an interrupted reply what was heard. */
const lastSaid = (turn: CustomerTurn): string | undefined =>
  turn.history.findLast((m) => m.role === 'assistant' && m.content !== '')?.content;

const offeredColleague = (turn: CustomerTurn) =>
  /\bcolleague\b[^.]*\?|\b(?:can have a|a) (?:human )?colleague (?:can )?(?:get|look)\b/.test(
    turn.history.findLast((m) => m.role === 'assistant')?.content ?? '',
  );

const affirmed = (turn: CustomerTurn, voice: say.Voice) =>
  offeredColleague(turn) ? say.handoverAccepted(voice) : say.acknowledged(voice);

function sentencesOf(text: string): string[] {
  return text.split(/(?<=[.!?])\s+(?=[A-Z"])/);
}

function answerReply(
  found: readonly FoundAnswer[],
  message: ReadMessage,
  voice: say.Voice,
  turn: CustomerTurn,
): GroundedReply {
  const trace = found.map((f) => f.trace);
  const answered = found.filter((f) => f.verdict === 'answer');
  const clarifying = found.find((f) => f.verdict === 'clarify');
  const feeling = message.mood ? say.empathy(voice, message.mood) : '';
  if (answered.length === 0) {
    if (message.acts.includes('handover'))
      return reply([feeling, ...sentencesOf(say.handover(voice))], 'handover', [], trace);
    if (clarifying) return reply([feeling, say.clarify(voice, clarifying.topics)], 'asked-back', [], trace);
    // One "sorry" is enough.
    const said = feeling
      ? upperFirst(say.declined(voice).replace(/^(?:I'm sorry, |I am afraid )/, ''))
      : say.declined(voice);
    const blocking = message.acts.includes('advice')
      ? say.advice(voice)
      : message.acts.includes('outside')
        ? say.joke(voice)
        : '';
    return reply([feeling, ...sentencesOf(blocking || said)], 'declined', [], trace);
  }
  const sentences: string[] = [];
  const citations: Citation[] = [];
  for (const one of answered) {
    sentences.push(...one.sentences);
    citations.push(...one.citations);
  }
  const front =
    feeling ||
    (message.acts.includes('greeting') && turn.history.length === 0 ? 'Hello!' : say.opening(voice));
  const positive = answered.some((one) => one.polarity === 'no') && !feeling ? '' : front;
  const tail =
    answered.length < found.length
      ? say.declinedPart(voice)
      : message.acts.includes('handover')
        ? say.handover(voice)
        : say.closing(voice);
  return reply([positive, ...unique(sentences), ...sentencesOf(tail)], 'answered', citations, trace);
}

const unique = (sentences: readonly string[]) => [...new Set(sentences)];

/** Safety first: the business's own words if it has any, else the emergency services; a person follows up either way. */
async function emergencyReply(
  library: Library,
  turn: CustomerTurn,
  message: ReadMessage,
  voice: say.Voice,
  signal: AbortSignal,
): Promise<GroundedReply> {
  const [found] = await library.ask(
    turn.agent,
    [
      {
        text: `${turn.text.slice(0, 300)} What should I do in an emergency?`,
        background: '',
        earlier: [],
        lastReply: '',
      },
    ],
    signal,
  );
  const told = contentStems(turn.text);
  const passage = found?.passages.find(
    ({ text }) =>
      safetyAdvice.test(text) &&
      contentStems(text).some((stem) => told.includes(stem) && dangerStems.has(stem)),
  );
  const advice = sentencesOf(say.emergency(voice, message.danger ?? 'danger'));
  return reply(
    [passage?.text ?? '', ...advice, ...sentencesOf(say.emergencyHandover(voice))],
    'handover',
    passage ? [passage] : [],
    found ? [found.trace] : [],
  );
}

/** Tells what to do, not only what is covered. */
const safetyAdvice =
  /\b(?:emergency|evacuat\w*|leave the|call|unplug|stop using|immediately|switch (?:it )?off|turn (?:it )?off|disconnect|open the windows?|do not (?:touch|use))\b/i;
const dangerStems = new Set(
  'gas smoke fire flame burn spark overheat shock battery leak explode swell carbon bleed breathe injure poison swallow pain wire electrocute melt'
    .split(' ')
    .map(stem),
);
