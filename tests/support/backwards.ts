import type { LanguagePack } from '#server/languages/contract';
import { english } from '#server/languages/en/index';

/**
 * English with every word reversed, capitals at their positions: "Olleh ereht". Applying it twice restores
 * the text.
 */
export const backwards = (text: string): string =>
  text.replace(/\p{L}+/gu, (word) => {
    const letters = [...word.toLowerCase()].reverse();
    return [...word]
      .map((letter, at) => (/\p{Lu}/u.test(letter) ? letters[at]?.toUpperCase() : letters[at]))
      .join('');
  });

/** A second language, in the form of a folder beside `en/`: it understands and speaks reversed English. */
export const backwardsPack: LanguagePack = {
  ...english,
  tag: 'x-backwards',
  words: listening(english.words),
  documents: { ...english.documents, ...listening({ isSteering: english.documents.isSteering }) },
  questions: {
    ...listening(english.questions),
    ...speaking({ withoutNegated: english.questions.withoutNegated }),
  },
  messages: {
    ...speaking(english.messages),
    read(message) {
      const { needs, background, ...rest } = english.messages.read(backwards(message));
      return { ...rest, needs: needs.map(backwards), background: backwards(background) };
    },
  },
  say: speaking(english.say),
  topics: speaking(english.topics),
  rooms: listening(english.rooms),
  speech: { ...english.speech, ...speaking({ spokenForm: english.speech.spokenForm }) },
};

/** Wraps a part so that its inputs are reversed. */
function listening<Part extends object>(part: Part): Part {
  return wrapped(part, (result) => result);
}

/** The same with its results reversed as well. */
function speaking<Part extends object>(part: Part): Part {
  return wrapped(part, turned);
}

function wrapped<Part extends object>(part: Part, answer: (result: unknown) => unknown): Part {
  return new Proxy(part, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key);
      return typeof value === 'function'
        ? (...args: unknown[]) => answer(Reflect.apply(value, target, args.map(turned)))
        : value;
    },
  });
}

/** Identifiers, which are not text. */
const names = new Set([
  'danger',
  'injury',
  'despair',
  'violence',
  'frustrated',
  'broken',
  'sorry-customer',
  'yes',
  'no',
  'gives-up',
]);

/** The value with every text reversed. */
function turned(value: unknown): unknown {
  if (typeof value === 'string') return names.has(value) ? value : backwards(value);
  if (Array.isArray(value)) return value.map(turned);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [key, key === 'persona' ? each : turned(each)]),
  );
}
