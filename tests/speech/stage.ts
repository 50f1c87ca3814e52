import { setImmediate as nextTurn } from 'node:timers/promises';
import type { RecognitionEngine, RecognitionRequest } from '#server/engines/recognition/contract';
import type { TurnJudgementEngine } from '#server/engines/turn-judgement/contract';
import { createTurnJudgement } from '#server/engines/turn-judgement/index';
import { toldVerdicts } from '#server/engines/turn-judgement/told-verdicts';
import type { VoiceActivityEngine } from '#server/engines/voice-activity/contract';
import { EngineError } from '#server/lib/engine-error';
import type { SpokenUtterance, TurnTakingListener } from '#server/listening/contract';
import { listen } from '#server/listening/listen';
import { type AgentVoice, Loudspeaker } from './loudspeaker.ts';
import { roomTone } from './sounds.ts';
import { CLIP_RATE } from './speech-set.ts';

/** An event of turn-taking and its time: milliseconds of sound since the microphone was switched on. */
export type Told = { atMs: number } & (
  | { what: 'speaking'; isSpeaking: boolean }
  | { what: 'partial' | 'candidate'; text: string }
  | { what: 'hold' | 'release' | 'interrupt' }
  | { what: 'utterance'; utterance: SpokenUtterance }
  | { what: 'failed'; message: string }
  /** The verdict on a pause, or on speech over the agent. */
  | { what: 'verdict'; rule: string }
  /** The agent's voice began to play. */
  | { what: 'agent' }
);

export interface Scene {
  /** The microphone's sound at CLIP_RATE, without the agent. */
  sound: Float32Array;
  /** A reply that plays during the sound. It pauses on `hold` and continues after `release`. */
  agent?: AgentVoice;
  /** Answers this long after each utterance: a customer who continues before that is not interrupted. */
  answersAfterMs?: number;
  /** Ends early, after this event. */
  until?: (told: readonly Told[]) => boolean;
}

export interface StageOptions {
  recognition: RecognitionEngine;
  voiceActivity: VoiceActivityEngine;
  /** The product's own by default. */
  judgement?: TurnJudgementEngine;
  /**
   * Time of a recognition on the clock of sound, from its measured time. As measured by default; a fixed one makes
   * scenes repeatable to the millisecond.
   */
  latency?: (measuredMs: number, request: RecognitionRequest) => number;
  /** Length of sound per packet of a page, ms. */
  chunkMs?: number;
}

const CHUNK_MS = 48;
const ANSWER: AgentVoice = { text: 'Let me have a look at that for you.', fromMs: 0, durationMs: 2_500 };

/**
 * Plays a scene to turn-taking as fast as the engines allow, but as if in real time: the clock is the sound, and a
 * recognition that took 180 ms is answered after 180 ms more of sound; one at a time, like the engine.
 */
export async function perform(scene: Scene, options: StageOptions): Promise<Told[]> {
  const told: Told[] = [];
  const clock = { nowMs: 0 };
  const computing = new Set<Promise<unknown>>();
  const recognition = onClock(options, clock, computing);
  const judgement = options.judgement ?? createTurnJudgement();
  const tell = (event: Told) => told.push(event);
  const at = () => ({ atMs: clock.nowMs });
  const loudspeaker = new Loudspeaker(scene.agent ?? null, (text) => {
    if (text !== null) tell({ ...at(), what: 'agent' });
    turns.agentSays(text);
  });
  const listener: TurnTakingListener = {
    speaking: (isSpeaking) => tell({ ...at(), what: 'speaking', isSpeaking }),
    partial: (text) => tell({ ...at(), what: 'partial', text }),
    candidate: (text) => tell({ ...at(), what: 'candidate', text }),
    hold() {
      tell({ ...at(), what: 'hold' });
      loudspeaker.hold(clock.nowMs);
    },
    release() {
      tell({ ...at(), what: 'release' });
      loudspeaker.release();
    },
    interrupt() {
      tell({ ...at(), what: 'interrupt' });
      loudspeaker.interrupt();
    },
    utterance(utterance) {
      tell({ ...at(), what: 'utterance', utterance });
      if (scene.answersAfterMs !== undefined)
        loudspeaker.play({ ...ANSWER, fromMs: clock.nowMs + scene.answersAfterMs });
    },
    failed: (message) => tell({ ...at(), what: 'failed', message }),
  };
  const turns = listen(
    {
      mode: 'hands-free',
      language: 'en',
      recognition: recognition.engine,
      voiceActivity: watched(options.voiceActivity, computing),
      listener,
    },
    toldVerdicts({ ...judgement, ...awaited(judgement, computing) }, ({ rule }) =>
      tell({ ...at(), what: 'verdict', rule }),
    ),
  );

  async function settle(): Promise<void> {
    do {
      await Promise.allSettled(computing);
      await nextTurn();
      await nextTurn();
    } while (computing.size > 0);
  }

  const length = Math.round(((options.chunkMs ?? CHUNK_MS) * CLIP_RATE) / 1_000);
  try {
    for (let start = 0; start < scene.sound.length; start += length) {
      const chunk = loudspeaker.over(scene.sound.subarray(start, start + length), clock.nowMs);
      await recognition.until(((start + chunk.length) * 1_000) / CLIP_RATE, settle);
      turns.accept(chunk);
      await settle();
      if (scene.until?.(told)) break;
    }
  } finally {
    turns.close();
    recognition.drop();
    await settle();
  }
  return told;
}

/** Adds this many milliseconds of a quiet room before and after, and its tone under the sound. */
export function inRoom(sound: Float32Array, beforeMs: number, afterMs: number, seed = 1): Float32Array {
  const before = Math.round((beforeMs * CLIP_RATE) / 1_000);
  const room = roomTone((sound.length * 1_000) / CLIP_RATE + beforeMs + afterMs, seed);
  for (let index = 0; index < sound.length; index++)
    room[before + index] = (room[before + index] ?? 0) + (sound[index] ?? 0);
  return room;
}

interface Job {
  request: RecognitionRequest;
  /** On the clock of sound. */
  startsMs: number;
  dueMs: number;
  settle: () => void;
  fail: (error: unknown) => void;
}

/** The engine on a clock that only moves with the sound: one request at a time, finals before partials. */
function onClock(options: StageOptions, clock: { nowMs: number }, computing: Set<Promise<unknown>>) {
  const latency = options.latency ?? ((measuredMs: number) => measuredMs);
  const jobs = new Set<Job>();
  /** One after another, so that each is measured alone. */
  let before: Promise<unknown> = Promise.resolve();

  function enqueue(job: Job, tookMs: number): void {
    const ahead = [...jobs].filter((other) => {
      const waits = other.startsMs > clock.nowMs;
      if (waits && other.request.urgency === 'partial') {
        jobs.delete(other);
        other.fail(new EngineError('The ears are busy.', { retryable: true }));
        return false;
      }
      return true;
    });
    job.startsMs = Math.max(clock.nowMs, ...ahead.map((other) => other.dueMs));
    job.dueMs = job.startsMs + tookMs;
    jobs.add(job);
  }

  const engine: RecognitionEngine = {
    name: options.recognition.name,
    status: () => options.recognition.status(),
    close: async () => {},
    recognize: (request) =>
      new Promise((resolve, reject) => {
        const { signal, ...rest } = request;
        if (signal?.aborted) {
          reject(signal.reason);
          return;
        }
        const job: Job = { request, startsMs: 0, dueMs: 0, settle: () => {}, fail: reject };
        signal?.addEventListener('abort', () => {
          // A begun job keeps the engine busy; a waiting one leaves the queue.
          if (job.startsMs > clock.nowMs) jobs.delete(job);
          reject(signal.reason);
        });
        const samples = request.samples.slice();
        const computed = before.then(async () => {
          const start = performance.now();
          try {
            const text = await options.recognition.recognize({ ...rest, samples, urgency: 'final' });
            job.settle = () => resolve(text);
          } catch (error) {
            job.settle = () => reject(error);
          }
          enqueue(job, latency(performance.now() - start, request));
        });
        before = computed;
        computing.add(computed);
        void computed.finally(() => computing.delete(computed));
      }),
  };

  return {
    engine,
    /** Moves the clock, delivering each answer at its time. */
    async until(targetMs: number, settle: () => Promise<void>): Promise<void> {
      for (;;) {
        const next = [...jobs].sort((a, b) => a.dueMs - b.dueMs)[0];
        if (!next || next.dueMs > targetMs) break;
        jobs.delete(next);
        clock.nowMs = Math.max(clock.nowMs, next.dueMs);
        next.settle();
        await settle();
      }
      clock.nowMs = targetMs;
    },
    drop() {
      for (const job of jobs) job.fail(new EngineError('The scene is over.', { retryable: false }));
      jobs.clear();
    },
  };
}

function watched(engine: VoiceActivityEngine, computing: Set<Promise<unknown>>): VoiceActivityEngine {
  return {
    name: engine.name,
    status: () => engine.status(),
    close: async () => {},
    open() {
      const detector = engine.open();
      return {
        close: () => detector.close(),
        accept(samples) {
          const frames = detector.accept(samples);
          computing.add(frames);
          frames.finally(() => computing.delete(frames)).catch(() => {});
          return frames;
        },
      };
    },
  };
}

function awaited(
  judge: TurnJudgementEngine,
  computing: Set<Promise<unknown>>,
): Pick<TurnJudgementEngine, 'pause' | 'talkOver'> {
  const watched = <V>(verdict: Promise<V>): Promise<V> => {
    computing.add(verdict);
    verdict.finally(() => computing.delete(verdict)).catch(() => {});
    return verdict;
  };
  return {
    pause: (pause, signal) => watched(judge.pause(pause, signal)),
    talkOver: (speech, signal) => watched(judge.talkOver(speech, signal)),
  };
}
