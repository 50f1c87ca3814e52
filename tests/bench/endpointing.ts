import { readConfig } from '#server/settings/config';
import { type Ears, openEars } from '../speech/ears.ts';
import { inNoise, pinkNoise } from '../speech/sounds.ts';
import { CLIP_RATE, type Clip, type Split, soundOf, speechSet } from '../speech/speech-set.ts';
import { inRoom, perform, type StageOptions, type Told } from '../speech/stage.ts';
import { recognitionOnTheClock } from './clock.ts';
import { figure, percentiles, share } from './figures.ts';

/** Silence before the first word and after the last, ms. A turn not ended by then is missed. */
const BEFORE_MS = 1_000;
const AFTER_MS = 4_000;
/** From the end of an utterance to the first sound of its answer, on a page: dialogue, first sentence, transport. */
const ANSWER_MS = 250;

/** A recording of a sentence with a pause counts as a turn with a thinking pause. */
const thinks = ({ kind, pauses }: Clip) => kind === 'pause' || (kind === 'sentence' && pauses.length > 0);

const groups: Record<string, (clip: Clip) => boolean> = {
  sentences: (clip) => clip.kind === 'sentence' && !thinks(clip),
  'turns with thinking pauses': thinks,
  'two sentences in a turn': ({ kind }) => kind === 'two-sentences',
};

interface Turn {
  clip: Clip;
  /** Times of utterances, ms after the true end of the clip: negative before it. */
  endingsMs: number[];
  /** The rule that ended each. */
  rules: string[];
  /** The agent spoke before the customer had finished. */
  answeredInto: boolean;
  text: string;
}

/**
 * Plays every turn of the speech set hands-free, on the clock of sound, and prints how often a pause was taken for the
 * end, the waits after true ends, and the missed ends.
 */
export async function benchEndpointing({
  modelsDir = readConfig().modelsDir,
  splits = ['dev', 'held-out'] as readonly Split[],
  noiseDb = null as number | null,
  latency = recognitionOnTheClock as StageOptions['latency'],
} = {}): Promise<void> {
  const ears = await openEars(modelsDir);
  try {
    for (const split of splits) {
      console.log(`\n${split}${noiseDb === null ? '' : `, pink noise at ${noiseDb} dB`}`);
      for (const [name, belongs] of Object.entries(groups)) {
        const turns: Turn[] = [];
        const clips = speechSet.filter((clip) => clip.split === split && belongs(clip));
        for (const [index, clip] of clips.entries())
          turns.push(await takeTurn(clip, index + 1, noiseDb, { ...ears, latency }));
        report(name, turns);
      }
    }
  } finally {
    await ears.close();
  }
}

async function takeTurn(
  clip: Clip,
  seed: number,
  noiseDb: number | null,
  options: Pick<Ears, 'recognition' | 'voiceActivity'> & Pick<StageOptions, 'latency'>,
): Promise<Turn> {
  const speech = await soundOf(clip);
  const quiet = inRoom(speech, BEFORE_MS, AFTER_MS, seed);
  const sound =
    noiseDb === null ? quiet : inNoise(quiet, pinkNoise((quiet.length * 1_000) / CLIP_RATE, seed), noiseDb);
  const endMs = BEFORE_MS + clip.endMs;
  const told = await perform(
    {
      sound,
      answersAfterMs: ANSWER_MS,
      until: (so) => so.some(({ what, atMs }) => what === 'utterance' && atMs >= endMs),
    },
    options,
  );
  const utterances = told.filter((one) => one.what === 'utterance');
  return {
    clip,
    endingsMs: utterances.map(({ atMs }) => atMs - endMs),
    rules: utterances.map((utterance) => ruleBefore(told, utterance)),
    answeredInto: told.some(({ what, atMs }) => what === 'agent' && atMs < endMs),
    text: utterances.map(({ utterance }) => utterance.text).join(' | '),
  };
}

/** The last verdict before an utterance is the one that ended it. */
const ruleBefore = (told: readonly Told[], utterance: Told) =>
  told.slice(0, told.indexOf(utterance)).findLast((one) => one.what === 'verdict')?.rule ?? 'time alone';

function report(name: string, turns: readonly Turn[]): void {
  const early = (turn: Turn) => turn.endingsMs.some((ms) => ms < 0);
  const ended = turns.flatMap(({ endingsMs }) => endingsMs.filter((ms) => ms >= 0).slice(0, 1));
  console.log(`  ${name}, ${turns.length}`);
  figure(
    '    answered into a pause',
    share(turns.filter(({ answeredInto }) => answeredInto).length, turns.length),
  );
  figure(
    '    taken as over, called back unheard',
    share(turns.filter((turn) => early(turn) && !turn.answeredInto).length, turns.length),
  );
  figure('    wait after the true end', percentiles(ended));
  for (const [rule, waits] of byRule(turns)) figure(`      ${rule}, ${waits.length}`, percentiles(waits));
  figure('    never ended', share(turns.length - ended.length, turns.length));
  for (const turn of turns)
    if (early(turn) || !turn.endingsMs.some((ms) => ms >= 0))
      console.log(
        `      ${turn.clip.id} ${turn.answeredInto ? 'answered into' : early(turn) ? 'called back' : 'never ended'}: ` +
          `by ${turn.rules.join(', ')}: "${turn.clip.text}" (pauses ${turn.clip.pauses.map(({ fromMs, toMs }) => toMs - fromMs).join(', ') || 'none'} ms) → "${turn.text}"`,
      );
}

/** Waits after the true end, by the rule that ended them, the most frequent first. */
function byRule(turns: readonly Turn[]): [rule: string, waitsMs: number[]][] {
  const waits = new Map<string, number[]>();
  for (const { endingsMs, rules } of turns) {
    const last = endingsMs.findIndex((ms) => ms >= 0);
    const rule = rules[last];
    if (rule !== undefined) waits.set(rule, [...(waits.get(rule) ?? []), endingsMs[last] ?? 0]);
  }
  return [...waits].sort((a, b) => b[1].length - a[1].length);
}
