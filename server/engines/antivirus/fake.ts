import { EngineError } from '#server/lib/engine-error';
import type { Antivirus } from './contract.ts';

/** Content that this scanner flags, and the name of its signature. */
export const MALICIOUS = 'something malicious';
const NAME = 'Test.Malware';

/** A scanner with one signature, whose state the test sets; `scanned` counts its verdicts. */
export function createFakeAntivirus(): Antivirus & { state: 'here' | 'away' | 'small'; scanned: number } {
  const ask = () => {
    if (fake.state === 'away') throw new EngineError('The scanner is away.', { retryable: true });
  };
  const fake = {
    state: 'here' as 'here' | 'away' | 'small',
    scanned: 0,
    async *scan(bytes: AsyncIterable<Uint8Array>, signal?: AbortSignal) {
      ask();
      let text = '';
      for await (const piece of bytes) {
        signal?.throwIfAborted();
        text += Buffer.from(piece).toString('latin1');
        yield piece;
      }
      ask();
      fake.scanned++;
      if (fake.state === 'small') return { is: 'too-large' as const };
      return text.includes(MALICIOUS) ? { is: 'infected' as const, name: NAME } : { is: 'clean' as const };
    },
    async check() {
      ask();
    },
    async version() {
      ask();
      return 'Fake scanner';
    },
    async close() {},
  };
  return fake;
}
