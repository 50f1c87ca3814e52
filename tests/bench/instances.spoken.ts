import { setTimeout as pause } from 'node:timers/promises';
import type { Message } from '#shared/conversations';
import { type Clip, clipsOf } from '../speech/speech-set.ts';
import { wordErrors, wordsOf } from '../speech/word-errors.ts';
import { figure, share } from './figures.ts';
import { reportSpokenWaits } from './instances.midst.ts';
import type { InstanceSpeaker, SpokenExchange } from './instances.speaker.ts';

/** From an answer to the next question of the same person. */
const PAUSE_MS = { least: 10_000, more: 10_000 };
/**
 * Each speaker's position in a question at the event, as milliseconds from its true end: in its middle, about to end,
 * just ended, and waiting for the answer.
 */
const MOMENTS_MS = [700, 100, -300, -1_000];
/** A repeated question has at least so many times as many words. */
const TWICE = 1.6;

/** The time of the event, by `performance.now()`, and the end of the conversations. */
interface Schedule {
  happensAt: number;
  until: number;
}

/** All ask now and then, each at another position of a question during the event. */
export async function speakOn(
  speakers: readonly InstanceSpeaker[],
  { happensAt, until }: Schedule,
): Promise<void> {
  await Promise.all(
    speakers.map(async (speaker, place) => {
      await pause(Math.random() * 3_000);
      await speaker.ask(aQuestion(place));
      const staged = aQuestion(place + speakers.length);
      const beginsAt = happensAt + (MOMENTS_MS[place % MOMENTS_MS.length] ?? 0) - staged.endMs;
      await pause(Math.max(0, beginsAt - performance.now()));
      await speaker.ask(staged);
      for (let n = place + 2 * speakers.length; ; n += speakers.length) {
        await pause(PAUSE_MS.least + Math.random() * PAUSE_MS.more);
        if (performance.now() > until) return;
        await speaker.ask(aQuestion(n));
      }
    }),
  );
}

/** Compares spoken with stored questions, and reports differences. */
export async function reportSpoken(
  speakers: readonly InstanceSpeaker[],
  happened: { happenedAt: number; tookMs: number },
): Promise<void> {
  const exchanges = speakers.flatMap((speaker) => speaker.exchanges);
  const found = { taken: 0, missing: [] as string[], twice: [] as string[] };
  for (const speaker of speakers) {
    const { taken, missing, twice } = compare(speaker, await speaker.record());
    found.taken += taken;
    found.missing.push(...missing);
    found.twice.push(...twice);
  }
  const refusals = exchanges.flatMap(({ refusal }) => refusal ?? []);
  const switchedOff = speakers.flatMap((speaker) => speaker.switchedOff);
  const answered = exchanges.filter(({ answeredAt }) => answeredAt !== null).length;
  figure('spoken: asked, stored, answered', `${exchanges.length}, ${found.taken}, ${answered}`);
  reportSpokenWaits(exchanges, happened);
  figure(
    'microphone switched off, with a sentence',
    `${switchedOff.length} ${[...new Set(switchedOff)].join(' ')}`,
  );
  figure('refused', `${share(refusals.length, exchanges.length)} ${[...new Set(refusals)].join(' ')}`);
  figure('told as understood and not stored', `${found.missing.length} ${found.missing.join('; ')}`);
  figure('taken or answered twice', `${found.twice.length} ${found.twice.join('; ')}`);
}

/** Compares a speaker's words, and the transcripts received, with the stored messages. */
function compare(
  { exchanges, told }: InstanceSpeaker,
  record: readonly Message[],
): { taken: number; missing: string[]; twice: string[] } {
  const contents = record.filter(({ role }) => role === 'user').map(({ content }) => content);
  const missing = told.filter((text) => {
    const at = contents.indexOf(text);
    if (at >= 0) contents.splice(at, 1);
    return at < 0;
  });
  const parts = exchanges.map((exchange, n) => ({
    exchange,
    messages: saidIn(exchange, exchanges[n + 1], record),
  }));
  return {
    taken: parts.filter(({ messages }) => messages.some(({ role }) => role === 'user')).length,
    missing,
    twice: [...parts.flatMap(({ exchange, messages }) => doubled(exchange, messages)), ...tooMany(record)],
  };
}

const saidIn = ({ beganAt }: SpokenExchange, next: SpokenExchange | undefined, record: readonly Message[]) =>
  record.filter(
    ({ timestamp }) => new Date(timestamp) >= beganAt && (!next || new Date(timestamp) < next.beganAt),
  );

/** @returns duplicates of one question, in words */
function doubled({ clip }: SpokenExchange, messages: readonly Message[]): string[] {
  const heard = messages.filter(({ role }) => role === 'user').map(({ content }) => content);
  const words = wordsOf(clip.text).length;
  const isTwice =
    wordsOf(heard.join(' ')).length > TWICE * words &&
    wordErrors(clip.text, heard.join(' ')).errors > words / 2;
  return isTwice ? [`${clip.id} was taken as "${heard.join('" and "')}"`] : [];
}

/** A continued question may have two answers in a row, but there are no more answers than messages, and the welcome. */
function tooMany(record: readonly Message[]): string[] {
  const count = (some: Message['role']) =>
    record.filter(({ role, interrupted }) => role === some && !interrupted).length;
  const extra = count('assistant') - 1 - count('user');
  return extra > 0 ? [`${extra} answers too many`] : [];
}

/** Questions in order, from those held out from tuning. */
export function aQuestion(n: number): Clip {
  const clips = clipsOf('sentence', 'held-out').filter(({ person }) => !person);
  const chosen = clips[n % clips.length];
  if (!chosen) throw new Error('The speech set has no sentences.');
  return chosen;
}
