import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { createDialogue } from '#server/dialogue/respond';
import { createMp3Encoder } from '#server/engines/encoding/mp3';
import { createModel } from '#server/engines/language/index';
import { createReading } from '#server/engines/reading/index';
import { createSynthesis } from '#server/engines/synthesis/index';
import { createWeights } from '#server/engines/weights/index';
import { demoAgent } from '#server/features/agents/demo-agent';
import { readConfig } from '#server/settings/config';
import type { Checking } from '#shared/engine-settings';
import { engineReady } from '../support/engine-ready.ts';
import { demoQuestions } from './dialogue.texts.ts';
import { figure, percentiles } from './figures.ts';

const TOKENS_PER_SECOND = 30;
const TURNS = 30;
/** Until a server has read the few hundred tokens of a verdict's request. */
const VERDICT_READ_MS = 150;

/** The scripted model's words after its quotation from the first passage, which must be checked. */
const BEHIND = 'Let me look at what else I have on it for you. Is there more?';
/** "[1] Plans › Pro: It costs $149. It has …" */
const FIRST_PASSAGE = /^\[1\] .+?: (?<statement>.+?[.!?])(?: |$)/mu;

const requestSchema = z.object({
  messages: z.tuple([z.object({ content: z.string() })]).rest(z.object({ content: z.string() })),
});

const said = (content: string) => `data: ${JSON.stringify({ choices: [{ delta: { content } }] })}\n\n`;

interface Asked {
  atMs: number;
  /** When the first sentence was known to be complete: the next one had begun. */
  wholeAtMs: number | null;
}

/**
 * A server with OpenAI's API, a word every thirtieth of a second. @param dies in the middle of its second sentence;
 * affirms: it begins with a yes, which must be judged by itself
 */
async function startModel({ dies = false, affirms = false } = {}) {
  let last: Asked = { atMs: 0, wholeAtMs: null };
  const server = createServer((request, response) => {
    const asked: Asked = { atMs: performance.now(), wholeAtMs: null };
    void text(request).then(async (body) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const [{ content: instructions }, ...messages] = requestSchema.parse(JSON.parse(body)).messages;
      if (messages.at(-1)?.content.startsWith('Sentence: ')) {
        await pause(VERDICT_READ_MS + 1_000 / TOKENS_PER_SECOND);
        return void response.end(`${said('yes')}data: [DONE]\n\n`);
      }
      last = asked;
      const statement = FIRST_PASSAGE.exec(instructions)?.groups?.statement ?? 'Thanks a lot for asking.';
      const quoted = affirms ? `Yes, ${statement}` : statement;
      const words = `${quoted} ${BEHIND}`.split(' ');
      const second = quoted.split(' ').length + 1;
      for (const [n, word] of words.entries()) {
        await pause(1_000 / TOKENS_PER_SECOND);
        if (dies && n >= second + 3) return void response.destroy();
        // The sentence is complete once the next word is, which is known from the space after it.
        response.write(said(`${word} `));
        if (n === second - 1) asked.wholeAtMs = performance.now();
      }
      const end = { choices: [{ delta: {}, finish_reason: 'stop' }] };
      response.end(`data: ${JSON.stringify(end)}\n\ndata: [DONE]\n\n`);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    asked: () => last,
    close: () => server.close(),
  };
}

/**
 * The time of a turn beside the model: until it is asked, from its first sentence to ours, from there to the first
 * sound.
 */
export async function benchModel(): Promise<void> {
  const reading = createReading({});
  const weights = createWeights({ modelsDir: readConfig().modelsDir, attempts: 2 });
  const voice = createSynthesis({ weights });
  const encoder = createMp3Encoder();
  await Promise.all([engineReady(reading), engineReady(voice), encoder.warmUp()]);
  try {
    await answering('strict');
    await answering('doubtful');
    await breakingOff();
  } finally {
    await voice.close();
    await weights.close();
    await encoder.close();
    await reading.close();
  }

  /** In grade `doubtful` the model is asked about the first sentence. */
  async function answering(checking: Checking): Promise<void> {
    const model = await startModel({ affirms: checking === 'doubtful' });
    const models = [modelAt(model.baseUrl, checking)];
    const dialogue = createDialogue({ models: () => models, reading });
    await dialogue.complete(demoAgent);
    const asking: number[] = [];
    const passing: number[] = [];
    const speaking: number[] = [];
    const questions = demoQuestions();
    for (let n = 0; n < TURNS + 3; n++) {
      const began = performance.now();
      const turn = { agent: demoAgent, history: [], text: questions[n % questions.length] ?? '' };
      for await (const event of dialogue.respond(turn, new AbortController().signal)) {
        if (event.type !== 'sentence' || event.index > 0) continue;
        const saidAt = performance.now();
        const { atMs, wholeAtMs } = model.asked();
        const spoken = voice.synthesize({
          text: `${event.text} ${n}.`,
          urgency: 'first',
          firstWordsSoon: true,
        });
        for await (const sound of spoken) {
          await encoder.encode(sound, 'now');
          break;
        }
        if (n < 3 || wholeAtMs === null) continue;
        asking.push(atMs - began);
        passing.push(saidAt - wholeAtMs);
        speaking.push(performance.now() - saidAt);
      }
    }
    figure(`${checking}: until the model is asked`, percentiles(asking));
    figure(`${checking}: its first sentence whole → passed on`, percentiles(passing));
    figure('passed on → first sound, an MP3', percentiles(speaking));
    await dialogue.close();
    model.close();
  }

  async function breakingOff(): Promise<void> {
    const model = await startModel({ dies: true });
    const models = [modelAt(model.baseUrl)];
    const dialogue = createDialogue({ models: () => models, reading });
    await dialogue.complete(demoAgent);
    const gaps: number[] = [];
    for (const text of demoQuestions().slice(0, 12)) {
      const turn = { agent: demoAgent, history: [], text };
      let lastAt = 0;
      for await (const event of dialogue.respond(turn, new AbortController().signal)) {
        if (event.type !== 'sentence') continue;
        if (event.index === 1) gaps.push(performance.now() - lastAt);
        lastAt = performance.now();
      }
    }
    figure('it dies in mid-answer → the next sentence', percentiles(gaps));
    await dialogue.close();
    model.close();
  }
}

const modelAt = (baseUrl: string, checking: Checking = 'strict') =>
  createModel({ kind: 'openai', baseUrl, model: 'scripted', apiKey: null, checking });
