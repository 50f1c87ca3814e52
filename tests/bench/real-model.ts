import { fileURLToPath } from 'node:url';
import type { DialogueMessage } from '#server/dialogue/contract';
import { createDialogue } from '#server/dialogue/respond';
import type { LanguageEngine } from '#server/engines/language/contract';
import { createModel } from '#server/engines/language/index';
import { createReading } from '#server/engines/reading/index';
import { installSmallModel } from '../../scripts/lib/test-machine.js';
import { engineReady } from '../support/engine-ready.ts';
import { SMALL_MODEL, startSmallModel } from '../support/small-model.ts';
import { agentOf, readAttempts } from './attempts.ts';
import { figure, percentiles, share } from './figures.ts';

/** Long, because this measures a model's words, not this machine's speed. */
const PATIENCE_MS = 60_000;

/** A model's text in one turn, and the time of its first word. */
interface Written {
  text: string;
  firstMs: number | null;
}

/**
 * Has a real small model answer each attempt, and prints every sentence of its own that a customer would have heard, to
 * be read by a person, since no program can tell whether they are true. Counts withheld ones, with the reasons.
 */
export async function benchRealModel(): Promise<string | undefined> {
  const found = installSmallModel(fileURLToPath(new URL('../../.cache', import.meta.url)));
  if (found.python === null) return `No model could be installed: ${found.reason}`;
  const server = await startSmallModel(found.python);
  const reading = createReading({});
  await engineReady(reading);
  let written: Written = { text: '', firstMs: null };
  const real = createModel(
    { kind: 'openai', baseUrl: `${server.url}/v1`, model: SMALL_MODEL, apiKey: null, checking: 'strict' },
    { firstPieceMs: PATIENCE_MS, nextPieceMs: PATIENCE_MS },
  );
  const model: LanguageEngine = {
    ...real,
    async *stream(request) {
      const begin = performance.now();
      for await (const event of real.stream(request)) {
        if (event.type === 'text') {
          written.firstMs ??= performance.now() - begin;
          written.text += event.text;
        }
        yield event;
      }
    },
  };
  const withheld = new Map<string, number>();
  const failures: unknown[] = [];
  const logger = {
    warn(about: { reason?: string; err?: unknown }) {
      if (about.reason === undefined) return void failures.push(about.err);
      // "figure 45 day" is one of the figures.
      const kind = /^(?:figure|name|grant|undertaking)\b/.exec(about.reason)?.[0] ?? about.reason;
      withheld.set(kind, (withheld.get(kind) ?? 0) + 1);
    },
  };
  const dialogue = createDialogue({ models: () => [model], reading, logger });
  const turns = { all: 0, asked: 0, spoken: 0, quoted: 0 };
  const firsts: number[] = [];
  let said = 0;
  try {
    for (const attempt of await readAttempts('all', ['first'])) {
      const agent = agentOf(attempt);
      await dialogue.complete(agent);
      written = { text: '', firstMs: null };
      const history: DialogueMessage[] = attempt.said.map((content) => ({ role: 'user', content }));
      const turn = { agent, history, text: attempt.message };
      const own: string[] = [];
      let outcome = '';
      for await (const event of dialogue.respond(turn, new AbortController().signal)) {
        if (event.type === 'reply') outcome = event.outcome;
        if (event.type === 'sentence' && written.text.includes(event.text.slice(0, 20))) own.push(event.text);
      }
      dialogue.forget(agent);
      turns.all++;
      if (written.firstMs === null) continue;
      turns.asked++;
      firsts.push(written.firstMs);
      if (own.length > 0) turns.spoken++;
      else if (outcome === 'answered') turns.quoted++;
      said += own.length;
      for (const sentence of own)
        console.log(`${attempt.id} ${attempt.kind}: ${attempt.message} → ${sentence}`);
    }
  } finally {
    await dialogue.close();
    await reading.close();
    await server.kill();
  }
  const kept = [...withheld.values()].reduce((sum, count) => sum + count, 0);
  figure('attempts that a model was asked', share(turns.asked, turns.all));
  figure('its first word', percentiles(firsts));
  figure('sentences of its own that were said', share(said, said + kept));
  figure('turns with one', share(turns.spoken, turns.asked));
  figure('turns without, answered by a quotation', share(turns.quoted, turns.asked));
  for (const [kind, count] of [...withheld].sort(([, a], [, b]) => b - a))
    figure(`withheld: ${kind}`, String(count));
  figure('failures', String(failures.length));
  return undefined;
}
