import { figure, percentiles, share } from '../figures.ts';
import type { Passed } from './services.ts';
import type { Answered } from './system.ts';

/** Prints the speed of answers, and how many came too early. */
function reportAnswers(answers: readonly Answered[]): void {
  figure('end of speech → first audible sound', percentiles(between(answers, 'endedAt', 'heardAt')));
  figure('not answered', share(answers.filter(({ heardAt }) => heardAt === null).length, answers.length));
  figure('taken as said before the end', share(answers.filter(isTakenEarly).length, answers.length));
  figure('the answer heard before the end', share(answers.filter(isHeardEarly).length, answers.length));
}

/**
 * Also prints the steps of their time. @param passed requests between the only call and its ears and voice; null: it
 * has its own
 */
export function reportTurns(answers: readonly Answered[], passed: readonly Passed[] | null): void {
  reportAnswers(answers);
  figure('  until it was taken as said', percentiles(between(answers, 'endedAt', 'takenAt')));
  figure('  then until it was heard', percentiles(between(answers, 'takenAt', 'heardAt')));
  if (!passed) return;
  const parts = answers.flatMap((answer) => partsOf(answer, passed) ?? []);
  for (const [what, of] of rows) figure(`  ${what}`, percentiles(parts.flatMap((part) => of(part) ?? [])));
}

const isTakenEarly = ({ takenAt, endedAt }: Answered) => takenAt !== null && takenAt < endedAt;
const isHeardEarly = ({ heardAt, endedAt }: Answered) => heardAt !== null && heardAt < endedAt;
/** Taken or heard before the customer had finished. */
export const isEarly = (answer: Answered) => isTakenEarly(answer) || isHeardEarly(answer);

/** An early answer has no turn time: it is reported separately. */
const between = (
  answers: readonly Answered[],
  from: 'endedAt' | 'takenAt',
  to: 'takenAt' | 'heardAt',
): number[] =>
  answers.flatMap((answer) => {
    const [start, end] = [answer[from], answer[to]];
    return start === null || end === null || isEarly(answer) ? [] : end - start;
  });

/** The steps of one turn's time, ms. */
interface Parts {
  untilEarsMs: number;
  earsMs: number;
  untilVoiceMs: number;
  voiceMs: number;
  /** From the voice's first sound to the customer's. */
  onTheWayMs: number;
  /** Time after the turn was taken, without the voice. */
  ownMs: number | null;
}

const rows: [string, (part: Parts) => number | null][] = [
  ['end of speech → ears asked', ({ untilEarsMs }) => untilEarsMs],
  ['ears asked → words', ({ earsMs }) => earsMs],
  ['words → voice asked', ({ untilVoiceMs }) => untilVoiceMs],
  ['voice asked → its first sound', ({ voiceMs }) => voiceMs],
  ['its first sound → heard', ({ onTheWayMs }) => onTheWayMs],
  ['own overhead: taken → heard, less the voice', ({ ownMs }) => ownMs],
];

/** The steps of a turn of the only call, from the requests between the system and its ears and voice. */
function partsOf(answer: Answered, passed: readonly Passed[]): Parts | null {
  const { clip, endedAt, heardAt, takenAt } = answer;
  if (heardAt === null || isEarly(answer)) return null;
  const begun = endedAt - clip.endMs;
  const within = passed.filter(({ askedAt }) => askedAt > begun && askedAt < heardAt);
  // A cancelled request has no end.
  const voice = within.find(({ what, doneAt }) => what === 'speak' && doneAt !== null);
  if (!voice?.firstAt) return null;
  const ears = within.findLast(
    ({ what, doneAt }) => what === 'hear' && doneAt !== null && doneAt <= voice.askedAt,
  );
  if (!ears?.doneAt) return null;
  const voiceMs = voice.firstAt - voice.askedAt;
  return {
    untilEarsMs: ears.askedAt - endedAt,
    earsMs: ears.doneAt - ears.askedAt,
    untilVoiceMs: voice.askedAt - ears.doneAt,
    voiceMs,
    onTheWayMs: heardAt - voice.firstAt,
    ownMs: takenAt === null ? null : heardAt - takenAt - voiceMs,
  };
}
