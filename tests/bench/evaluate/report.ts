import { type Outcome, outcomes } from '#shared/conversations';
import { type Asked, type Judged, right } from './case.ts';
import { groupBy } from './group-by.ts';

const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim();

function verdictOf({ verdict, outcome }: Judged): string {
  return `${verdict.right ? 'right' : 'WRONG'} | ${outcome}${verdict.why ? ` (${verdict.why})` : ''}`;
}

/** A question with its verdict, and the messages before and after it. */
export function lines(one: Asked, trace: boolean): string {
  const { round, case: asked, first, second } = one;
  const traced = (judged: Judged) => (trace ? judged.trace.map((line) => `        (${line})`) : []);
  return [
    `${verdictOf(first)} | ${asked.kind} | ${round.name}`,
    ...(asked.given
      ? ['    after the whole talk']
      : asked.before.map((text) => `    first: ${oneLine(text)}`)),
    `    asked: ${oneLine(asked.question)}`,
    `    said:  ${oneLine(first.text)}`,
    ...traced(first),
    ...(second
      ? [`    then:  ${second.said}`, `    said:  ${verdictOf(second)} | ${oneLine(second.text)}`]
      : []),
    ...(second ? traced(second) : []),
    ...(right(one) || !asked.ideal ? [] : [`    ideal: ${oneLine(asked.ideal).slice(0, 400)}`]),
  ].join('\n');
}

const columns = [
  'asked',
  'one turn',
  'two turns',
  'covered',
  'precise',
  ...outcomes,
  'not answered',
  'wrong',
  'rejected',
];

/** A wrong statement: an answer that is not right. */
const isWrong = ({ outcome, verdict }: Judged) =>
  outcome === 'answered' && (!verdict.right || verdict.rejected);

/** Rows per agent and per kind, and sums. */
export function table(title: string, all: readonly Asked[]): string {
  const rows: (readonly [string, readonly Asked[]])[] = [];
  const names = groupBy(all, ({ round }) => round.name);
  if (names.length > 1) rows.push(...names, ['', []]);
  rows.push(...groupBy(all, ({ case: { kind } }) => kind));
  const answerable = all.filter(({ case: { nature } }) => nature === 'answerable');
  if (answerable.length < all.length && answerable.length > 0) rows.push(['ANSWERABLE', answerable]);
  rows.push(['ALL', all]);
  const cells = [
    ['', ...columns],
    ...rows.map(([name, asked]) => [name, ...(asked.length > 0 ? figures(asked) : columns.map(() => ''))]),
  ];
  const widths = cells[0]?.map((_, at) => Math.max(...cells.map((row) => row[at]?.length ?? 0))) ?? [];
  const told = cells.map((row) =>
    row
      .map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0)))
      .join('  '),
  );
  // A reply to a customer's "Yes." confirms and states nothing.
  const replies = all.flatMap(({ first, second }) =>
    second && second.said !== 'Yes.' ? [first, second] : [first],
  );
  const wrong = replies.filter(isWrong).length;
  return [
    `## ${title}`,
    ...told.map((line) => line.trimEnd()),
    `Wrong statements: ${share(wrong, replies.length)} of all replies, second turns included; that say what they must not: ${replies.filter(({ verdict }) => verdict.rejected).length}`,
  ].join('\n');
}

function figures(all: readonly Asked[]): string[] {
  const count = (is: (asked: Asked) => boolean) => all.filter(is).length;
  const came = (outcome: Outcome) => count(({ first }) => first.outcome === outcome);
  const answered = all.filter(({ first }) => first.outcome === 'answered');
  return [
    String(all.length),
    share(
      count(({ first }) => first.verdict.right),
      all.length,
    ),
    share(count(right), all.length),
    share(came('answered') + came('offered'), all.length),
    share(answered.filter(({ first }) => first.verdict.right).length, answered.length),
    ...outcomes.map((outcome) => String(came(outcome))),
    share(all.length - answered.length, all.length),
    share(
      count(({ first }) => isWrong(first)),
      all.length,
    ),
    String(count(({ first }) => first.verdict.rejected)),
  ];
}

/** "3/4 75%". */
const share = (part: number, whole: number) =>
  whole === 0 ? '–' : `${part}/${whole} ${Math.round((100 * part) / whole)}%`;

/** For another program to read. */
export function record({ round, case: asked, first, second }: Asked) {
  const told = ({ text, outcome, verdict, trace, ms }: Judged) => ({ text, outcome, ...verdict, trace, ms });
  return {
    set: round.title,
    half: round.half,
    agent: round.name,
    kind: asked.kind,
    before: asked.given ? [] : asked.before,
    question: asked.question,
    ideal: asked.ideal,
    first: told(first),
    second: second && { said: second.said, ...told(second) },
  };
}
