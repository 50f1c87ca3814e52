const SECTION = '## Questions and answers';
const sectionEnd = /^#{1,2}\s/;
const entryEnd = /^#{1,3}\s/;

/** A heading is read aloud as the place of an answer; a longer one would be a paragraph. */
const MAX_HEADING = 200;

/**
 * Company information with a question and its answer added, as Markdown, in a section at its end. An existing answer to
 * the same question is replaced.
 */
export function withAnswer(companyInfo: string, question: string, answer: string): string {
  const lines = companyInfo.trimEnd().split(/\r?\n/);
  const heading = `### ${headline(question)}`;
  const entry = ['', heading, '', ...answer.trim().split(/\r?\n/).map(noHeading)];
  const start = lines.indexOf(SECTION);
  if (start < 0) return [...lines, '', SECTION, ...entry].join('\n');
  const end = endOf(lines, start, sectionEnd);
  const same = lines.indexOf(heading, start);
  const isThere = same >= 0 && same < end;
  const before = lines.slice(0, isThere ? same : end);
  const after = lines.slice(isThere ? Math.min(endOf(lines, same, entryEnd), end) : end);
  while (before.at(-1)?.trim() === '') before.pop();
  return [...before, ...entry, ...(after.length > 0 ? ['', ...after] : [])].join('\n');
}

function endOf(lines: readonly string[], heading: number, end: RegExp): number {
  const at = lines.findIndex((line, place) => place > heading && end.test(line));
  return at < 0 ? lines.length : at;
}

/** A customer's words as one line. */
function headline(question: string): string {
  const line = question.replace(/\s+/g, ' ').trim();
  return line.length > MAX_HEADING ? `${line.slice(0, MAX_HEADING).replace(/ \S*$/, '')} …` : line;
}

/** A line of an answer that looks like a heading would end it. */
const noHeading = (line: string) => line.replace(/^(\s{0,3})(#{1,6}\s)/, '$1\\$2');
