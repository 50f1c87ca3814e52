import { beforeEach, describe, expect, it, vi } from 'vitest';
import {
  type Dictation,
  hasBrowserRecognition,
  rememberBroken,
  startDictation,
} from './speech-recognition.ts';

/** A scripted browser recognizer. */
class FakeRecognizer extends EventTarget {
  static all: FakeRecognizer[] = [];
  continuous = false;
  interimResults = false;
  lang = '';
  starts = 0;
  isStopped = false;
  isAborted = false;
  refuses = false;

  constructor() {
    super();
    FakeRecognizer.all.push(this);
  }
  start() {
    if (this.refuses) throw new Error('already started');
    this.starts += 1;
  }
  stop() {
    this.isStopped = true;
  }
  abort() {
    this.isAborted = true;
  }
  hear(...results: [text: string, isFinal: boolean][]) {
    const list = results.map(([transcript, isFinal]) => ({ 0: { transcript }, isFinal }));
    this.dispatchEvent(Object.assign(new Event('result'), { results: list }));
  }
  fail(error: string) {
    this.dispatchEvent(Object.assign(new Event('error'), { error }));
  }
  end() {
    this.dispatchEvent(new Event('end'));
  }
}

let recognized: string[];
let failures: number;
let dictation: Dictation;
const recognizer = () => {
  const last = FakeRecognizer.all.at(-1);
  if (!last) throw new Error('None was made.');
  return last;
};

function start(): void {
  dictation = startDictation({
    recognized: (text) => recognized.push(text),
    failed: () => {
      failures += 1;
    },
  });
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(console, 'warn').mockReturnValue();
  FakeRecognizer.all = [];
  recognized = [];
  failures = 0;
  vi.stubGlobal('webkitSpeechRecognition', FakeRecognizer);
});

describe('whether it is worth a try', () => {
  it('depends on the browser having one', () => {
    expect(hasBrowserRecognition()).toBe(true);
    vi.stubGlobal('webkitSpeechRecognition', undefined);
    expect(hasBrowserRecognition()).toBe(false);
  });

  it('ends for this browser session when it has failed', () => {
    rememberBroken();
    expect(hasBrowserRecognition()).toBe(false);
  });

  it('is denied on phones, where it takes the microphone for itself', () => {
    vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue('Mozilla/5.0 (Linux; Android 16) Mobile');
    expect(hasBrowserRecognition()).toBe(false);
  });
});

describe('listening', () => {
  it('tells what is settled and what is still guessed', () => {
    start();
    expect(recognizer()).toMatchObject({ continuous: true, interimResults: true, starts: 1 });
    recognizer().hear(['where is', false]);
    recognizer().hear(['Where is my', true], [' par', false]);
    expect(recognized).toEqual(['where is', 'Where is my par']);
  });

  it('starts again when the browser ends it, and keeps what it understood', async () => {
    start();
    recognizer().hear(['Where is my parcel', true]);
    await vi.advanceTimersByTimeAsync(2_000);
    recognizer().end();
    expect(recognizer().starts).toBe(2);
    recognizer().hear(['number five', true]);
    expect(recognized.at(-1)).toBe('Where is my parcel number five');
  });

  it.each(['no-speech', 'aborted'])('is not troubled by %s', async (error) => {
    start();
    await vi.advanceTimersByTimeAsync(2_000);
    recognizer().fail(error);
    recognizer().end();
    expect([failures, recognizer().starts]).toEqual([0, 2]);
  });

  it.each(['network', 'service-not-allowed', 'not-allowed', 'language-not-supported', 'audio-capture'])(
    'does not work after %s',
    (error) => {
      start();
      recognizer().fail(error);
      recognizer().end();
      expect([failures, recognizer().starts]).toEqual([1, 1]);
    },
  );

  it('does not work when it ends at once, again and again', () => {
    start();
    for (let end = 0; end < 4; end++) recognizer().end();
    expect([failures, recognizer().starts]).toEqual([1, 4]);
  });

  it('does not work where it cannot be started', async () => {
    class Refusing extends FakeRecognizer {
      override refuses = true;
    }
    vi.stubGlobal('webkitSpeechRecognition', Refusing);
    start();
    await vi.advanceTimersByTimeAsync(0);
    expect(failures).toBe(1);
  });
});

describe('the end', () => {
  it('waits for the last words', async () => {
    start();
    recognizer().hear(['Where is my', false]);
    const all = dictation.finish();
    expect(recognizer().isStopped).toBe(true);
    recognizer().hear(['Where is my parcel?', true]);
    recognizer().end();
    expect(await all).toBe('Where is my parcel?');
  });

  it('does not wait long', async () => {
    start();
    recognizer().hear(['Where is my', false]);
    const all = dictation.finish();
    await vi.advanceTimersByTimeAsync(1_500);
    expect(await all).toBe('Where is my');
    expect(recognizer().isAborted).toBe(true);
  });

  it('tells nothing more once it is closed', () => {
    start();
    dictation.close();
    recognizer().hear(['Where', true]);
    recognizer().end();
    expect([recognized, recognizer().starts, recognizer().isAborted]).toEqual([[], 1, true]);
  });
});
