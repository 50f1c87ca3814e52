import { onlyEnglishIn } from '#server/languages/elsewhere';
import type { Act } from '#server/languages/messages';
import type { Outcome } from '#shared/conversations';
import type { CustomerTurn } from '../contract.ts';
import { find } from '../knowledge/find.ts';
import { welcomeTopics } from '../welcome-topics.ts';
import type { Draft, Turn } from './draft.ts';
import { handoverReply } from './handover.ts';
import { saidOf } from './said-of.ts';

/** The reply if no question about the business was asked; the most important act decides. */
export async function socialReply(around: Turn): Promise<Draft> {
  const { turn, state, language, message, voice, instructions, moment } = around;
  const { say, splitSentences } = language;
  const lines: [Act, () => string, Outcome][] = [
    ['misunderstood', () => say.misunderstood(voice), 'asked-back'],
    ['repeat', () => lastSaid(turn) ?? say.misunderstood(voice), 'social'],
    // On a call the agent waits silently: the customer would talk over its words.
    ['wait', () => (turn.channel === 'text' || !turn.channel ? say.takeYourTime(voice) : ''), 'social'],
    ['hear-me', () => say.hearYou(voice), 'social'],
    ['abuse', () => say.abuse(voice), 'social'],
    ['are-you-human', () => say.areYouHuman(voice), 'social'],
    ['who-are-you', () => say.whoAreYou(voice), 'social'],
    [
      'languages',
      () => [onlyEnglishIn(turn.text), say.languages(voice)].filter(Boolean).join(' '),
      'declined',
    ],
    ['why-contact', () => say.whyContact(voice), 'social'],
    ['time', () => say.time(voice, moment), 'social'],
    ['what-can-you-do', () => say.whatCanYouDo(voice, welcomeTopics(turn.agent)), 'social'],
    ['how-are-you', () => say.howAreYou(voice), 'social'],
    ['wrong-number', () => say.wrongNumber(voice), 'social'],
    ['goodbye', () => instructions.goodbye ?? say.goodbye(voice), 'social'],
    ['never-mind', () => say.neverMind(voice), 'social'],
    ['thanks', () => say.thanks(voice), 'social'],
    ['compliment', () => say.compliment(voice), 'social'],
    ['weather', () => say.weather(voice), 'social'],
    ['greeting', () => say.greeting(voice), 'social'],
    ['yes', () => say.acknowledged(voice), 'social'],
    ['no', () => say.denied(voice), 'social'],
  ];
  if (message.acts.includes('handover')) {
    const handover = handoverReply(around);
    if (handover) return handover;
  }
  if (message.acts.includes('open-now')) return openNowReply(around);
  const line = lines.find(([act]) => message.acts.includes(act));
  if (!line)
    return message.mood
      ? { sentences: [say.empathy(voice, message.mood), ...say.askWhat(voice, [])], outcome: 'asked-back' }
      : { sentences: [say.greeting(voice)], outcome: 'social' };
  const [act, text, outcome] = line;
  // The pending question still waits for its answer.
  const keeps = state.pending !== null && WAITS_ON.has(act);
  // "That's it" can also agree, and a customer with a question is not leaving.
  const isAsked = message.needs.length > 0 && !message.isStatement;
  const isFarewell = act === 'goodbye' && !isAsked && !message.acts.includes('yes');
  return {
    sentences: splitSentences(text()),
    outcome,
    leavesTo: act === 'wait' ? 'wait' : isFarewell ? 'end' : undefined,
    state: keeps
      ? { pending: state.pending }
      : outcome === 'declined' && act === 'languages'
        ? { pending: { is: 'colleague' } }
        : {},
  };
}

const WAITS_ON = new Set<Act>([
  'repeat',
  'wait',
  'hear-me',
  'why-contact',
  'are-you-human',
  'who-are-you',
  'weather',
]);

/** The agent's last words; of an interrupted reply the part played. */
const lastSaid = (turn: CustomerTurn): string | undefined =>
  turn.history.findLast((m) => m.role === 'assistant' && m.content !== '')?.content;

/** Confidence above which the result counts as the business's hours. */
const HOURS = 0.4;

/** "Are you open now?", by the clock and the business's hours. */
async function openNowReply({ knowing, turn, language, moment, signal }: Turn): Promise<Draft> {
  const { questions, say } = language;
  const question = questions.hoursQuestion;
  const found = await find(knowing, turn.agent, { text: question, context: null }, signal);
  const { saying } = found;
  const isKnown = saying !== null && found.confidence >= HOURS;
  const said = isKnown ? saidOf(saying, { own: question, all: question }, null, language, false) : null;
  const hours = isKnown ? saying.passage.statements.map(({ told }) => told).join('\n') : '';
  const sentences = said?.sentences ?? [];
  const open = questions.openAt(sentences.join(' '), local(moment)) ?? questions.openAt(hours, local(moment));
  return {
    sentences: say.openNow(moment, open, sentences),
    outcome: isKnown ? 'answered' : 'declined',
    citations: said?.citations ?? [],
    state: isKnown ? {} : { pending: { is: 'colleague' } },
  };
}

function local({ now, timeZone }: Turn['moment']): { weekday: number; minutes: number } {
  const parts = new Intl.DateTimeFormat('en-GB', {
    weekday: 'short',
    hour: 'numeric',
    minute: 'numeric',
    hour12: false,
    timeZone,
  }).formatToParts(now);
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.find((each) => each.type === type)?.value ?? '';
  return {
    weekday: ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'].indexOf(part('weekday')),
    minutes: (Number(part('hour')) % 24) * 60 + Number(part('minute')),
  };
}
