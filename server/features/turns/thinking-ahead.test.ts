import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { CustomerTurn, ModelUse, ReplyEvent } from '#server/dialogue/contract';
import { soundOfText } from '#server/engines/encoding/fake';
import type { SynthesisRequest } from '#server/engines/synthesis/contract';
import { EngineError } from '#server/lib/engine-error';
import { untilAborted } from '#server/lib/wait';
import { ownScope } from '../../../tests/factories.ts';
import {
  type CallClient,
  type CallWorld,
  openCallWorld,
  type TestUser,
} from '../../../tests/support/call-world.ts';
import { door, FakeDialogue, FakeSynthesis, sentencesOf } from '../../../tests/support/scripted-engines.ts';
import type { ScriptedTurnTaking } from '../../../tests/support/scripted-turn-taking.ts';
import { allOf } from '../../../tests/support/spoken.ts';
import { agentResponder, type Responder, type ResponderEvent } from './responder.ts';
import { ThinkingAhead } from './thinking-ahead.ts';
import { type ReplyVoice, Voice } from './voice.ts';

describe('a call that thinks ahead', () => {
  let world: CallWorld;
  let user: TestUser;
  let client: CallClient;
  let conversationId: string;
  let microphone: ScriptedTurnTaking;

  beforeAll(async () => {
    world = await openCallWorld();
  });
  afterAll(() => world.close());
  beforeEach(async () => {
    world.reset();
    user = await world.addUser();
    client = await world.connect(user, { streaming: true });
    ({ conversationId } = await client.start({ voice: false }));
    await client.send('speech_start', { conversationId, sampleRate: 16_000, mode: 'hands-free' });
    const opened = world.microphones.at(-1);
    if (!opened) throw new Error('No microphone was switched on.');
    microphone = opened;
  });

  const stored = async () =>
    (await world.conversations.get(ownScope(user), conversationId)).messages
      .slice(1)
      .map(({ role, content, citations }) => ({ role, content, citations }));
  const replies = () => world.synthesis.spoken.filter((text) => text.startsWith('You said'));
  /** Reports a possible utterance, and waits until the first sentence of its answer was spoken ahead. */
  async function pause(text: string) {
    microphone.tells.speaking(true);
    microphone.tells.candidate(text);
    await expect.poll(replies).toContain(`You said: ${text}`);
  }

  it('asks the dialogue and the voice once, and tells and stores what it would have anyway', async () => {
    microphone.tells.speaking(true);
    microphone.takes('Open?');
    await client.nth('conversation_updated');
    const ordinarily = {
      order: [...client.order],
      stored: await stored(),
      turns: world.dialogue.turns.length,
    };
    const other = await client.start({ voice: false });
    conversationId = other.conversationId;
    await client.send('speech_start', { conversationId, sampleRate: 16_000, mode: 'hands-free' });
    microphone = world.microphones.at(-1) ?? microphone;
    world.synthesis.spoken.length = 0;
    await pause('Open?');
    expect(await stored()).toEqual([]);
    expect(client.order.slice(ordinarily.order.length)).toEqual(['conversation_started', 'speech_activity']);
    microphone.takes('Open?');
    await client.nth('conversation_updated', 2);
    expect(await stored()).toEqual(ordinarily.stored);
    expect(client.order.slice(ordinarily.order.length)).toEqual(ordinarily.order);
    expect(world.dialogue.turns).toHaveLength(ordinarily.turns + 1);
    expect(world.synthesis.spoken).toEqual(['You said: Open?', 'Anything else?']);
    expect(client.all('ai_response_chunk').map(({ audioData }) => audioData)).toEqual(
      ['You said: Open?', 'Anything else?', 'You said: Open?', 'Anything else?'].map((text) =>
        Buffer.from(text).toString('base64'),
      ),
    );
  });

  it('says that it takes a moment where the answer does, before what was thought ahead', async () => {
    const known = door();
    world.dialogue.filler = 'One moment, please.';
    world.dialogue.answer = async function* ({ text }) {
      await known.opened;
      yield* sentencesOf(`You said: ${text}`);
    };
    microphone.tells.speaking(true);
    microphone.tells.candidate('Open?');
    microphone.takes('Open?');
    expect((await client.nth('ai_response_chunk')).text).toBe('One moment, please.');
    known.open();
    await client.quiet();
    expect(client.all('ai_response_chunk').map(({ text, isLast }) => [text, isLast])).toEqual([
      ['One moment, please.', false],
      ['You said: Open?', true],
    ]);
    expect(await stored()).toMatchObject([
      { content: 'Open?' },
      { content: 'One moment, please. You said: Open?' },
    ]);
    expect(world.synthesis.spoken).toEqual(['One moment, please.', 'You said: Open?']);
  });

  it('does not mind how the text ends or is spaced', async () => {
    await pause('when are  you open');
    microphone.takes('When are you open.');
    await client.quiet();
    expect(world.dialogue.turns).toHaveLength(1);
  });

  it('answers what was said, when that was something else', async () => {
    await pause('When are you');
    microphone.takes('When are you closed?');
    await client.quiet();
    expect(await stored()).toMatchObject([
      { content: 'When are you closed?' },
      { content: 'You said: When are you closed? Anything else?' },
    ]);
  });

  it('gives up what it thought when the customer speaks on', async () => {
    const given = door();
    world.dialogue.answer = async function* (_turn, signal) {
      signal.addEventListener('abort', given.open);
      yield* sentencesOf('You said: something');
      await new Promise(() => {});
    };
    microphone.tells.speaking(true);
    microphone.tells.candidate('something');
    await expect.poll(replies).toHaveLength(1);
    microphone.tells.partial('something else');
    await given.opened;
  });

  it('thinks again when something was said in between', async () => {
    await pause('And on Sunday?');
    await client.say(conversationId, 'When are you open on Saturday?');
    await client.quiet();
    microphone.takes('And on Sunday?');
    await client.quiet(2);
    expect(world.dialogue.turns.at(-1)).toMatchObject({ text: 'And on Sunday?' });
    expect(world.dialogue.turns.at(-1)?.history.map(({ content }) => content)).toContain(
      'When are you open on Saturday?',
    );
    expect(world.dialogue.turns).toHaveLength(3);
  });

  it('is not confused by the message itself, stored while it still reads what was said before', async () => {
    const { conversations } = world;
    const historyBefore = conversations.historyBefore.bind(conversations);
    const isStored = door();
    let reads = 0;
    conversations.historyBefore = async (...asked) => {
      if (reads++ === 0) await isStored.opened;
      else await expect.poll(replies).toHaveLength(1);
      return historyBefore(...asked);
    };
    microphone.tells.speaking(true);
    microphone.tells.candidate('Hello there');
    await expect.poll(() => reads).toBe(1);
    microphone.takes('Hello there');
    await client.nth('message_stored');
    isStored.open();
    await client.quiet();
    Reflect.deleteProperty(conversations, 'historyBefore');
    expect(world.dialogue.turns).toHaveLength(1);
  });

  it('does not think ahead of what is taken at the same moment', async () => {
    const { conversations } = world;
    const historyBefore = conversations.historyBefore.bind(conversations);
    let reads = 0;
    conversations.historyBefore = (...asked) => {
      reads++;
      return historyBefore(...asked);
    };
    microphone.says('Hello there');
    await client.quiet();
    Reflect.deleteProperty(conversations, 'historyBefore');
    expect(reads).toBe(1);
  });

  it('falls back without a word when thinking ahead fails', async () => {
    let isAhead = true;
    world.dialogue.answer = ({ text }) => {
      if (!isAhead) return sentencesOf(`You said: ${text}`);
      isAhead = false;
      throw new EngineError('Away.', { retryable: true });
    };
    microphone.tells.speaking(true);
    microphone.tells.candidate('Hello there');
    await expect.poll(() => world.dialogue.turns).toHaveLength(1);
    microphone.takes('Hello there');
    await client.quiet();
    expect(client.all('error')).toEqual([]);
    expect((await stored()).at(-1)?.content).toBe('You said: Hello there');
    expect(world.failures).toEqual([]);
  });

  it('forgets what it thought when the conversation ends', async () => {
    const given = door();
    world.dialogue.answer = async function* (_turn, signal) {
      signal.addEventListener('abort', given.open);
      yield* sentencesOf('You said: something');
      await new Promise(() => {});
    };
    microphone.tells.speaking(true);
    microphone.tells.candidate('something');
    await expect.poll(replies).toHaveLength(1);
    await world.conversations.end(ownScope(user), conversationId);
    await given.opened;
  });
});

describe('what was thought ahead', () => {
  const agent = {
    id: 'demo',
    revision: '1',
    name: 'Sigma',
    companyName: 'Northwind',
    language: 'en',
    personality: '',
    companyInfo: '',
    prompts: [],
  };
  const turn = (text: string) => ({ agent, history: [], text });
  const candidate = (text: string) => ({ conversationId: 'c', text, goesOn: false, voice: true });
  const signal = new AbortController().signal;
  const unheard = { say: () => null };
  let dialogue: FakeDialogue;
  let synthesis: FakeSynthesis;
  let voice: Voice;
  let ahead: ThinkingAhead;
  let responder: Responder;
  const asked = (turn: CustomerTurn) => ({ turn, responder });

  beforeEach(() => {
    dialogue = new FakeDialogue();
    synthesis = new FakeSynthesis();
    voice = new Voice(synthesis, { sentenceTimeoutMs: 10_000, readWaitMs: 10_000, onFailure() {} });
    ahead = new ThinkingAhead(voice);
    responder = agentResponder(dialogue);
  });

  const first = { index: 0, text: 'You said: Hi', isLast: false };
  const heard = (words: ReturnType<ReplyVoice['say']>) => (words ? allOf(words) : null);

  async function textsOf(events: AsyncIterable<ResponderEvent>): Promise<string[]> {
    const texts: string[] = [];
    for await (const event of events) texts.push(event.text);
    return texts;
  }

  it('is spoken without hurry, so that nobody who waits is kept waiting', async () => {
    const urgencies: string[] = [];
    synthesis.speak = async ({ text, urgency }) => {
      urgencies.push(urgency);
      return soundOfText(text);
    };
    ahead.think(candidate('Hi'), async () => asked(turn('Hi')));
    await vi.waitFor(() => expect(urgencies).toEqual(['later']));
  });

  it('is spoken in the first row once somebody waits for it', async () => {
    const awaited = door();
    const sound = soundOfText('At once.');
    synthesis.speak = async (request: SynthesisRequest) => {
      await request.awaited;
      awaited.open();
      return sound;
    };
    ahead.think(candidate('Hi'), async () => asked(turn('Hi')));
    await vi.waitFor(() => expect(synthesis.spoken).toHaveLength(1));
    const answering = ahead.answer('c', asked(turn('Hi')), voice.forReply('en', signal), signal);
    expect(await heard(answering.say(first))).toMatchObject([{ text: first.text, speech: sound }]);
    await awaited.opened;
    expect(synthesis.spoken).toEqual([first.text]);
  });

  it('is spoken no further than its first words until somebody listens', async () => {
    const said: SynthesisRequest[] = [];
    synthesis.divide = () => ['You said:', 'Hi'];
    synthesis.speak = async (request) => {
      said.push(request);
      return soundOfText(request.text);
    };
    ahead.think(candidate('Hi'), async () => asked(turn('Hi')));
    await vi.waitFor(() => expect(said).toHaveLength(1));
    const answering = ahead.answer('c', asked(turn('Hi')), voice.forReply('en', signal), signal);
    await textsOf(answering.events);
    expect(said).toMatchObject([{ text: 'You said:', firstWordsSoon: true, language: agent.language }]);
    expect(await heard(answering.say(first))).toMatchObject([
      { text: 'You said:', isLast: false },
      { text: 'Hi', isLast: true },
    ]);
    expect(synthesis.spoken).toEqual(['You said: Hi']);
  });

  it('is spoken again where it could not be', async () => {
    let isHoarse = true;
    synthesis.speak = async ({ text }) => {
      if (!isHoarse) return soundOfText(text);
      isHoarse = false;
      throw new Error('The voice is hoarse.');
    };
    ahead.think(candidate('Hi'), async () => asked(turn('Hi')));
    await vi.waitFor(() => expect(synthesis.spoken).toHaveLength(1));
    const answering = ahead.answer('c', asked(turn('Hi')), voice.forReply('en', signal), signal);
    expect(await heard(answering.say(first))).toMatchObject([
      { text: first.text, speech: { sampleRate: first.text.length } },
    ]);
  });

  it('is the same thought while the candidate is the same', async () => {
    for (let n = 0; n < 3; n++) ahead.think(candidate('Hi'), async () => asked(turn('Hi')));
    await vi.waitFor(() => expect(synthesis.spoken).toHaveLength(1));
    expect(dialogue.turns).toHaveLength(1);
  });

  it('goes to one turn only', async () => {
    ahead.think(candidate('Hi'), async () => asked(turn('Hi')));
    await vi.waitFor(() => expect(synthesis.spoken).toHaveLength(1));
    const answers = [1, 2].map(() => ahead.answer('c', asked(turn('Hi')), unheard, signal));
    for (const { events } of answers)
      expect(await textsOf(events)).toEqual([
        'You said: Hi',
        'Anything else?',
        'You said: Hi Anything else?',
      ]);
    expect(dialogue.turns).toHaveLength(2);
  });

  it('is not for an agent that was changed meanwhile', async () => {
    ahead.think(candidate('Hi'), async () => asked(turn('Hi')));
    await vi.waitFor(() => expect(synthesis.spoken).toHaveLength(1));
    await textsOf(
      ahead.answer('c', asked({ ...turn('Hi'), agent: { ...agent, revision: '2' } }), unheard, signal).events,
    );
    expect(dialogue.turns).toHaveLength(2);
  });

  it('is taken over while it is still being thought, and fails as the turn itself would', async () => {
    const rest = door();
    dialogue.answer = async function* () {
      yield { type: 'sentence', index: 0, text: 'Well,', isLast: false };
      await rest.opened;
      throw new EngineError('The model went away.', { retryable: true });
    };
    ahead.think(candidate('Hi'), async () => asked(turn('Hi')));
    await vi.waitFor(() => expect(synthesis.spoken).toEqual(['Well,']));
    const { events } = ahead.answer('c', asked(turn('Hi')), unheard, signal);
    const told = textsOf(events);
    rest.open();
    await expect(told).rejects.toThrow('The model went away.');
  });

  it('stops with the turn that took it over', async () => {
    const stopped = door();
    dialogue.answer = async function* (_turn, aborted) {
      aborted.addEventListener('abort', stopped.open);
      yield* sentencesOf('Well,');
      await new Promise(() => {});
    };
    ahead.think(candidate('Hi'), async () => asked(turn('Hi')));
    await vi.waitFor(() => expect(synthesis.spoken).toEqual(['Well,']));
    const generation = new AbortController();
    ahead.answer('c', asked(turn('Hi')), unheard, generation.signal);
    generation.abort(new Error('interrupted'));
    await stopped.opened;
  });

  describe('that wants to do something', () => {
    const call = { actionId: 'refund', inputs: { order: '4471' } };
    const list = [{ id: 'refund', name: 'Refund', when: 'A refund.', inputs: [], confirm: true }];
    const done = { outcome: 'done' as const, said: 'Done.', answer: null, isRepeated: false };
    const run = vi.fn(async () => done);
    const mayRun = (text: string, taken: Promise<typeof run> = Promise.resolve(run)) => ({
      ...turn(text),
      actions: { list, taken },
    });
    beforeEach(() => {
      run.mockClear();
      dialogue.answer = async function* ({ actions }, aborted) {
        yield { type: 'sentence', index: 0, text: 'One moment.', isLast: false };
        if (!actions) return;
        const result = await (await untilAborted(actions.taken, aborted))(call, aborted);
        yield* sentencesOf(result.outcome);
      };
    });

    it('says that it takes a moment, and does it when the turn is taken, once', async () => {
      ahead.think(candidate('Yes'), async () => asked(mayRun('Yes')));
      await vi.waitFor(() => expect(synthesis.spoken).toEqual(['One moment.']));
      expect(run).not.toHaveBeenCalled();
      const { events } = ahead.answer('c', asked(mayRun('Yes')), unheard, signal);
      expect(await textsOf(events)).toContain('done');
      expect(run).toHaveBeenCalledTimes(1);
      expect(dialogue.turns).toHaveLength(1);
    });

    it('does nothing when the customer speaks on, and what the next turn wants once', async () => {
      ahead.think(candidate('Yes'), async () => asked(mayRun('Yes')));
      await vi.waitFor(() => expect(synthesis.spoken).toEqual(['One moment.']));
      ahead.stop('c');
      const { events } = ahead.answer('c', asked(mayRun('Yes, but not now')), unheard, signal);
      expect(run).not.toHaveBeenCalled();
      await textsOf(events);
      expect(run).toHaveBeenCalledTimes(1);
    });

    it('does nothing when nobody takes the turn', async () => {
      ahead.think(candidate('Yes'), async () => asked(mayRun('Yes')));
      await vi.waitFor(() => expect(synthesis.spoken).toEqual(['One moment.']));
      ahead.close();
      await vi.waitFor(() => expect(dialogue.turns).toHaveLength(1));
      expect(run).not.toHaveBeenCalled();
    });
  });

  describe('that a language model has a part in', () => {
    const use = { model: 'small', input: 90, output: 12 };
    let ended = 0;
    const paidBy = (text: string) => {
      const uses: ModelUse[] = [];
      const models = { isLeft: () => true, onUse: (each: ModelUse) => void uses.push(each) };
      return { uses, turn: { ...turn(text), models } };
    };
    /** Counts its use when it has ended, also after an error. */
    const counting = (end?: Promise<void>) =>
      async function* ({ models }: CustomerTurn, aborted: AbortSignal): AsyncGenerator<ReplyEvent> {
        try {
          yield { type: 'sentence', index: 0, text: 'Well,', isLast: false };
          if (end) await untilAborted(end, aborted);
          yield* sentencesOf('Well,');
        } finally {
          models?.onUse(use);
          ended++;
        }
      };
    beforeEach(() => {
      ended = 0;
    });

    it.each(['after', 'while'])('is paid for by the turn that takes it %s it is thought', async (when) => {
      const rest = door();
      dialogue.answer = counting(rest.opened);
      const [thought, taken] = [paidBy('Hi'), paidBy('Hi')];
      ahead.think(candidate('Hi'), async () => asked(thought.turn));
      await vi.waitFor(() => expect(synthesis.spoken).toEqual(['Well,']));
      if (when === 'after') {
        rest.open();
        await vi.waitFor(() => expect(ended).toBe(1));
      }
      const { events } = ahead.answer('c', asked(taken.turn), unheard, signal);
      rest.open();
      await textsOf(events);
      expect([thought.uses, taken.uses]).toEqual([[], [use]]);
    });

    it('is paid for by nobody’s turn when none takes it, and another turn by itself', async () => {
      dialogue.answer = counting(new Promise(() => {}));
      const [thought, other] = [paidBy('Hi'), paidBy('Hi there')];
      ahead.think(candidate('Hi'), async () => asked(thought.turn));
      await vi.waitFor(() => expect(synthesis.spoken).toEqual(['Well,']));
      dialogue.answer = counting();
      await textsOf(ahead.answer('c', asked(other.turn), unheard, signal).events);
      await vi.waitFor(() => expect(thought.uses).toEqual([use]));
      expect(other.uses).toEqual([use]);
    });
  });

  it('is dropped when no turn takes it in time', async () => {
    vi.useFakeTimers();
    try {
      const dropped = door();
      dialogue.answer = async function* (_turn, aborted) {
        aborted.addEventListener('abort', dropped.open);
        yield* sentencesOf('Well,');
        await new Promise(() => {});
      };
      ahead.think(candidate('Hi'), async () => asked(turn('Hi')));
      await vi.advanceTimersByTimeAsync(10_001);
      await dropped.opened;
    } finally {
      vi.useRealTimers();
    }
  });
});
