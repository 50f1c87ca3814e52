import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import type { DialogueMessage } from '#server/dialogue/contract';
import { conditionOf } from '#server/dialogue/manners/instructed';
import { createDialogue } from '#server/dialogue/respond';
import type { ReadingEngine } from '#server/engines/reading/contract';
import { createReading } from '#server/engines/reading/index';
import { demoAgent } from '#server/features/agents/demo-agent';
import { packOf } from '#server/languages/index';
import { engineReady, PATIENT } from '../support/engine-ready.ts';

const attempts = z.array(
  z.object({
    /** The condition of an instruction, as read from a prompt. */
    when: z.string(),
    /** Customers' messages that meet it. */
    meant: z.array(z.string()),
    /** Messages that do not, some of them in the same words. */
    beside: z.array(z.string()),
  }),
);

/** Counts the messages for which an instruction is followed, by `manners/instructed.ts`. */
export async function benchInstructions() {
  const file = new URL('./instructions.json', import.meta.url);
  const sets = attempts.parse(JSON.parse(await readFile(file, 'utf8')));
  const reading = createReading();
  await engineReady(reading);
  const around = {
    knowing: { reading },
    language: packOf('en'),
    signal: new AbortController().signal,
  };
  const followed = async (texts: readonly string[], when: string) => {
    const meant = await Promise.all(texts.map((text) => conditionOf(around, text, [when])));
    return meant.filter((at) => at !== null).length;
  };
  const counts = { meant: 0, followed: 0, beside: 0, wrongly: 0 };
  for (const { when, meant, beside } of sets) {
    counts.meant += meant.length;
    counts.followed += await followed(meant, when);
    counts.beside += beside.length;
    counts.wrongly += await followed(beside, when);
  }
  const fixed = await benchFixedAnswers(reading);
  await reading.close();
  return { ...counts, ...fixed };
}

const fixedAnswers = z.array(
  z.object({
    about: z.string(),
    say: z.string(),
    /** Customers' messages about its topic. */
    meant: z.array(z.string()),
    /** Messages about a similar topic. */
    beside: z.array(z.string()),
  }),
);

/**
 * Counts the messages to which the demo agent gives a fixed answer, and the additional ones after a question back, when
 * the customer names the topic.
 */
async function benchFixedAnswers(reading: ReadingEngine) {
  const file = new URL('./fixed-answers.json', import.meta.url);
  const sets = fixedAnswers.parse(JSON.parse(await readFile(file, 'utf8')));
  const dialogue = createDialogue({ ...PATIENT, reading });
  const counts = { asked: 0, stated: 0, statedInTwo: 0, near: 0, statedWrongly: 0 };
  for (const { about, say, meant, beside } of sets) {
    const agent = { ...demoAgent, id: `fixed:${about}`, sayings: { answers: [{ about, say }] } };
    await dialogue.complete(agent);
    const replyTo = async (text: string, history: DialogueMessage[] = []) => {
      for await (const event of dialogue.respond({ agent, history, text }, new AbortController().signal))
        if (event.type === 'reply') return event;
      throw new Error('There was no reply.');
    };
    counts.asked += meant.length;
    for (const text of meant) {
      const first = await replyTo(text);
      if (first.text.includes(say)) counts.stated++;
      else if (first.outcome === 'asked-back') {
        const history: DialogueMessage[] = [
          { role: 'user', content: text },
          { role: 'assistant', content: first.text, state: first.state },
        ];
        if ((await replyTo(about, history)).text.includes(say)) counts.statedInTwo++;
      }
    }
    counts.near += beside.length;
    for (const text of beside) if ((await replyTo(text)).text.includes(say)) counts.statedWrongly++;
  }
  await dialogue.close();
  return counts;
}
