import { setImmediate as breathe } from 'node:timers/promises';
import type { Sound } from '#server/audio/sound';
import { serveWorkerThread, Transfer } from '#server/threads/worker-thread';
import type { SoundFile } from './contract.ts';
import { type EncodeMp3, openMp3Encoding } from './mp3-encoding.ts';

/** Methods of the thread that encodes. */
export type Mp3Methods = {
  /** Loads the encoders and runs them in. */
  load: () => Promise<void>;
  encode: (request: { sound: Sound; urgency: 'now' | 'later' }) => Promise<Transfer<SoundFile>>;
};

/** Two encoders: what somebody waits for goes in between the steps of what is only to be kept. */
const opened: Record<'now' | 'later', Promise<EncodeMp3>> = {
  now: openMp3Encoding(),
  later: openMp3Encoding(),
};
let last: Promise<unknown> = Promise.resolve();

const methods: Mp3Methods = {
  async load() {
    // The first second of speech takes three times as long as any later one; nobody should wait for it.
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

/** One sound after the other. */
function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const next = last.then(work);
  last = next.catch(() => {});
  return next;
}

serveWorkerThread(methods);
