import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { chromium as playwright } from 'playwright-core';
import { RoomPage, serveRoomPages } from '../support/room-page.ts';
import { tokenFor } from '../support/room-peers.ts';
import { figure, percentiles } from './figures.ts';
import type { CallersResult, CallersTask } from './rooms.callers.ts';

interface RoomsBenchOptions {
  /** A LiveKit server's binary for comparison; SIGMA_TEST_LIVEKIT by default, optional. */
  livekit?: string;
  /** Measuring time per room, in milliseconds; 20,000 by default. */
  measureMs?: number;
}

interface Usage {
  cpuMs: number;
  rss: number;
}
interface Measured {
  name: string;
  url: string;
  usage(): Promise<Usage>;
  stop(): Promise<void>;
}

const keys = { apiKey: 'bench', apiSecret: 'a-secret-of-thirty-two-letters-at-least' };
const execArgv = ['--conditions=sigma-source', '--import', 'tsx'];
const scenes = [
  { name: '10 people, all speaking (90 streams)', people: 10, speakers: 10 },
  { name: '50 people listening to one speaker (50 streams)', people: 51, speakers: 1 },
];

/**
 * Measures the embedded room server, and a LiveKit server beside it if there is one: processor, memory, sound, delay.
 */
export async function benchRooms(options: RoomsBenchOptions = {}): Promise<void> {
  const livekit = options.livekit ?? process.env.SIGMA_TEST_LIVEKIT;
  for (const scene of scenes) {
    console.log(`\n${scene.name}`);
    await measure(await startEmbedded(), scene, options.measureMs ?? 20_000);
    if (livekit && existsSync(livekit))
      await measure(await startLiveKit(livekit), scene, options.measureMs ?? 20_000);
    else console.log('a LiveKit server: left out, SIGMA_TEST_LIVEKIT names no binary of it');
  }
  console.log('\nJoining in Chromium: click to the first sound of somebody who is there');
  if (!chromium) {
    console.log('left out, there is no Chromium');
    return;
  }
  await joining(await startEmbedded(), chromium);
  if (livekit && existsSync(livekit)) await joining(await startLiveKit(livekit), chromium);
}

const JOINS = 20;
const chromium = [process.env.SIGMA_TEST_CHROMIUM, '/usr/bin/chromium'].find(
  (path) => path && existsSync(path),
);

async function joining(server: Measured, executablePath: string): Promise<void> {
  const pages = await serveRoomPages();
  const browser = await playwright.launch({
    executablePath,
    args: ['--headless=new', '--no-sandbox', '--disable-gpu', '--autoplay-policy=no-user-gesture-required'],
  });
  const join = async (identity: string, twoConnections: boolean) => {
    const page = await RoomPage.open(browser, pages);
    const token = await tokenFor(keys, { room: 'joining' }, { identity });
    await page.do('join', { url: server.url, token, twoConnections });
    return page;
  };
  try {
    const speaker = await join('speaker', false);
    await speaker.do('hum', 500);
    for (const twoConnections of [false, true]) {
      const times: number[] = [];
      for (let n = 0; n < JOINS; n++) {
        const page = await join(`guest ${n}`, twoConnections);
        let ms: number | null = null;
        for (let tries = 0; ms === null && tries < 500; tries++) {
          ms = await page.do<number | null>('firstSoundMs');
          if (ms === null) await pause(20);
        }
        if (ms !== null) times.push(ms);
        await page.close();
      }
      figure(`${server.name}, ${twoConnections ? 'two connections' : 'one connection'}`, percentiles(times));
    }
  } finally {
    await browser.close();
    await pages.close();
    await server.stop();
  }
}

async function measure(
  server: Measured,
  scene: { people: number; speakers: number },
  measureMs: number,
): Promise<void> {
  const callers = fork(fileURLToPath(new URL('./rooms.callers.ts', import.meta.url)), {
    execArgv,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  try {
    const { people, speakers } = scene;
    const task: CallersTask = { ...keys, url: server.url, people, speakers, settleMs: 6_000, measureMs };
    callers.send(task);
    await once(callers, 'message');
    const before = await server.usage();
    const start = performance.now();
    await once(callers, 'message');
    const after = await server.usage();
    const share = (after.cpuMs - before.cpuMs) / (performance.now() - start);
    const [result]: CallersResult[] = await once(callers, 'message');
    const streams = speakers * (people - 1);
    console.log(server.name);
    figure('  processor, of one core', `${(100 * share).toFixed(1)} %`);
    figure('  per forwarded stream', `${((100 * share) / streams).toFixed(3)} %`);
    figure('  memory', `${Math.round(after.rss / 2 ** 20)} MB`);
    figure('  streams that were heard', `${result?.heard} of ${result?.expected}`);
    figure('  beep to its sound at a listener', percentiles(result?.delayMs ?? []));
    figure('  joining, signalling and media', percentiles(result?.joinMs ?? []));
  } finally {
    callers.kill();
    await server.stop();
    await pause(500);
  }
}

async function startEmbedded(): Promise<Measured> {
  const child = fork(fileURLToPath(new URL('./rooms.server.ts', import.meta.url)), { execArgv });
  const [{ port }] = (await once(child, 'message')) as [{ port: number }];
  return {
    name: 'embedded room server',
    url: `ws://127.0.0.1:${port}`,
    async usage() {
      child.send('usage');
      const [usage] = (await once(child, 'message')) as [Usage];
      return usage;
    },
    stop: () => ended(child),
  };
}

/** Processor use is read from /proc, so this half is for Linux. */
async function startLiveKit(binary: string): Promise<Measured> {
  const port = 20_000 + Math.floor(Math.random() * 20_000);
  const config = {
    port,
    bind_addresses: ['127.0.0.1'],
    rtc: { udp_port: port + 1, tcp_port: 0, use_external_ip: false, enable_loopback_candidate: true },
    keys: { [keys.apiKey]: keys.apiSecret },
    logging: { level: 'error' },
  };
  const child = spawn(binary, ['--config-body', JSON.stringify(config)], { stdio: 'ignore' });
  for (let tries = 0; tries < 100; tries++) {
    if (
      await fetch(`http://127.0.0.1:${port}`).then(
        ({ ok }) => ok,
        () => false,
      )
    )
      break;
    await pause(100);
  }
  return {
    name: 'LiveKit server',
    url: `ws://127.0.0.1:${port}`,
    async usage() {
      const fields = readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
      const ticks = Number(fields[11]) + Number(fields[12]);
      return { cpuMs: ticks * 10, rss: Number(fields[21]) * 4096 };
    },
    stop: () => ended(child),
  };
}

async function ended(child: ChildProcess): Promise<void> {
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
}
