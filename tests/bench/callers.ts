import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import type { AgentProfile } from '#server/dialogue/contract';

/** Styles of questions: direct, paraphrased, as a story, messy, by inference; `near` has no answer. */
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
  /** Words of the answering text; for a near miss, of the nearest text. */
  fragment: string;
  /** A second question comes with it. */
  isTwo: boolean;
}

/** An invented business, its text, and its customers' questions. */
export interface CallersBusiness {
  writer: string;
  name: string;
  agent: AgentProfile;
  questions: CallersQuestion[];
  /** Held out from training: every fourth business of the last writer. */
  isHeldOut: boolean;
}

const FOLDER = fileURLToPath(new URL('evaluate/callers/', import.meta.url));
/** The writer of held-out businesses; while the training was tried, all of them were. */
const LAST_WRITER = 'D';
const HELD_OUT_EVERY = 4;

/** Businesses invented by four writers, each with some 67 questions; none of the writers knew the reader. */
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

/** Only words and figures, each between spaces, to test whether a text contains a wording of another. */
export const wordsAsWritten = (text: string): string =>
  ` ${(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).join(' ')} `;
