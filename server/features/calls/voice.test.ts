import { describe, expect, it } from 'vitest';
import type { SynthesisEngine } from '#server/engines/synthesis/contract';
import { Voice } from './voice.ts';

const speech = { audio: new Uint8Array([1]), mediaType: 'audio/mpeg', durationMs: 100 };

function engine(overrides: Partial<SynthesisEngine> = {}): SynthesisEngine {
  return {
    name: 'test',
    status: () => ({ state: 'ready', message: 'Ready.' }),
    synthesize: async () => speech,
    close: async () => {},
    ...overrides,
  };
}

const sentence = (index: number) => ({ index, text: `Sentence ${index}.`, isLast: false });
const signal = () => new AbortController().signal;

function voiceWith(overrides: Partial<SynthesisEngine>, sentenceTimeoutMs = 1000) {
  const failures: unknown[] = [];
  const options = { sentenceTimeoutMs, onFailure: (error: unknown) => failures.push(error) };
  return { voice: new Voice(engine(overrides), options), failures };
}

describe('Voice', () => {
  it('asks for the first sentence of a reply with urgency', async () => {
    const urgencies: string[] = [];
    const { voice } = voiceWith({
      synthesize: async ({ urgency }) => {
        urgencies.push(urgency);
        return speech;
      },
    });
    const reply = voice.forReply(signal());
    await Promise.all([reply.say(sentence(0)), reply.say(sentence(1)), reply.say(sentence(2))]);
    expect(urgencies).toEqual(['first', 'later', 'later']);
  });

  it('leaves text alone, at once, while the engine is not ready', () => {
    const { voice } = voiceWith({ status: () => ({ state: 'loading', message: 'Loading.' }) });
    expect(voice.forReply(signal()).say(sentence(0))).toBeNull();
  });

  it('degrades a sentence that cannot be spoken to text, and speaks the next one', async () => {
    let attempts = 0;
    const { voice, failures } = voiceWith({
      synthesize: async () => {
        if (attempts++ === 0) throw new Error('broken');
        return speech;
      },
    });
    const reply = voice.forReply(signal());
    await expect(reply.say(sentence(0))).resolves.toBeNull();
    await expect(reply.say(sentence(1))).resolves.toBe(speech);
    expect(failures).toHaveLength(1);
  });

  it('gives up an engine that hangs, and does not let the rest of the reply wait for it', async () => {
    let engineSignal: AbortSignal | undefined;
    const { voice } = voiceWith(
      {
        synthesize: (request) => {
          engineSignal = request.signal;
          return new Promise(() => {});
        },
      },
      5,
    );
    const reply = voice.forReply(signal());
    await expect(reply.say(sentence(0))).resolves.toBeNull();
    expect(engineSignal?.aborted).toBe(true);
    expect(reply.say(sentence(1))).toBeNull();
    expect(voice.forReply(signal()).say(sentence(0))).not.toBeNull();
  });

  it('rejects with the reason when the reply is aborted, and counts that as no failure', async () => {
    const { voice, failures } = voiceWith({ synthesize: () => new Promise(() => {}) });
    const controller = new AbortController();
    const spoken = voice.forReply(controller.signal).say(sentence(0));
    controller.abort(new Error('interrupted'));
    await expect(spoken).rejects.toThrow('interrupted');
    expect(failures).toEqual([]);
  });
});
