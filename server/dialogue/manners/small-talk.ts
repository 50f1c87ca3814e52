import type { Act } from '#server/languages/messages';
import type { Outcome } from '#shared/conversations';
import type { CustomerTurn } from '../contract.ts';
import { welcomeTopics } from '../welcome-topics.ts';
import type { Draft, Turn } from './draft.ts';

/** What is said when nothing was asked; the weightiest act decides. */
export function socialReply({ turn, language, message, voice, instructions }: Turn): Draft {
  const { say, splitSentences } = language;
  const lines: [Act, () => string, Outcome][] = [
    ['misunderstood', () => say.misunderstood(voice), 'asked-back'],
    ['repeat', () => lastSaid(turn) ?? say.misunderstood(voice), 'social'],
    ['wait', () => say.takeYourTime(voice), 'social'],
    ['abuse', () => say.abuse(voice), 'social'],
    ['are-you-human', () => say.areYouHuman(voice), 'social'],
    ['who-are-you', () => say.whoAreYou(voice), 'social'],
    ['what-can-you-do', () => say.whatCanYouDo(voice, welcomeTopics(turn.agent)), 'social'],
    ['how-are-you', () => say.howAreYou(voice), 'social'],
    ['goodbye', () => instructions.goodbye ?? say.goodbye(voice), 'social'],
    ['thanks', () => say.thanks(voice), 'social'],
    ['compliment', () => say.compliment(voice), 'social'],
    ['greeting', () => say.greeting(voice), 'social'],
    ['yes', () => say.acknowledged(voice), 'social'],
    ['no', () => say.denied(voice), 'social'],
  ];
  const line = lines.find(([act]) => message.acts.includes(act));
  if (!line)
    return message.mood
      ? { sentences: [say.empathy(voice, message.mood), ...say.askWhat(voice, [])], outcome: 'asked-back' }
      : { sentences: [say.greeting(voice)], outcome: 'social' };
  const [, text, outcome] = line;
  return { sentences: splitSentences(text()), outcome };
}

/** What the agent said last, of an interrupted reply what was heard. */
const lastSaid = (turn: CustomerTurn): string | undefined =>
  turn.history.findLast((m) => m.role === 'assistant' && m.content !== '')?.content;
