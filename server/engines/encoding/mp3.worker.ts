import { setImmediate as breathe } from 'node:timers/promises';
import type { Sound } from '#server/audio/sound';
import { serveWorkerThread, Transfer } from '#server/threads/worker-thread';
import type { SoundFile } from './contract.ts';
import { type EncodeMp3, openMp3Encoding } from './mp3-encoding.ts';

export type Mp3Methods = {
  /** Loads the encoders and warms them up. */
  load: () => Promise<void>;
  encode: (request: { sound: Sound; urgency: 'now' | 'later' }) => Promise<Transfer<SoundFile>>;
};

/** Two encoders: urgent sounds are encoded between the steps of stored ones. */
const opened: Record<'now' | 'later', Promise<EncodeMp3>> = {
  now: openMp3Encoding(),
  later: openMp3Encoding(),
};
let last: Promise<unknown> = Promise.resolve();

const methods: Mp3Methods = {
  async load() {
    // The first second of speech takes three times as long; encode it before a caller waits.
    for (const encode of [await opened.now, await opened.later])
      atOnce(encode, {
        samples: new Float32Array(22_050).map((_, n) => Math.sin(n / 20)),
        sampleRate: 22_050,
      });
  },

  async encode({ sound, urgency }) {
    const encode = await opened[urgency];
    const file = urgency === 'now' ? atOnce(encode, sound) : await inTurn(() => inSteps(encode, sound));
    return new Transfer(file, [file.audio.buffer as ArrayBuffer]);
  },
};

function atOnce(encode: EncodeMp3, sound: Sound): SoundFile {
  const steps = encode(sound);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

async function inSteps(encode: EncodeMp3, sound: Sound): Promise<SoundFile> {
  const steps = encode(sound);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    await breathe();
  }
}

/** Runs one job after the other. */
function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const next = last.then(work);
  last = next.catch(() => {});
  return next;
}

serveWorkerThread(methods);
