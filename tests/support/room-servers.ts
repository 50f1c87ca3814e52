import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import process from 'node:process';
import { RoomServer } from '#server/engines/rooms/embedded/room-server';
import type { RoomsEvent } from '#server/engines/rooms/embedded/signalling/rooms';
import { freePort } from './free-port.ts';
import { runsEveryday, runsRest } from './test-part.ts';

/** A running room server of either kind. */
export interface RunningRooms {
  /** ws://… */
  url: string;
  apiKey: string;
  apiSecret: string;
  /** Stops it and starts again at the same address, with the same keys. */
  restart(): Promise<void>;
  stop(): Promise<void>;
  /** Embedded only: its events in order, and unexpected errors. */
  events: RoomsEvent[];
  failures: unknown[];
}

interface RoomServerKind {
  name: string;
  /** Why it is not available here; null: it is. */
  missing: string | null;
  start(): Promise<RunningRooms>;
}

const keys = { apiKey: 'testing', apiSecret: 'a-secret-of-thirty-two-letters-at-least' };
const livekit = process.env.SIGMA_TEST_LIVEKIT;

export const embeddedRooms: RoomServerKind = {
  name: 'the embedded room server',
  missing: null,
  start: startEmbedded,
};
/** A LiveKit binary named by SIGMA_TEST_LIVEKIT. */
export const livekitRooms: RoomServerKind = {
  name: 'a LiveKit server',
  missing: livekit && existsSync(livekit) ? null : 'SIGMA_TEST_LIVEKIT names no binary of it',
  start: () => startLiveKit(livekit ?? ''),
};

/** Both servers that the tests run against: ours every day, LiveKit's in the rest. */
export const roomServers: readonly RoomServerKind[] = [
  ...(runsEveryday ? [embeddedRooms] : []),
  ...(runsRest ? [livekitRooms] : []),
];

export async function startEmbedded(): Promise<RunningRooms> {
  const events: RoomsEvent[] = [];
  const failures: unknown[] = [];
  const start = (port: number | null) =>
    RoomServer.start({
      keys,
      port,
      ports: null,
      externalAddress: null,
      onEvent: (event) => events.push(event),
      onFailure: (error) => failures.push(error),
    });
  let server = await start(null);
  const { port } = server;
  return {
    ...keys,
    url: `ws://127.0.0.1:${port}`,
    events,
    failures,
    async restart() {
      await server.close();
      server = await start(port);
    },
    stop: () => server.close(),
  };
}

/** @param binary path of a LiveKit server */
export async function startLiveKit(binary: string): Promise<RunningRooms> {
  const [port, udpPort] = [await freePort(), await freePort()];
  const config = {
    port,
    bind_addresses: ['127.0.0.1'],
    rtc: { udp_port: udpPort, tcp_port: 0, use_external_ip: false, enable_loopback_candidate: true },
    keys: { [keys.apiKey]: keys.apiSecret },
    logging: { level: 'error' },
  };
  const start = async () => {
    const child = spawn(binary, ['--config-body', JSON.stringify(config)], {
      stdio: ['ignore', 'ignore', 'ignore'],
    });
    await answers(`http://127.0.0.1:${port}/`, child);
    return child;
  };
  let child = await start();
  return {
    ...keys,
    url: `ws://127.0.0.1:${port}`,
    events: [],
    failures: [],
    async restart() {
      await end(child, 'SIGKILL');
      child = await start();
    },
    stop: () => end(child, 'SIGKILL'),
  };
}

async function answers(url: string, child: ChildProcess): Promise<void> {
  for (let tries = 0; tries < 200; tries++) {
    if (child.exitCode !== null) throw new Error('The LiveKit server ended before it answered.');
    const isThere = await fetch(url).then(
      (response) => response.ok,
      () => false,
    );
    if (isThere) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('The LiveKit server does not answer.');
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill(signal);
  await gone;
}
