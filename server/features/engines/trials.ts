import { randomInt, randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { resample } from '#server/audio/resampler';
import { joinSounds, type Sound } from '#server/audio/sound';
import { complaintOf } from '#server/engines/complaint';
import type { EngineConfig } from '#server/engines/controls';
import type { Engines } from '#server/engines/index';
import type { LanguageEngine } from '#server/engines/language/contract';
import { HEARING_SAMPLE_RATE } from '#server/engines/recognition/contract';
import type { SynthesisEngine } from '#server/engines/synthesis/contract';
import { EngineError } from '#server/lib/engine-error';
import { timeLimit, untilAborted } from '#server/lib/wait';
import type { EngineCapability, EngineTrial } from '#shared/engine-settings';
import type { EngineStatus } from '#shared/status';

interface TrialsDependencies {
  engines: Pick<
    Engines,
    'models' | 'recognition' | 'synthesis' | 'encoder' | 'rooms' | 'mediaStore' | 'controls'
  >;
  /** The embedded reader's answer, sentence by sentence. */
  reader(question: string, signal: AbortSignal): AsyncIterable<string>;
}

const LIMIT_MS = 20_000;
const LOOK_MS = 100;
const MAX_TEXT = 1_000;

const QUESTION = 'How many days do I have to return an item?';
const INSTRUCTIONS =
  'You answer for the customer service of a shop, in one short sentence. Items can be returned within 45 days.';
/** A different sentence each time, because engines cache their results. */
const aSentence = () =>
  `Hello! Your order ${randomInt(1_000, 10_000)} is on its way, and it will be with you tomorrow morning.`;

/** The result of a trial without the engine's name and the total time. */
type Came = Omit<EngineTrial, 'name' | 'ms'>;
/** @param ms since the trial began */
type Work = (signal: AbortSignal, ms: () => number) => Promise<Came>;

/** Tries an engine with a real request, and reports the result. */
export class Trials {
  readonly #deps: TrialsDependencies;

  constructor(deps: TrialsDependencies) {
    this.#deps = deps;
  }

  /**
   * @param config null: tries the engines in use; else engines of these settings, which are closed afterwards
   * @param secrets that no error may repeat
   * @throws the signal's reason
   */
  run(
    capability: EngineCapability,
    config: EngineConfig | null,
    secrets: readonly string[],
    signal: AbortSignal,
  ): Promise<EngineTrial[]> {
    const tried: Tried = (name, work) => trialOf(name, work, secrets, signal);
    if (capability === 'language') return this.#language(config, tried);
    const trial = {
      ears: () => this.#ears(config, tried),
      voice: () => this.#voice(config, tried),
      rooms: () => this.#rooms(config, tried),
      storage: () => this.#storage(config, tried),
    }[capability];
    return trial().then((one) => [one]);
  }

  async #language(config: EngineConfig | null, tried: Tried): Promise<EngineTrial[]> {
    const { engines, reader } = this.#deps;
    const models = config ? engines.controls.make.models(config) : engines.models();
    if (models.length > 0)
      return Promise.all(
        models.map((model) => tried(model.name, (signal, ms) => answerOf(model, signal, ms))),
      );
    const trial = await tried('Grounded responder', async (signal, ms) => {
      const sentences: string[] = [];
      let firstMs: number | undefined;
      for await (const sentence of reader(QUESTION, signal)) {
        firstMs ??= ms();
        sentences.push(sentence);
      }
      return { asked: QUESTION, text: sentences.join(' '), ...(firstMs === undefined ? {} : { firstMs }) };
    });
    return [trial];
  }

  async #voice(config: EngineConfig | null, tried: Tried): Promise<EngineTrial> {
    const { engines } = this.#deps;
    const voice = config ? engines.controls.make.synthesis(config) : engines.synthesis;
    try {
      return await tried(voice.name, async (signal, ms) => {
        const asked = aSentence();
        const { sound, firstMs } = await spoken(voice, asked, signal, ms);
        const { audio, mediaType } = await engines.encoder.encode(sound, 'now');
        const data = Buffer.from(audio).toString('base64');
        return { asked, sound: { data, mediaType }, firstMs };
      });
    } finally {
      if (config) await voice.close();
    }
  }

  async #ears(config: EngineConfig | null, tried: Tried): Promise<EngineTrial> {
    const { engines } = this.#deps;
    const ears = config ? engines.controls.make.recognition(config) : engines.recognition;
    try {
      return await tried(ears.name, async (signal, ms) => {
        const asked = aSentence();
        const { sound } = await spoken(engines.synthesis, asked, signal, ms);
        await loaded(ears, signal);
        const samples = resample(sound.samples, sound.sampleRate, HEARING_SAMPLE_RATE);
        const begin = ms();
        const text = await ears.recognize({ samples, urgency: 'final', language: 'en', signal });
        const firstMs = ms() - begin;
        if (text === '') throw new EngineError('It heard nothing.', { retryable: true });
        return { asked, text, firstMs };
      });
    } finally {
      if (config) await ears.close();
    }
  }

  async #rooms(config: EngineConfig | null, tried: Tried): Promise<EngineTrial> {
    const { engines } = this.#deps;
    const isAnother = config?.rooms.livekit != null;
    if (config && !isAnother && engines.rooms.kind !== 'embedded')
      return { name: 'Embedded rooms', text: 'It starts with the server.', ms: 0 };
    const rooms = config && isAnother ? await engines.controls.make.rooms(config) : engines.rooms;
    try {
      return await tried(rooms.name, async () => {
        await rooms.listParticipants(`trial-${randomUUID()}`);
        return { text: 'The room server answers, and takes the keys of this one.' };
      });
    } finally {
      if (rooms !== engines.rooms) await rooms.close();
    }
  }

  async #storage(config: EngineConfig | null, tried: Tried): Promise<EngineTrial> {
    const { engines } = this.#deps;
    const store = config ? engines.controls.make.storage(config) : engines.mediaStore;
    try {
      return await tried(store.name, async (signal) => {
        const key = `trial/${randomUUID()}`;
        const bytes = Buffer.from(key);
        await store.put(key, Readable.from([bytes]), { mediaType: 'text/plain', signal });
        try {
          const read = await store.open(key, undefined, signal);
          if (!read || !bytes.equals(await buffer(read)))
            throw new EngineError('What was read is not what was written.', { retryable: false });
        } finally {
          await store.delete(key);
        }
        return { text: 'A small file was written, read and removed.' };
      });
    } finally {
      if (config) await store.close();
    }
  }
}

type Tried = (name: string, work: Work) => Promise<EngineTrial>;

/** @throws the signal's reason */
async function trialOf(
  name: string,
  work: Work,
  secrets: readonly string[],
  signal: AbortSignal,
): Promise<EngineTrial> {
  const begin = performance.now();
  const ms = () => Math.round(performance.now() - begin);
  const clock = timeLimit(LIMIT_MS);
  const both = AbortSignal.any([signal, clock]);
  try {
    const came = await untilAborted(work(both, ms), both);
    return { name, ...came, ms: ms() };
  } catch (error) {
    signal.throwIfAborted();
    const problem = clock.aborted
      ? `It did not answer within ${LIMIT_MS / 1_000} seconds.`
      : complaintOf(error, secrets);
    return { name, problem, ms: ms() };
  }
}

async function answerOf(model: LanguageEngine, signal: AbortSignal, ms: () => number): Promise<Came> {
  let text = '';
  let firstMs: number | undefined;
  let tokens: EngineTrial['tokens'];
  const messages = [{ role: 'user' as const, content: QUESTION }];
  for await (const event of model.stream({ instructions: INSTRUCTIONS, messages, signal })) {
    if (event.type !== 'thinking') firstMs ??= ms();
    if (event.type === 'text') text += event.text;
    if (event.type === 'end') tokens = event.usage;
  }
  return {
    asked: QUESTION,
    text: text.trim().slice(0, MAX_TEXT),
    ...(firstMs === undefined ? {} : { firstMs }),
    ...(tokens ? { tokens } : {}),
  };
}

async function spoken(
  voice: SynthesisEngine,
  text: string,
  signal: AbortSignal,
  ms: () => number,
): Promise<{ sound: Sound; firstMs: number }> {
  await loaded(voice, signal);
  const begin = ms();
  const sounds: Sound[] = [];
  let firstMs = 0;
  for await (const phrase of voice.synthesize({ text, urgency: 'first', language: 'en', signal })) {
    if (sounds.length === 0) firstMs = ms() - begin;
    sounds.push(phrase);
  }
  return { sound: joinSounds(sounds), firstMs };
}

/** Waits for an engine to load. @throws EngineError with its status while its weights are fetched */
async function loaded(engine: { status(): EngineStatus }, signal: AbortSignal): Promise<void> {
  for (;;) {
    const { state, message } = engine.status();
    if (state === 'fetching') throw new EngineError(message, { retryable: true });
    if (state !== 'loading') return;
    await delay(LOOK_MS, undefined, { signal });
  }
}
