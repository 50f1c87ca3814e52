import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { io } from 'socket.io-client';
import { signedInSchema } from '#shared/accounts';
import type { AiResponseChunk, ConversationStarted } from '#shared/realtime';
import { serverStatusSchema } from '#shared/status';
import { resident } from './resident.js';

const root = fileURLToPath(new URL('../..', import.meta.url));

interface StartupFigures {
  /** Fresh clone, empty HOME, empty npm cache, empty data and models directories → ready line, ms. */
  freshStartMs: number;
  /** The same clone started again → ready line, ms; and → first spoken sentence of an answer. */
  secondStartMs: number;
  firstSpokenAnswerMs: number;
  /** Resident memory in MB: at the ready line's first idle moment before the voice, and idle with the voice loaded. */
  rssBeforeVoiceMb: number;
  rssWithVoiceMb: number;
}

/** Clones what is committed, starts it twice as a newcomer would, and measures. Needs the npm registry; takes 1–3 minutes. */
export async function benchStartup(): Promise<StartupFigures> {
  const home = mkdtempSync(join(tmpdir(), 'sigma-bench-'));
  const clone = join(home, 'sigma');
  const env: NodeJS.ProcessEnv = {
    PATH: process.env.PATH,
    HOME: home,
    npm_config_cache: join(home, 'npm-cache'),
    PORT: '0',
    LOG_LEVEL: 'warn',
  };
  for (const name of [
    'SystemRoot',
    'NODE_EXTRA_CA_CERTS',
    'HTTPS_PROXY',
    'https_proxy',
    'npm_config_registry',
  ])
    if (process.env[name]) env[name] = process.env[name];
  try {
    execFileSync('git', ['clone', '--quiet', root, clone]);
    const fresh = await start(clone, env);
    await voiceReady(fresh);
    await stop(fresh.child);

    const noModels = await start(clone, {
      ...env,
      MODELS_DIR: join(home, 'nothing'),
      npm_config_registry: 'http://127.0.0.1:9/',
    });
    await pause(5_000);
    const rssBeforeVoiceMb = rssOf(noModels.child);
    await stop(noModels.child);

    const second = await start(clone, env);
    const firstSpokenAnswerMs = await firstSpokenAnswer(second);
    await pause(5_000);
    const rssWithVoiceMb = rssOf(second.child);
    await stop(second.child);
    return {
      freshStartMs: fresh.readyMs,
      secondStartMs: second.readyMs,
      firstSpokenAnswerMs,
      rssBeforeVoiceMb,
      rssWithVoiceMb,
    };
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

interface Started {
  child: ChildProcess;
  url: string;
  startedAt: number;
  readyMs: number;
}

function start(cwd: string, env: NodeJS.ProcessEnv): Promise<Started> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, ['scripts/start.js'], {
    cwd,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return new Promise((resolve, reject) => {
    let printed = '';
    const look = (chunk: Buffer) => {
      printed += chunk.toString();
      const url = /Sigma is ready at (http:\/\/\S+)/.exec(printed)?.[1];
      if (url)
        resolve({ child, url: url.replace(/\/$/, ''), startedAt, readyMs: performance.now() - startedAt });
    };
    child.stdout?.on('data', look);
    child.stderr?.on('data', look);
    child.once('exit', () => reject(new Error(`The server ended before it was ready:\n${printed}`)));
  });
}

async function stop(child: ChildProcess): Promise<void> {
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  await gone;
}

/** A new account's token. */
async function register(url: string): Promise<{ token: string; userId: string }> {
  const response = await fetch(`${url}/api/auth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      name: 'Bench',
      email: `bench-${Date.now()}-${Math.random()}@sigma.example`,
      password: 'measured twice, cut once',
    }),
  });
  const body = signedInSchema.parse(await response.json());
  return { token: body.token, userId: body.user._id };
}

async function voiceReady(server: Started): Promise<void> {
  const { token } = await register(server.url);
  for (;;) {
    const response = await fetch(`${server.url}/api/status`, {
      headers: { authorization: `Bearer ${token}` },
    });
    const status = serverStatusSchema.parse(await response.json());
    if (status.voice.status.state === 'ready') return;
    if (performance.now() - server.startedAt > 180_000)
      throw new Error(`No voice: ${status.voice.status.message}`);
    await pause(250);
  }
}

/** From the start of the process to the first chunk with sound, asking again until the voice has loaded. */
async function firstSpokenAnswer(server: Started): Promise<number> {
  const { token, userId } = await register(server.url);
  const socket = io(server.url, { auth: { token, streaming: true }, transports: ['websocket'] });
  try {
    const started = await new Promise<ConversationStarted>((resolve) => {
      socket.once('conversation_started', resolve);
      socket.once('connect', () => socket.emit('start_conversation', { userId, isCallSimulator: true }));
    });
    for (;;) {
      const answered = new Promise<boolean>((resolve) => {
        const done = (heard: boolean) => {
          socket.off('ai_response_chunk', onChunk);
          socket.off('ai_response', onEnd);
          resolve(heard);
        };
        const onChunk = (chunk: AiResponseChunk) => {
          if (chunk.audioData) done(true);
        };
        const onEnd = () => done(false);
        socket.on('ai_response_chunk', onChunk);
        socket.on('ai_response', onEnd);
      });
      socket.emit('user_message', {
        conversationId: started.conversationId,
        message: 'What are your opening hours?',
      });
      if (await answered) return performance.now() - server.startedAt;
      if (performance.now() - server.startedAt > 60_000) throw new Error('No spoken answer within a minute.');
    }
  } finally {
    socket.close();
  }
}

/** Resident memory of a server, both its processes, in MB; Linux only, 0 elsewhere. */
function rssOf({ pid = 0 }: ChildProcess): number {
  try {
    return resident(pid).all;
  } catch {
    return 0;
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
