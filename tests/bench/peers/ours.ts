import type { Clip } from '../../speech/speech-set.ts';
import { firstAudibleMs } from '../../support/audible.ts';
import { decodeMp3 } from '../../support/decode-mp3.ts';
import type { RunningRooms } from '../../support/room-servers.ts';
import { RoomCall } from '../rooms-agent.call.ts';
import { SpokenCall } from '../speaking.call.ts';
import { startServer } from '../turn-server.start.ts';
import type { Services } from './services.ts';
import type { Answered, Caller, MeasuredSystem } from './system.ts';

/**
 * The product as users get it: ears, voice and reading inside. Its answers are looked up, then begin with twelve other
 * words.
 */
export const oursAsDelivered: MeasuredSystem = {
  name: 'Sigma as delivered (its own ears, voice and answers)',
  channel: 'page',
  usesServices: false,
  async start() {
    const server = await startServer();
    return { call: () => PageCaller.start(server.url), close: () => server.close() };
  },
};

/** The same with the others' services. */
export const oursOnServices: MeasuredSystem = {
  name: 'Sigma (the same ears, voice and answer as the others)',
  channel: 'page',
  usesServices: true,
  async start(services) {
    const server = await startServer({ isAnswerFixed: true, env: speechOf(services) });
    return { call: () => PageCaller.start(server.url), close: () => server.close() };
  },
};

/** In a room of the same LiveKit server as the others. */
export const oursInRoom = (rooms: RunningRooms): MeasuredSystem => ({
  name: 'Sigma in a room (the same ears, voice and answer)',
  channel: 'room',
  usesServices: true,
  async start(services) {
    const server = await startServer({
      isAnswerFixed: true,
      env: {
        ...speechOf(services),
        LIVEKIT_URL: rooms.url,
        LIVEKIT_API_KEY: rooms.apiKey,
        LIVEKIT_API_SECRET: rooms.apiSecret,
      },
    });
    return {
      async call() {
        const call = await RoomCall.join(server.url);
        await call.agentListens(0);
        return new RoomCaller(call);
      },
      close: () => server.close(),
    };
  },
});

const speechOf = ({ url }: Services) => ({ STT_BASE_URL: url, TTS_BASE_URL: url });

class PageCaller implements Caller {
  readonly #call: SpokenCall;

  private constructor(call: SpokenCall) {
    this.#call = call;
  }

  static async start(url: string): Promise<PageCaller> {
    return new PageCaller(await SpokenCall.start(url));
  }

  async ask(clip: Clip): Promise<Answered> {
    const { endedAt, audioMs, firstTakenMs, sound } = await this.#call.ask(clip);
    const ended = performance.timeOrigin + endedAt;
    const since = (ms: number | null) => (ms === null ? null : ended + ms);
    const silenceMs = sound && (await silenceBefore(sound));
    return {
      clip,
      endedAt: ended,
      heardAt: since(audioMs === null || silenceMs === null ? null : audioMs + silenceMs),
      takenAt: since(firstTakenMs),
    };
  }

  async hangUp(): Promise<void> {
    this.#call.hangUp();
  }
}

async function silenceBefore(mp3: Uint8Array): Promise<number | null> {
  const { samples, sampleRate } = await decodeMp3(mp3);
  return firstAudibleMs(samples, sampleRate);
}

/** A customer in a room with any agent. */
export class RoomCaller implements Caller {
  readonly #call: RoomCall;

  constructor(call: RoomCall) {
    this.#call = call;
  }

  async ask(clip: Clip): Promise<Answered> {
    const { endedAt, soundAt, takenAt } = await this.#call.ask(clip);
    return { clip, endedAt, heardAt: soundAt, takenAt };
  }

  hangUp(): Promise<void> {
    return this.#call.leave();
  }
}
