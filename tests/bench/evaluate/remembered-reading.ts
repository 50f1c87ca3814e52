import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, mkdirSync, readFileSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import type { ReadingEngine } from '#server/engines/reading/contract';

const KEY = 16;

/**
 * The same engine with its results cached in two files of a folder, so that documents and questions are read once for
 * all runs. Times are then meaningless.
 * @param crossEncoders names the weights of the logits, which the engine's revision does not
 */
export function rememberedReading(
  engine: ReadingEngine,
  folder: string,
  crossEncoders: { relevance: string; entailment: string },
): ReadingEngine {
  mkdirSync(folder, { recursive: true });
  const revision = createHash('sha256').update(engine.revision).digest('hex').slice(0, 16);
  const vectors = openFile(join(folder, `${revision}.vectors`), engine.dimensions);
  const logits = openFile(join(folder, `${revision}-${crossEncoders.relevance}.relevance`), 1);
  const entailments = openFile(join(folder, `${revision}-${crossEncoders.entailment}.entailment`), 1);
  return {
    name: engine.name,
    revision: engine.revision,
    dimensions: engine.dimensions,
    status: () => engine.status(),
    embed: (texts, options) =>
      vectors.through(
        texts,
        (text) => `${options?.as ?? 'passage'}\0${text}`,
        (missing) => engine.embed(missing, options),
      ),
    async relevance(question, texts, options) {
      const found = await logits.through(
        texts,
        (text) => `${question}\0${text}`,
        async (missing) =>
          (await engine.relevance(question, missing, options)).map((logit) => Float32Array.of(logit)),
      );
      return found.map(([logit]) => logit ?? 0);
    },
    async entailment(sentence, text, options) {
      const [found] = await entailments.through(
        [text],
        () => `${sentence}\0${text}`,
        async () => [Float32Array.of(await engine.entailment(sentence, text, options))],
      );
      return found?.[0] ?? 0;
    },
    prepareEntailment: () => engine.prepareEntailment(),
    close: () => engine.close(),
  };
}

/** Records of a key and `size` numbers each. Processes may append at the same time. */
function openFile(path: string, size: number) {
  const known = new Map<string, Float32Array>();
  const length = KEY + size * Float32Array.BYTES_PER_ELEMENT;
  const stored = readIfThere(path);
  // A partial record at the end would shift all later ones.
  if (stored.length % length) truncateSync(path, stored.length - (stored.length % length));
  for (let at = 0; at + length <= stored.length; at += length)
    known.set(
      stored.toString('latin1', at, at + KEY),
      new Float32Array(stored.buffer.slice(stored.byteOffset + at + KEY, stored.byteOffset + at + length)),
    );
  return {
    async through(
      texts: readonly string[],
      contentOf: (text: string) => string,
      compute: (missing: string[]) => Promise<Float32Array[]>,
    ): Promise<Float32Array[]> {
      const keys = texts.map((text) =>
        createHash('sha256').update(contentOf(text)).digest().toString('latin1', 0, KEY),
      );
      const before = keys.map((key) => known.get(key));
      const missing = texts.filter((_, at) => !before[at]);
      const computed = (missing.length > 0 ? await compute(missing) : []).values();
      const records: Buffer[] = [];
      const found = before.map((vector, at) => {
        if (vector) return vector;
        const now = computed.next().value ?? new Float32Array(size);
        const key = keys[at] ?? '';
        known.set(key, now);
        records.push(Buffer.from(key, 'latin1'), Buffer.from(now.buffer, now.byteOffset, now.byteLength));
        return now;
      });
      if (records.length > 0) appendFileSync(path, Buffer.concat(records));
      return found;
    },
  };
}

function readIfThere(path: string): Buffer {
  return existsSync(path) ? readFileSync(path) : Buffer.alloc(0);
}
