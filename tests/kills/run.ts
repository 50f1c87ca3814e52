import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { conversationSchema } from '#shared/conversations';
import { drawFrom } from '../fuzz/mutate.ts';
import { freePort } from '../support/free-port.ts';
import { Caller } from './caller.ts';
import { leaveFirstRelease, type OldAccount } from './first-release.ts';
import { KilledServer } from './server.ts';

/** In the middle of what a server is killed. */
type Moment = 'calls and uploads' | 'start' | 'first start' | 'migration';
const moments: readonly Moment[] = [
  'calls and uploads',
  'start',
  'first start',
  'migration',
  'calls and uploads',
];

export interface Kill {
  moment: Moment;
  /** How long it had run, in milliseconds. */
  afterMs: number;
  /** From the kill, after which the next one is started at once, until that serves; in milliseconds. */
  servesMs: number;
  /** Processor time of that start, in milliseconds; null but on Linux. */
  cpuMs: number | null;
  /** What was lost, or is there twice. */
  problems: string[];
}

/** How long somebody talks at most before the kill, and how long starts take that are killed, in milliseconds. */
const TALK_MS = 2_500;
const START_MS = 2_000;
const FIRST_START_MS = 5_000;
const CALLERS = 2;

/**
 * Kills servers with SIGKILL, starts the next one at once on the same port and data, and looks for what was acknowledged.
 * The moments are those of the seed: every fifth kill is of each kind, calls of two.
 */
export async function killAgain(
  { kills, seed }: { kills: number; seed: number },
  onKill: (kill: Kill) => void = () => {},
): Promise<{ kills: Kill[]; acknowledged: number }> {
  const draw = drawFrom(seed);
  const scratch = await mkdtemp(join(tmpdir(), 'sigma-kills-'));
  const port = await freePort();
  const done: Kill[] = [];
  const running = new Set<KilledServer>();
  const start = (dataDir: string) => {
    const server = KilledServer.start({ dataDir, home: join(scratch, 'home'), port });
    running.add(server);
    return server;
  };
  const end = async (server: KilledServer) => {
    await server.kill();
    running.delete(server);
  };
  /** Kills a server and starts the next one in its place. */
  const replace = async (server: KilledServer, dataDir: string) => {
    void end(server);
    const next = start(dataDir);
    return { next, times: await next.serves() };
  };

  let live: KilledServer | null = null;
  let callers: Caller[] = [];
  const home = join(scratch, 'data');
  const old = join(scratch, 'first-release');
  let account: OldAccount | null = null;
  try {
    for (let n = 0; n < kills; n++) {
      const moment = moments[n % moments.length] ?? 'start';
      if (moment === 'calls and uploads' || moment === 'start') {
        const wasRunning: KilledServer = live ?? start(home);
        if (!live) await wasRunning.serves();
        live = wasRunning;
        if (callers.length === 0)
          callers = await Promise.all(Array.from({ length: CALLERS }, () => Caller.begin(wasRunning.url)));
        const afterMs = draw(moment === 'start' ? START_MS : TALK_MS);
        let dying = wasRunning;
        if (moment === 'start') {
          await end(wasRunning);
          dying = start(home);
          dying.serves().catch(() => {});
          await pause(afterMs);
        } else {
          const talking = callers.map((caller) => caller.talk(wasRunning.url));
          await pause(afterMs);
          void wasRunning.kill();
          await Promise.all(talking);
        }
        const { next, times } = await replace(dying, home);
        live = next;
        const problems: string[] = [];
        for (const caller of callers) problems.push(...(await caller.comeBack(next.url)));
        done.push({ moment, afterMs, ...times, problems });
      } else {
        if (live) await end(live);
        live = null;
        const dataDir = join(scratch, `other-${n}`);
        if (moment === 'migration') {
          account ??= await leaveFirstRelease(old);
          await cp(old, dataDir, { recursive: true });
        }
        const dying = start(dataDir);
        dying.serves().catch(() => {});
        const afterMs = draw(moment === 'migration' ? START_MS : FIRST_START_MS);
        await pause(afterMs);
        const { next, times } = await replace(dying, dataDir);
        const problems =
          moment === 'migration' && account
            ? await missingOf(account, next.url)
            : await (await Caller.begin(next.url)).comeBack(next.url);
        done.push({ moment, afterMs, ...times, problems });
        await end(next);
        await rm(dataDir, { recursive: true, force: true });
      }
      const last = done.at(-1);
      if (last) onKill(last);
    }
    return { kills: done, acknowledged: callers.reduce((sum, caller) => sum + caller.acknowledged, 0) };
  } finally {
    for (const server of running) await server.kill();
    await rm(scratch, { recursive: true, force: true, maxRetries: 10 });
  }
}

/** What is not there of what the first release held. */
async function missingOf({ token, conversationIds, messages }: OldAccount, url: string): Promise<string[]> {
  const problems: string[] = [];
  for (const id of [conversationIds[0], conversationIds.at(-1)]) {
    const response = await fetch(`${url}/api/conversations/${id}`, {
      headers: { authorization: `Bearer ${token}` },
    });
    const found = conversationSchema.safeParse(await response.json());
    if (found.data?.messages.length !== messages)
      problems.push(`${found.data?.messages.length ?? response.status} of ${messages} messages`);
  }
  return problems;
}
