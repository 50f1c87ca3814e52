import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { WebSocket } from 'ws';
import { fromPcm16 } from '#server/audio/pcm16';
import { type Clip, soundOf } from '../../speech/speech-set.ts';
import { isAudible } from '../../support/audible.ts';
import { freePort } from '../../support/free-port.ts';
import { Microphone } from '../speaking.microphone.ts';
import { now } from './clock.ts';
import { PeerProgram } from './program.ts';
import type { Answered, Caller, MeasuredSystem } from './system.ts';

const BOT = fileURLToPath(new URL('./pipecat_bot.py', import.meta.url));
/** Sample rate of its voice, in Hz. */
const SAYS_AT = 24_000;
const FRAME_MS = 10;
const FRAME_SAMPLES = (FRAME_MS * SAYS_AT) / 1000;
/** Between an answer and the next question, as on the other channels: its pauses are no end. */
const BREATH_MS = 700;
const ANSWERED_WITHIN_MS = 15_000;

/** @param python with its packages */
export const pipecat = (python: string): MeasuredSystem => ({
  name: 'Pipecat 1.14.0 (WebSocket)',
  channel: 'page',
  usesServices: true,
  async start({ url }, calls) {
    const bots = await Promise.all(Array.from({ length: calls }, () => Bot.start(python, url)));
    const free = [...bots];
    return {
      async call() {
        const bot = free.pop();
        if (!bot) throw new Error('Each bot takes one call.');
        const caller = await PcmCaller.start(`ws://127.0.0.1:${bot.port}`);
        return {
          async ask(clip) {
            const answered = await caller.ask(clip);
            return { ...answered, takenAt: bot.program.takenIn(answered) };
          },
          async hangUp() {
            await caller.hangUp();
            free.push(bot);
          },
        };
      },
      async close() {
        await Promise.all(bots.map(({ program }) => program.end()));
      },
    };
  },
});

class Bot {
  readonly port: number;
  readonly program: PeerProgram;

  private constructor(program: PeerProgram, port: number) {
    this.program = program;
    this.port = port;
  }

  static async start(python: string, services: string): Promise<Bot> {
    const port = await freePort();
    const program = new PeerProgram(python, [BOT, String(port), services, services]);
    await program.says('ready');
    return new Bot(program, port);
  }
}

/** Speaks and hears PCM over a WebSocket; plays received pieces one after another, like a page. */
class PcmCaller implements Caller {
  readonly #socket: WebSocket;
  readonly #microphone: Microphone;
  #rest = new Float32Array();
  /** The end of the sound to play, and of its last audible piece. */
  #playsUntil = 0;
  #audibleUntil = 0;
  #heardAt: number | null = null;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    this.#microphone = new Microphone((pcm) => socket.send(pcm));
    socket.on('message', (data: Buffer) => this.#play(data));
  }

  static async start(url: string): Promise<PcmCaller> {
    const socket = new WebSocket(url, { perMessageDeflate: false });
    await once(socket, 'open');
    return new PcmCaller(socket);
  }

  async ask(clip: Clip): Promise<Answered> {
    const samples = await soundOf(clip);
    await pause(BREATH_MS);
    this.#heardAt = null;
    const endedAt = performance.timeOrigin + this.#microphone.say(samples, clip.endMs);
    const deadline = endedAt + ANSWERED_WITHIN_MS;
    while (
      now() < deadline &&
      !(this.#heardAt !== null && now() > Math.max(endedAt, this.#audibleUntil) + BREATH_MS)
    )
      await pause(20);
    return { clip, endedAt, heardAt: this.#heardAt, takenAt: null };
  }

  async hangUp(): Promise<void> {
    this.#microphone.off();
    const closed = once(this.#socket, 'close');
    this.#socket.close();
    await closed;
  }

  #play(pcm: Uint8Array): void {
    const come = fromPcm16(pcm);
    const sound = new Float32Array(this.#rest.length + come.length);
    sound.set(this.#rest);
    sound.set(come, this.#rest.length);
    this.#playsUntil = Math.max(now(), this.#playsUntil);
    let start = 0;
    for (; start + FRAME_SAMPLES <= sound.length; start += FRAME_SAMPLES) {
      this.#playsUntil += FRAME_MS;
      if (!isAudible(sound.subarray(start, start + FRAME_SAMPLES))) continue;
      this.#heardAt ??= this.#playsUntil;
      this.#audibleUntil = this.#playsUntil;
    }
    this.#rest = sound.slice(start);
  }
}
