import { beforeEach, describe, expect, it } from 'vitest';
import { Floor } from './floor.ts';
import type { ReplySentence, Said, Taken } from './surroundings.ts';

const speech = { samples: new Float32Array(1), sampleRate: 16_000 };
const sentence = (responseId: string, text: string, more: Partial<ReplySentence> = {}): ReplySentence => ({
  responseId,
  text,
  speech,
  isLast: false,
  ...more,
});
const said = (text: string, more: Partial<Said> = {}): Said => ({ by: 'ada', text, goesOn: false, ...more });
const settled = () => new Promise((resolve) => setImmediate(resolve));

/** The floor's actions, in order. */
let log: string[];
/** Ends the reply to a text, like a turn whose reply is complete or has failed. */
let settle: Map<string, () => void>;
/** Texts that cannot be stored. */
let refused: Set<string>;
let floor: Floor;

function open(oneAtATime: boolean): Floor {
  log = [];
  settle = new Map();
  refused = new Set();
  return new Floor({
    loudspeaker: {
      say: ({ text }) => void log.push(`say ${text}`),
      finish: (responseId) => void log.push(`finish ${responseId}`),
      hold: () => void log.push('hold'),
      release: () => void log.push('release'),
      stop: async (responseId) => {
        log.push(`silence ${responseId}`);
        return 700;
      },
    },
    oneAtATime,
    async take({ text, goesOn }): Promise<Taken> {
      log.push(`take ${text}${goesOn ? ' (goes on)' : ''}`);
      await settled();
      if (refused.has(text)) throw new Error('disk full');
      return {
        responseId: `re ${text}`,
        settled: new Promise((resolve) => settle.set(text, resolve)),
      };
    },
    async note(said) {
      log.push(`note ${said.text}`);
      return said;
    },
    think: ({ text, goesOn }) => void log.push(`think ${text}${goesOn ? ' (goes on)' : ''}`),
    stopThinking: ({ text }) => void log.push(`stop thinking ${text}`),
    stop: async (responseId, said, playedMs) =>
      void log.push(`stop ${responseId} of ${said?.by ?? 'nobody'} at ${await playedMs}`),
    agentSays: (words, expects) =>
      void log.push(words === null ? 'silent' : `"${words}"${expects ? ` (expects ${expects})` : ''}`),
    changed() {},
    onFailure: (error) => void log.push(String(error)),
  });
}

/** The actions since the last call. */
const since = () => log.splice(0);

beforeEach(() => {
  floor = open(false);
});

describe('a candidate', () => {
  it('is thought ahead until more is said than that, however it is spaced and ends', async () => {
    floor.mayBeDone('ada', 'Please cancel it.');
    await settled();
    floor.spokeOn('ada', 'please  cancel it');
    expect(since()).toEqual(['think Please cancel it.']);
    floor.spokeOn('ada', 'Please cancel it or');
    expect(since()).toEqual(['stop thinking Please cancel it.']);
    expect(floor.candidate).toBeNull();
  });

  it('is not thought ahead when it is taken at the same moment', async () => {
    floor.mayBeDone('ada', 'Hi');
    await floor.take(said('Hi'));
    expect(since()).toEqual(['take Hi']);
  });

  it('is one: somebody else’s takes its place, and what others say is nothing to it', async () => {
    floor.mayBeDone('ada', 'One');
    floor.mayBeDone('bob', 'Two');
    floor.spokeOn('ada', 'One more');
    await settled();
    expect(since()).toEqual(['think Two']);
  });
});

describe('a turn', () => {
  it('is taken, speaks, and is done when it was heard', async () => {
    await floor.take(said('Hi'));
    expect(floor.state).toBe('taken');
    floor.sentence(sentence('re Hi', 'One.'));
    floor.began('re Hi');
    expect(floor.state).toBe('speaking');
    floor.sentence(sentence('re Hi', 'Two.', { isLast: true }));
    settle.get('Hi')?.();
    floor.ended('re Hi');
    expect(since()).toEqual([
      'take Hi',
      'say One.',
      '"One."',
      'say Two.',
      '"One. Two."',
      'finish re Hi',
      'silent',
    ]);
    expect(floor.state).toBe('free');
  });

  it('tells what its last words ask for', async () => {
    await floor.take(said('Hi'));
    floor.began('re Hi');
    floor.sentence(sentence('re Hi', 'I can have a colleague call you.', { expects: null }));
    floor.sentence(sentence('re Hi', 'Under which number?', { isLast: true, expects: 'phone' }));
    expect(since().slice(1)).toEqual([
      '""',
      'say I can have a colleague call you.',
      '"I can have a colleague call you."',
      'say Under which number?',
      '"I can have a colleague call you. Under which number?" (expects phone)',
      'finish re Hi',
    ]);
  });

  it('counts as shown when it has no voice, or nobody plays it', async () => {
    await floor.take(said('Hi'));
    floor.sentence(sentence('re Hi', 'One.', { speech: null }));
    expect(since()).not.toContain('"One."');
    floor.sentence(sentence('re Hi', 'Two.', { speech: null, isLast: true }));
    expect(since().slice(-2)).toEqual(['"One. Two."', 'silent']);
    await floor.take(said('Ho'));
    floor.sentence(sentence('re Ho', 'Three.'));
    floor.ended('re Ho');
    expect(since().slice(-2)).toEqual(['"Three."', 'silent']);
    expect(floor.state).toBe('free');
  });

  it('is over when its reply fails: before a word nobody waits for it, after one it ends there', async () => {
    await floor.take(said('Hi'));
    settle.get('Hi')?.();
    await settled();
    expect(since()).toEqual(['take Hi', 'silent']);
    await floor.take(said('Ho'));
    floor.sentence(sentence('re Ho', 'One.'));
    settle.get('Ho')?.();
    await settled();
    expect(since()).toEqual(['take Ho', 'say One.', 'finish re Ho']);
    expect(floor.state).toBe('taken');
  });

  it('that cannot be stored is none, and says so', async () => {
    refused.add('Hi');
    await expect(floor.take(said('Hi'))).rejects.toThrow('disk full');
    expect(floor.state).toBe('free');
  });

  it('from elsewhere is heard, too, and known by its words as soon as somebody finds them', async () => {
    expect(floor.began('typed')).toBe(false);
    floor.known('typed', 'Hello.');
    floor.known('another', 'Never.');
    floor.ended('typed');
    expect(since()).toEqual(['""', '"Hello."', 'silent']);
  });

  it('gives way to the next that the loudspeaker plays', async () => {
    await floor.take(said('Hi'));
    floor.sentence(sentence('re Hi', 'One.'));
    floor.began('re Hi');
    floor.sentence(sentence('typed', 'Two.'));
    floor.began('typed');
    since();
    floor.interrupt('ada');
    await settled();
    expect(since()).toEqual(['silence typed', 'silent', 'release', 'stop typed of nobody at 700']);
  });
});

describe('speaking over a turn', () => {
  beforeEach(async () => {
    await floor.take(said('Hi'));
    floor.sentence(sentence('re Hi', 'One.'));
    floor.began('re Hi');
    since();
  });

  it('holds it until the last who holds it is released', () => {
    floor.hold('ada');
    floor.hold('bob');
    floor.release('ada');
    expect(since()).toEqual(['hold']);
    floor.release('bob');
    floor.release('bob');
    expect(since()).toEqual(['release']);
  });

  it('interrupts it: no more of it is made, and it is cut to what was played', async () => {
    floor.hold('ada');
    floor.interrupt('ada');
    expect(floor.state).toBe('free');
    expect(floor.goesOn('ada')).toBe(false);
    floor.sentence(sentence('re Hi', 'Two.'));
    await settled();
    expect(since()).toEqual(['hold', 'silence re Hi', 'silent', 'release', 'stop re Hi of ada at 700']);
  });

  it('still interrupts it where its voice came to an end while it was held', async () => {
    floor.hold('ada');
    floor.ended('re Hi');
    floor.interrupt('ada');
    await settled();
    expect(since()).toContain('stop re Hi of ada at 700');
    floor.release('ada');
    expect(floor.state).toBe('free');
  });

  it('leaves it done where it ended while it was held by a back-channel', () => {
    floor.hold('ada');
    floor.ended('re Hi');
    expect(floor.state).toBe('speaking');
    floor.release('ada');
    expect(floor.state).toBe('free');
  });
});

describe('going on before a turn is heard', () => {
  it('calls it off, also before it is stored, and what follows goes on with it', async () => {
    const taking = floor.take(said('I have a question'));
    floor.hold('ada');
    floor.interrupt('ada');
    expect(floor.goesOn('ada')).toBe(true);
    await taking;
    await settled();
    expect(since()).toEqual([
      'take I have a question',
      'hold',
      'silence null',
      'silent',
      'release',
      'stop re I have a question of ada at 700',
    ]);
    floor.mayBeDone('ada', 'about my order');
    await settled();
    await floor.take(said('about my order', { goesOn: true }));
    expect(since()).toEqual(['think about my order (goes on)', 'take about my order (goes on)']);
    expect(floor.goesOn('ada')).toBe(false);
  });

  it('calls it off once', async () => {
    await floor.take(said('Hi'));
    floor.interrupt('ada');
    floor.interrupt('ada');
    await settled();
    expect(since().filter((line) => line.startsWith('stop '))).toEqual(['stop re Hi of ada at 700']);
  });

  it('by somebody else takes the floor, and goes on with nothing', async () => {
    await floor.take(said('Hi'));
    floor.interrupt('bob');
    expect([floor.goesOn('ada'), floor.goesOn('bob')]).toEqual([false, false]);
  });

  it('leaves a reply alone that nobody asked for here', async () => {
    floor.sentence(sentence('typed', 'One.'));
    floor.interrupt('ada');
    await settled();
    expect(since()).toEqual(['say One.', 'silence null', 'release']);
  });
});

describe('where everybody hears the same', () => {
  beforeEach(() => {
    floor = open(true);
  });

  it('one turn waits for the other to be heard', async () => {
    await floor.take(said('Hi'));
    await floor.take(said('Ho', { by: 'bob' }));
    floor.sentence(sentence('re Hi', 'One.', { isLast: true }));
    floor.began('re Hi');
    expect(since()).toEqual(['take Hi', 'note Ho', 'say One.', 'finish re Hi', '"One."']);
    floor.ended('re Hi');
    expect(since()).toEqual(['silent', 'take Ho']);
  });

  it('a turn waits before its first word for whoever speaks', async () => {
    await floor.take(said('Hi'));
    floor.speaks('bob', true);
    floor.sentence(sentence('re Hi', 'One.'));
    floor.speaks('bob', false);
    expect(since()).toEqual(['take Hi', 'hold', 'say One.', 'release']);
  });

  it('nothing is thought ahead while the agent has something to say', async () => {
    await floor.take(said('Hi'));
    floor.mayBeDone('ada', 'Ho');
    await settled();
    expect(since()).toEqual(['take Hi']);
  });

  it('a welcome is said where nothing else is, and can be interrupted', async () => {
    floor.say(sentence('welcome', 'Hello.', { isLast: true }));
    expect(floor.state).toBe('introducing');
    floor.began('welcome');
    floor.interrupt('ada');
    await settled();
    expect(since()).toContain('stop welcome of nobody at 700');
    await floor.take(said('Hi'));
    since();
    floor.say(sentence('another', 'Never.'));
    expect(since()).toEqual([]);
  });

  it('nothing of those who leave is answered any more', async () => {
    await floor.take(said('Hi'));
    await floor.take(said('Ho', { by: 'bob' }));
    await floor.take(said('Hey'));
    await floor.forget('ada');
    expect(since()).toEqual([
      'take Hi',
      'note Ho',
      'note Hey',
      'silence re Hi',
      'silent',
      'take Ho',
      'stop re Hi of ada at 700',
    ]);
    await floor.clear();
    expect(floor.state).toBe('free');
  });
});
