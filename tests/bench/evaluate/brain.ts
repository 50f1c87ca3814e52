import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { createDialogue, type GroundedDialogue } from '#server/dialogue/respond';
import type { ReadingEngine, VectorFiles } from '#server/engines/reading/contract';
import { createReading } from '#server/engines/reading/index';
import { WEIGHTS, weightsFolder } from '#server/engines/reading/weights';
import { glancing } from '../../support/glancing.ts';
import { rememberedReading } from './remembered-reading.ts';

export interface Brain {
  dialogue: GroundedDialogue;
  reading: ReadingEngine;
  close(): Promise<void>;
}

/** The loaded reading engine; `cache` keeps its results between runs. */
export async function openReading({ cache }: { cache: boolean }): Promise<ReadingEngine> {
  const engine = createReading();
  while (engine.status().state === 'loading') await wait(20);
  if (!cache) return engine;
  const [relevance, entailment] = [nameOf(WEIGHTS.crossEncoder), nameOf(WEIGHTS.entailment)];
  return rememberedReading(engine, join(tmpdir(), 'sigma-evaluate'), { relevance, entailment });
}

/** The start of a weights file's sha256. */
const nameOf = (file: string): string =>
  createHash('sha256')
    .update(readFileSync(join(weightsFolder(), file)))
    .digest('hex')
    .slice(0, 12);

/** The app's dialogue without a language model; `cache` keeps reading results between runs. */
export async function openBrain({
  cache,
  glance = false,
  vectors,
}: {
  cache: boolean;
  /** Always uses the fast path, as under load. */
  glance?: boolean;
  vectors?: VectorFiles;
}): Promise<Brain> {
  const whole = await openReading({ cache });
  const reading = glance ? glancing(whole) : whole;
  const dialogue = createDialogue({ reading, ...(vectors ? { vectors } : {}) });
  return {
    dialogue,
    reading,
    async close() {
      await dialogue.close();
      await reading.close();
    },
  };
}
