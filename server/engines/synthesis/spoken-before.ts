import { LRUCache } from 'lru-cache';
import type { SpokenPhrase, SynthesisEngine } from './contract.ts';

/** Two and a quarter minutes of speech at 22.05 kHz. */
const MAX_BYTES = 12_000_000;
/** Do not keep one customer's sentences in memory for long; greetings recur sooner. */
const KEPT_MS = 5 * 60_000;

/** Caches recent speech, such as greetings: the same text gets the same sound at once. */
export function rememberSpoken(engine: SynthesisEngine): SynthesisEngine {
  const spoken = new LRUCache<string, readonly SpokenPhrase[]>({
    maxSize: MAX_BYTES,
    sizeCalculation: bytesOf,
    ttl: KEPT_MS,
    ttlAutopurge: true,
    updateAgeOnGet: true,
    perf: { now: () => performance.now() },
  });
  return {
    name: engine.name,
    status: () => engine.status(),
    async *synthesize(request) {
      request.signal?.throwIfAborted();
      const key = `${request.language ?? ''} ${request.text}`;
      const known = spoken.get(key);
      if (known) return yield* known;
      const phrases: SpokenPhrase[] = [];
      for await (const phrase of engine.synthesize(request)) {
        phrases.push(phrase);
        yield phrase;
      }
      spoken.set(key, phrases);
    },
    async close() {
      spoken.clear();
      await engine.close();
    },
  };
}

const bytesOf = (phrases: readonly SpokenPhrase[]) =>
  Math.max(
    1,
    phrases.reduce((sum, { samples }) => sum + samples.byteLength, 0),
  );
