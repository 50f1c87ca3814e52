// Measures the sentiment engine: `npm run bench sentiment [-- labelled.json] [--held-out]`. The file holds {text, label} with the
// labels positive, neutral, negative, such as customer tweets; without it the first table is left out. `--held-out` asks about the
// messages that nothing is tuned on, and lists no misses. How it is read: docs/sentiment.md.
import { existsSync, readFileSync } from 'node:fs';
import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { v7 as uuidv7 } from 'uuid';
import { z } from 'zod';
import { conversations, messages, users } from '#server/database/schema';
import { createReading } from '#server/engines/reading/index';
import type { SentimentEngine } from '#server/engines/sentiment/contract';
import { createSentiment } from '#server/engines/sentiment/index';
import { MemoryState } from '#server/engines/shared-state/memory';
import { SentimentRepository } from '#server/features/insights/sentiment/repository';
import { SentimentService } from '#server/features/insights/sentiment/service';
import { type Sentiment, sentimentSchema } from '#shared/conversations';
import { aConversation, aScope, aUser } from '../factories.ts';
import { engineReady } from '../support/engine-ready.ts';
import { openTestDatabase } from '../support/test-database.ts';

const labelledSchema = z.array(z.object({ text: z.string(), label: sentimentSchema }));
type Labelled = z.infer<typeof labelledSchema>;

export async function benchSentiment({ labelled }: { labelled?: string | undefined }): Promise<void> {
  const reading = createReading();
  await engineReady(reading);
  try {
    for (const [how, engine] of [
      ['by words alone', createSentiment()],
      ['by words and meaning', createSentiment({ reading })],
    ] as const) {
      console.log(`\n${how}`);
      await measure(engine, labelled);
      await engine.close();
    }
  } finally {
    await reading.close();
  }
}

async function measure(engine: SentimentEngine, labelled: string | undefined): Promise<void> {
  const looked = [...readSet('urgent-100'), ...readSet('urgent-dev-62')];
  await engine.analyse(looked.map(({ text }) => text));
  if (labelled) await threeLabels(engine, read(labelled));
  await urgentOrNot(engine, 'urgent-100 and urgent-dev-62', looked, true);
  if (process.argv.includes('--held-out'))
    await urgentOrNot(engine, 'urgent-held-out-98', readSet('urgent-held-out-98'), false);
  await speed(engine, looked);
  await reanalysis(engine, looked);
}

const readSet = (name: string): Labelled => read(new URL(`./sentiment/${name}.json`, import.meta.url));
const read = (file: string | URL): Labelled => labelledSchema.parse(JSON.parse(readFileSync(file, 'utf8')));

/** In a set with three labels, urgent messages are negative ones. */
async function threeLabels(engine: SentimentEngine, set: Labelled): Promise<void> {
  const three = ['positive', 'neutral', 'negative'] as const;
  const given = await engine.analyse(set.map(({ text }) => text));
  const pairs = set.map(({ label }, i) => {
    const answer = given[i]?.label;
    return [label, answer === 'urgent' ? 'negative' : answer] as const;
  });
  const count = (label: Sentiment, answer: Sentiment) =>
    pairs.filter(([meant, said]) => meant === label && said === answer).length;
  const rows = three.map((label) => {
    const right = count(label, label);
    const precision = right / pairs.filter(([, said]) => said === label).length;
    const recall = right / pairs.filter(([meant]) => meant === label).length;
    const f1 = (2 * precision * recall) / (precision + recall);
    return {
      label,
      precision,
      recall,
      f1,
      ...Object.fromEntries(three.map((said) => [`→ ${said}`, count(label, said)])),
    };
  });
  console.table(
    rows.map((row) => ({
      ...row,
      precision: fixed(row.precision),
      recall: fixed(row.recall),
      f1: fixed(row.f1),
    })),
  );
  console.log(
    `macro-F1 ${fixed(rows.reduce((sum, { f1 }) => sum + f1, 0) / rows.length)} over ${set.length} messages`,
  );
  console.log(
    `labelled urgent (counted as negative): ${given.filter(({ label }) => label === 'urgent').length}`,
  );
}

async function urgentOrNot(
  engine: SentimentEngine,
  name: string,
  set: Labelled,
  listMisses: boolean,
): Promise<void> {
  const given = await engine.analyse(set.map(({ text }) => text));
  const rate = (isUrgent: boolean) => {
    const some = set.flatMap(({ label }, i) => ((label === 'urgent') === isUrgent ? [given[i]?.label] : []));
    return some.filter((label) => label === 'urgent').length / some.length;
  };
  console.log(`${name}: recall ${fixed(rate(true))}, false alarms ${fixed(rate(false))} of ${set.length}`);
  if (!listMisses) return;
  set.forEach(({ text, label }, i) => {
    if ((label === 'urgent') !== (given[i]?.label === 'urgent'))
      console.log(`  ${label} → ${given[i]?.label}: ${text}`);
  });
}

/** One message at a time, as they arrive: to the worker and back. */
async function speed(engine: SentimentEngine, set: Labelled): Promise<void> {
  const times: number[] = [];
  for (const { text } of [...set, ...set, ...set]) {
    const start = performance.now();
    await engine.analyse([text]);
    times.push(performance.now() - start);
  }
  times.sort((a, b) => a - b);
  const long = 'This is a long message about a parcel that never came. '.repeat(145);
  const start = performance.now();
  await engine.analyse([long]);
  console.log(
    `a message: median ${fixed(times[times.length >> 1])} ms, p95 ${fixed(times[Math.floor(times.length * 0.95)])} ms; ${long.length} characters: ${fixed(performance.now() - start)} ms`,
  );
}

const CONVERSATIONS = 2_000;
const CUSTOMER_MESSAGES = 5;

/** All messages of a user, on the embedded database, first without labels and then with them. */
async function reanalysis(engine: SentimentEngine, set: Labelled): Promise<void> {
  const database = await openTestDatabase();
  try {
    const user = aUser();
    const userId = user.id;
    await database.db.insert(users).values(user);
    for (let from = 0; from < CONVERSATIONS; from += 100) {
      const some = Array.from({ length: 100 }, () => aConversation(userId));
      await database.db.insert(conversations).values(some);
      await database.db.insert(messages).values(
        some.flatMap(({ id }, c) =>
          Array.from({ length: CUSTOMER_MESSAGES }, (_, m) => ({
            id: uuidv7(),
            conversationId: id,
            role: 'user' as const,
            content: set[(from + c * 7 + m * 13) % set.length]?.text ?? '',
          })),
        ),
      );
    }
    const service = new SentimentService({
      sharedState: new MemoryState(),
      engine,
      repository: new SentimentRepository(database.db),
      onFailure: (error) => console.error(error),
    });
    const idle = watchEventLoop();
    await pause(3_000);
    console.log(`doing nothing: ${idle()}`);
    for (const run of ['without labels', 'with labels']) {
      const watched = watchEventLoop();
      const start = performance.now();
      const updated = await service.reanalyze(aScope(user.id, user.workspaceId));
      const seconds = (performance.now() - start) / 1000;
      console.log(
        `reanalysis ${run}: ${Math.round((CONVERSATIONS * CUSTOMER_MESSAGES) / seconds)} messages/s, ${updated} labels changed; ${watched()}`,
      );
    }
    await service.close();
  } finally {
    await database.close();
  }
}

/**
 * Detects stalls of this thread. On a shared machine, a gap may be another process's; the processor time of this thread
 * between two turns of its event loop is its own (Linux counts it).
 */
function watchEventLoop(): () => string {
  const counter = `/proc/self/task/${process.pid}/schedstat`;
  const isCounted = existsSync(counter);
  const computedMs = () => (isCounted ? Number(readFileSync(counter, 'utf8').split(' ')[0]) / 1e6 : 0);
  const delay = monitorEventLoopDelay({ resolution: 1 });
  let watching = true;
  let before = computedMs();
  let most = 0;
  const onTurn = () => {
    const now = computedMs();
    most = Math.max(most, now - before);
    before = now;
    if (watching) setImmediate(onTurn);
  };
  delay.enable();
  if (isCounted) setImmediate(onTurn);
  return () => {
    watching = false;
    delay.disable();
    return `longest gap of the event loop ${fixed(delay.max / 1e6)} ms${isCounted ? `, of which at most ${fixed(most)} ms were computed here` : ''}`;
  };
}

const fixed = (x: number | undefined) => (x ?? Number.NaN).toFixed(3);
