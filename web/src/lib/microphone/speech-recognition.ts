import { logProblem } from '#web/lib/log';

/** The part of the Web Speech API in use; prefixed in Chromium and Safari, missing in Firefox. */
interface BrowserRecognizer extends EventTarget {
  continuous: boolean;
  interimResults: boolean;
  lang: string;
  start(): void;
  stop(): void;
  abort(): void;
}

declare global {
  interface Window {
    SpeechRecognition?: new () => BrowserRecognizer;
    webkitSpeechRecognition?: new () => BrowserRecognizer;
  }
}

/** Longest wait for the last words after the microphone was released. */
const LAST_WORDS_MS = 1_500;
/** A recognizer that ends this often in a row without a word does not work. */
const MAX_IDLE_ENDS = 4;
/** A shorter run did not listen at all. */
const LISTENED_MS = 1_000;
const BROKEN_KEY = 'sigma.browser-recognition';
/** Temporary errors: no speech, or the browser ended it. */
const HARMLESS = new Set(['no-speech', 'aborted']);

export interface DictationListener {
  /** All recognised text so far; it may change. */
  recognized(text: string): void;
  /** It does not work here; nothing more follows. */
  failed(): void;
}

/** The browser's recognition while it runs. */
export interface Dictation {
  /** Resolves with all recognised text, within 1.5 s. */
  finish(): Promise<string>;
  /** Ends it at once; nothing more follows. */
  close(): void;
}

/**
 * Whether the browser's recognition is worth trying: it exists, has not failed in this browser session, and
 * can run beside a recording. On phones it takes the microphone exclusively.
 */
export function hasBrowserRecognition(): boolean {
  return recognizerClass() !== undefined && !isKnownBroken() && !isPhone();
}

/** Remembers for this browser session that it does not work, so that later calls do not try it. */
export function rememberBroken(): void {
  try {
    sessionStorage.setItem(BROKEN_KEY, 'broken');
  } catch {
    // Storage is blocked: it is tried again next time.
  }
}

/**
 * Runs the browser's recognition until `finish` or `close`. Browsers end a recognition after a pause or a
 * minute; it is restarted and earlier text is kept.
 */
export function startDictation(listener: DictationListener): Dictation {
  const Recognizer = recognizerClass();
  const recognizer = Recognizer ? new Recognizer() : null;
  /** Text of earlier runs; and of this one, final and provisional. */
  let before = '';
  let settled = '';
  let guessed = '';
  let startedAt = 0;
  let idleEnds = 0;
  let isOver = false;
  let finished: (() => void) | null = null;

  const text = () =>
    [before, settled, guessed]
      .map((part) => part.trim())
      .filter(Boolean)
      .join(' ');
  const end = () => {
    isOver = true;
    recognizer?.abort();
  };
  const fail = () => {
    if (isOver) return;
    end();
    finished?.();
    listener.failed();
  };
  const start = () => {
    startedAt = performance.now();
    try {
      recognizer?.start();
    } catch (error) {
      logProblem("The browser's speech recognition did not start.", error);
      fail();
    }
  };

  recognizer?.addEventListener('result', (event) => {
    if (isOver || !('results' in event)) return;
    idleEnds = 0;
    settled = '';
    guessed = '';
    for (const result of event.results as SpeechRecognitionResultList) {
      const words = result[0]?.transcript ?? '';
      if (result.isFinal) settled += words;
      else guessed += words;
    }
    listener.recognized(text());
  });
  recognizer?.addEventListener('error', (event) => {
    if ('error' in event && !HARMLESS.has(String(event.error))) fail();
  });
  recognizer?.addEventListener('end', () => {
    if (isOver) return;
    before = text();
    settled = '';
    guessed = '';
    if (finished) {
      finished();
      return;
    }
    idleEnds = performance.now() - startedAt < LISTENED_MS ? idleEnds + 1 : 0;
    if (idleEnds >= MAX_IDLE_ENDS) fail();
    else start();
  });

  if (recognizer) {
    recognizer.continuous = true;
    recognizer.interimResults = true;
    recognizer.lang = navigator.language.startsWith('en') ? navigator.language : 'en-US';
    start();
  } else {
    queueMicrotask(fail);
  }

  return {
    finish: () =>
      new Promise((resolve) => {
        const done = () => {
          clearTimeout(timer);
          const all = text();
          end();
          resolve(all);
        };
        const timer = setTimeout(done, LAST_WORDS_MS);
        if (isOver) {
          done();
          return;
        }
        finished = done;
        recognizer?.stop();
      }),
    close: end,
  };
}

const recognizerClass = () => window.SpeechRecognition ?? window.webkitSpeechRecognition;

const isPhone = () => /Android|iPhone|iPad|Mobile/i.test(navigator.userAgent);

function isKnownBroken(): boolean {
  try {
    return sessionStorage.getItem(BROKEN_KEY) !== null;
  } catch {
    return false;
  }
}
