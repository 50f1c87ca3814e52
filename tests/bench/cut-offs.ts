import { LONGEST_WAIT_MS, type PauseVerdict } from '#server/engines/turn-judgement/contract';
import { createTurnJudgement } from '#server/engines/turn-judgement/index';
import { readConfig } from '#server/settings/config';
import { type Ears, openEars } from '../speech/ears.ts';
import { type Clip, type Split, soundOf, speechSet } from '../speech/speech-set.ts';
import { inRoom, perform } from '../speech/stage.ts';
import { recognitionOnTheClock } from './clock.ts';
import { figure } from './figures.ts';

const BEFORE_MS = 1_000;
const AFTER_MS = 4_000;
/** Shorter pauses are stops inside words. */
const SHORTEST_PAUSE_MS = 200;
/** Step of the tested delays, in ms. */
const STEP_MS = 20;
const LONGEST_MS = 3_000;
/** Mean delays after true ends at which cut-offs are compared. */
const BUDGETS_MS = [300, 600];

/** A silence of a turn, and the verdict on it. */
interface Span {
  /** Null for the one after the turn. */
  lengthMs: number | null;
  /** Null if the turn continued before its words were known. */
  verdict: PauseVerdict | null;
}

/** Delay after which a turn is taken in a silence. */
type Policy = (span: Span) => number;

/**
 * How often a pause is taken for the end of a turn, given how long ends are waited for in the mean: as eot-bench of
 * LiveKit counts it, over every pause of 200 ms or more and every end of the speech set. `threshold`: from some
 * likelihood on one delay, below it a longer one, each chosen best, as eot-bench sweeps a model's score. `as it waits`:
 * the product's own waits, all longer or shorter by one factor. `silence alone`: one delay.
 */
export async function benchCutOffs({
  modelsDir = readConfig().modelsDir,
  splits = ['dev', 'held-out'] as readonly Split[],
} = {}): Promise<void> {
  const ears = await openEars(modelsDir);
  try {
    for (const split of splits) {
      const clips = speechSet.filter(
        (clip) => clip.split === split && ['sentence', 'pause', 'two-sentences'].includes(clip.kind),
      );
      const spans: Span[] = [];
      for (const [index, clip] of clips.entries()) spans.push(...(await spansOf(clip, index + 1, ears)));
      report(split, spans);
    }
  } finally {
    await ears.close();
  }
}

/** Plays a turn to a judge that never ends it, and records its verdicts on each silence. */
async function spansOf(clip: Clip, seed: number, ears: Ears): Promise<Span[]> {
  const rules = createTurnJudgement();
  const verdicts: PauseVerdict[] = [];
  const told = await perform(
    {
      sound: inRoom(await soundOf(clip), BEFORE_MS, AFTER_MS, seed),
      until: (so) => so.some(({ what, atMs }) => what === 'utterance' && atMs >= BEFORE_MS + clip.endMs),
    },
    {
      ...ears,
      latency: recognitionOnTheClock,
      judgement: {
        ...rules,
        async pause(pause, signal) {
          const verdict = await rules.pause({ ...pause, history: [] }, signal);
          verdicts.push(verdict);
          return { ...verdict, waitMs: LONGEST_WAIT_MS };
        },
      },
    },
  );
  const times = told.flatMap(({ what, atMs }) => (what === 'verdict' ? [atMs - BEFORE_MS] : []));
  const between = (fromMs: number, toMs: number) =>
    verdicts[times.findIndex((atMs) => atMs > fromMs && atMs <= toMs)] ?? null;
  return [
    ...clip.pauses
      .filter(({ fromMs, toMs }) => toMs - fromMs >= SHORTEST_PAUSE_MS)
      .map(({ fromMs, toMs }) => ({ lengthMs: toMs - fromMs, verdict: between(fromMs, toMs) })),
    { lengthMs: null, verdict: between(clip.endMs - 100, clip.endMs + AFTER_MS) },
  ];
}

function report(split: Split, spans: readonly Span[]): void {
  const ends = spans.filter(({ lengthMs }) => lengthMs === null);
  const pauses = spans.length - ends.length;
  console.log(`\n${split}: ${ends.length} ends, ${pauses} pauses`);
  const delays = Array.from({ length: LONGEST_MS / STEP_MS }, (_, index) => (index + 1) * STEP_MS);
  const likelihoods = [...new Set(spans.flatMap(({ verdict }) => verdict?.likelihood ?? []))];
  const families: Record<string, Policy[]> = {
    'threshold and two delays': likelihoods.flatMap((threshold) =>
      delays.flatMap((soon) =>
        delays
          .filter((late) => late >= soon)
          .map(
            (late) =>
              ({ verdict }: Span) =>
                (verdict?.likelihood ?? 0) >= threshold ? soon : late,
          ),
      ),
    ),
    'as it waits': delays.map(
      (delay) =>
        ({ verdict }) =>
          ((verdict?.waitMs ?? LONGEST_WAIT_MS) * delay) / 600,
    ),
    'silence alone': delays.map((delay) => () => delay),
  };
  for (const [name, policies] of Object.entries(families))
    for (const budgetMs of BUDGETS_MS) {
      const counts = policies
        .filter((policy) => mean(ends.map(policy)) <= budgetMs)
        .map(
          (policy) => spans.filter((span) => span.lengthMs !== null && policy(span) < span.lengthMs).length,
        );
      const least = Math.min(...counts);
      figure(
        `  ${name}, at ${budgetMs} ms`,
        Number.isFinite(least)
          ? `${((100 * least) / pauses).toFixed(1)} % of the pauses cut off`
          : 'never so soon',
      );
    }
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
