import { loadavg } from 'node:os';
import process from 'node:process';
import { type Kill, killAgain } from '../kills/run.ts';
import { figure, percentiles, share } from './figures.ts';

/** The longest restart on an otherwise idle machine, in milliseconds. */
const SERVES_WITHIN_MS = 5_000;

/**
 * Kills the server 200 times (KILLS=…, with the seed KILLS_SEED) in calls, uploads, starts, first starts and
 * migrations. With SIGMA_TEST_BUILT=1 it kills the built server.
 */
export async function benchKills(): Promise<void> {
  const [kills, seed] = [Number(process.env.KILLS ?? 200), Number(process.env.KILLS_SEED ?? 1)];
  const told = ({ moment, afterMs, servesMs, cpuMs, problems }: Kill) =>
    console.log(
      `${moment.padEnd(18)} after ${String(afterMs).padStart(4)} ms   serves after ${Math.round(servesMs)} ms (${cpuMs ?? '–'} ms of a processor)   ${problems.join('; ')}`,
    );
  const { kills: done, acknowledged } = await killAgain({ kills, seed }, told);
  figure('acknowledged messages and uploads of the calls', String(acknowledged));
  figure(
    'kills after which something was missing or twice',
    share(done.filter(hasProblems).length, done.length),
  );
  figure('serves again, started at once', percentiles(done.map(({ servesMs }) => servesMs)));
  figure('– of a processor', percentiles(done.flatMap(({ cpuMs }) => cpuMs ?? [])));
  const late = done.filter(({ servesMs }) => servesMs > SERVES_WITHIN_MS).length;
  figure('later than 5 s', `${share(late, done.length)}, load ${loadavg()[0]?.toFixed(1)}`);
}

const hasProblems = ({ problems }: Kill) => problems.length > 0;
