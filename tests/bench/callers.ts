import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import type { AgentProfile } from '#server/dialogue/contract';

/** How a question is asked: directly, paraphrased, as a story, messily, by what must be inferred; `near` has no answer. */
const kinds = {
  d: 'direct',
  p: 'paraphrase',
  s: 'story',
  m: 'messy',
  i: 'inference',
  n: 'near',
} as const;
type Letter = keyof typeof kinds;

interface CallersQuestion {
  kind: (typeof kinds)[Letter];
  question: string;
  /** Words, as they stand in the text, of what answers; of a near miss, of what comes nearest. */
  fragment: string;
  /** Something else is asked beside it. */
  isTwo: boolean;
}

/** An invented business, its text, and what its customers ask. */
export interface CallersBusiness {
  writer: string;
  name: string;
  agent: AgentProfile;
  questions: CallersQuestion[];
  /** Nothing was learnt from it: every fourth of the last writer's. */
  isHeldOut: boolean;
}

const FOLDER = fileURLToPath(new URL('evaluate/callers/', import.meta.url));
/** The writer of whom some businesses were held out, and all of them while the training was tried. */
const LAST_WRITER = 'D';
const HELD_OUT_EVERY = 4;

/** Businesses that four writers invented, each with some 67 questions; none of the writers knew the reader. */
export function readCallers(folder = FOLDER): CallersBusiness[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.txt.gz'))
    .sort()
    .flatMap((file) =>
      businessesIn(file.slice(0, 1), gunzipSync(readFileSync(join(folder, file))).toString()),
    );
}

/** The same from a folder with a folder per writer and a file per business. */
export function readCallersBeingWritten(folder: string): CallersBusiness[] {
  return readdirSync(folder)
    .filter((writer) => existsSync(join(folder, writer)) && writer.length === 1)
    .sort()
    .flatMap((writer) =>
      businessesIn(
        writer,
        readdirSync(join(folder, writer))
          .filter((file) => file.endsWith('.txt'))
          .sort()
          .map((file) => readFileSync(join(folder, writer, file), 'utf8').trimEnd())
          .join('\n'),
      ),
    );
}

function businessesIn(writer: string, text: string): CallersBusiness[] {
  return text
    .split(/^(?== [^=\n]*\|)/m)
    .filter((each) => each.startsWith('= '))
    .map((each, at) => businessOf(writer, each, at));
}

function businessOf(writer: string, text: string, at: number): CallersBusiness {
  const [head = '', ...lines] = text.split('\n');
  const name = head.slice(2).split('|')[0]?.trim() ?? '';
  const asks = lines.findIndex((line) => /^# asks\b/.test(line));
  const info = lines
    .slice(0, asks)
    .filter((line, place) => !(place < 2 && /^# doc\b/.test(line)))
    .join('\n')
    .trim();
  const questions: CallersQuestion[] = [];
  let fragment = '';
  for (const line of lines.slice(asks)) {
    if (line.startsWith('@ ')) fragment = line.slice(2).trim();
    const [, letter = '', two, asked = ''] = /^([dpsmin]) +(2 +)?(.+)$/.exec(line) ?? [];
    if (!isLetter(letter)) continue;
    const question = asked.replace(/\s*=>\s*(?:yes|no|depends)\W*$/i, '').trim();
    questions.push({ kind: kinds[letter], question, fragment, isTwo: two !== undefined });
  }
  return {
    writer,
    name,
    questions,
    isHeldOut: writer === LAST_WRITER && at % HELD_OUT_EVERY === HELD_OUT_EVERY - 1,
    agent: {
      id: `caller-${writer}-${at}`,
      revision: '1',
      name: 'Kim',
      companyName: name,
      personality: 'Friendly and brief.',
      companyInfo: info,
      prompts: [],
      language: 'en',
    },
  };
}

const isLetter = (text: string): text is Letter => text in kinds;

/** Words and figures alone, each between spaces: whether a text has some words as they stand in another. */
export const wordsAsWritten = (text: string): string =>
  ` ${(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).join(' ')} `;
