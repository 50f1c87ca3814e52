import { CsvError } from 'csv-parse';
import { parse } from 'csv-parse/sync';
import { BROKEN, EMPTY, TOO_LONG, Unreadable } from '#server/engines/unreadable';
import { MAX_DOCUMENT_CHARACTERS } from '#shared/documents';

const SEPARATORS = [',', ';', '\t', '|'] as const;
/** Lines that are examined to find the separator. */
const TELLING = 30;
const MAX_ROWS = 50_000;

const QUESTION = /^(?:questions?|q|faq|frage|fragen|pregunta|question posée)$/i;
const ANSWER = /^(?:answers?|a|responses?|reply|antwort|antworten|respuesta|réponse)$/i;

/**
 * Converts CSV for the reader of passages: to questions with answers if it holds such columns, else to an
 * HTML table whose rows are read with the names of their columns.
 * @throws Unreadable
 */
export function readCsv(text: string): string {
  return readTable(rowsOf(text));
}

/**
 * As `readCsv`, from rows; the first row may name the columns.
 * @throws Unreadable
 */
export function readTable(rows: readonly (readonly string[])[]): string {
  const filled = rows.map((row) => row.map((cell) => cell.trim())).filter((row) => row.some(Boolean));
  const [head, ...body] = filled;
  if (!head) throw new Unreadable(EMPTY);
  if (filled.length > MAX_ROWS)
    throw new Unreadable('This table has more than 50,000 rows. Divide it into several files.');
  const question = head.findIndex((name) => QUESTION.test(name));
  const answer = head.findIndex((name) => ANSWER.test(name));
  if (question >= 0 && answer >= 0 && body.length > 0) return questions(head, body, question, answer);
  const asks = filled.filter(([first = '', second = '']) => first.endsWith('?') && second !== '').length;
  if (head.length === 2 && asks > filled.length / 2)
    return questions(['', ''], head[0]?.endsWith('?') ? filled : body, 0, 1);
  return table(head, body);
}

/** The line that spreadsheets write at the top to declare the separator. */
const SEPARATOR_LINE = /^\ufeff?"?sep=(.)"?[ \t]*(?:\r\n?|\n|$)/i;

function rowsOf(given: string): string[][] {
  const told = SEPARATOR_LINE.exec(given);
  const text = given.slice(told?.[0].length ?? 0);
  try {
    return parse(text, {
      delimiter: told?.[1] ?? separatorOf(text),
      bom: true,
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
      max_record_size: 1_000_000,
    });
  } catch (error) {
    if (error instanceof CsvError) throw new Unreadable(BROKEN);
    throw error;
  }
}

/** The separator that divides most of the first lines into the same number of cells, more than one. */
function separatorOf(text: string): string {
  const beginning = text.slice(0, 200_000);
  const scored = SEPARATORS.map((separator) => {
    const counts = new Map<number, number>();
    try {
      const rows: string[][] = parse(beginning, {
        delimiter: separator,
        bom: true,
        relax_column_count: true,
        relax_quotes: true,
        skip_empty_lines: true,
        to: TELLING,
      });
      for (const { length } of rows) if (length > 1) counts.set(length, (counts.get(length) ?? 0) + 1);
    } catch {
      // This candidate is not the separator.
    }
    return { separator, score: Math.max(0, ...counts.values()) };
  });
  return scored.reduce((best, each) => (each.score > best.score ? each : best)).separator;
}

/** Each question becomes the heading of its answer; other columns follow. */
function questions(
  head: readonly string[],
  rows: readonly string[][],
  question: number,
  answer: number,
): string {
  const read: string[] = [];
  let characters = 0;
  for (const row of rows) {
    const asked = (row[question] ?? '').replace(/\s+/g, ' ');
    const told = row[answer] ?? '';
    if (!asked || !told) continue;
    const more = row.flatMap((cell, at) =>
      at === question || at === answer || !cell || !head[at] ? [] : [`${head[at]}: ${cell}`],
    );
    const text = [`## ${asked}`, withoutHeadings(told), ...more.map(withoutHeadings)].join('\n\n');
    // Column names are repeated in each row, so they count towards the length.
    characters += text.length;
    if (characters > MAX_DOCUMENT_CHARACTERS) throw new Unreadable(TOO_LONG);
    read.push(text);
  }
  return read.join('\n\n');
}

/** Escapes headings inside an answer, so that they do not start a section. */
const withoutHeadings = (text: string) => text.replace(/^( {0,3})(#{1,6}\s)/gm, '$1\\$2');

function table(head: readonly string[], rows: readonly string[][]): string {
  const line = (cells: readonly string[], tag: string) =>
    `<tr>${cells.map((cell) => `<${tag}>${escaped(cell)}</${tag}>`).join('')}</tr>`;
  return [
    '<!doctype html><body><table>',
    `<thead>${line(head, 'th')}</thead>`,
    '<tbody>',
    ...rows.map((row) => line(row, 'td')),
    '</tbody></table></body>',
  ].join('\n');
}

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
