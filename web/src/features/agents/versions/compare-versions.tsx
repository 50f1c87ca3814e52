import type { AttachedToAgent, VersionContent } from '#shared/agent-versions';
import { t } from '#web/texts/agents';
import { LoadProblem } from '#web/ui/load-problem';
import { Skeleton } from '#web/ui/skeleton';
import { useVersion } from './api.ts';
import { difference, linesOf, type Piece, wordsOf } from './difference.ts';
import { fieldNames } from './field-names.ts';
import { linesOfAnswers } from './lines-of-answers.ts';

interface CompareVersionsProps {
  agentId: string;
  before: number;
  after: number;
}

/** The differences between two versions of an agent, field by field. */
export function CompareVersions({ agentId, before, after }: CompareVersionsProps) {
  const [one, other] = [useVersion(agentId, before), useVersion(agentId, after)];
  if (one.data && other.data)
    return <Compared before={one.data.content} after={other.data.content} numbers={[before, after]} />;
  const failed = [one, other].find(({ error }) => error);
  if (failed)
    return (
      <LoadProblem
        title={t('compare.loadFailed')}
        error={failed.error}
        onRetry={() => void failed.refetch()}
      />
    );
  return (
    <div role="status" aria-label={t('compare.loading')} className="flex flex-col gap-3">
      <Skeleton className="h-6 w-40" />
      <Skeleton className="h-24 rounded-md" />
    </div>
  );
}

/**
 * A field as text, with a line for each item of a list. Compared with the previous content, it marks replaced documents
 * and actions.
 */
const texts: Record<keyof VersionContent, (content: VersionContent, before?: VersionContent) => string> = {
  name: ({ name }) => name,
  companyName: ({ companyName }) => companyName,
  personality: ({ personality }) => personality,
  companyInfo: ({ companyInfo }) => companyInfo,
  prompts: ({ prompts }) => prompts.join('\n'),
  greeting: ({ greeting = '' }) => greeting,
  goodbye: ({ goodbye = '' }) => goodbye,
  answers: ({ answers = [] }) => linesOfAnswers(answers),
  neverSay: ({ neverSay = [] }) => neverSay.join('\n'),
  handOverWhen: ({ handOverWhen = [] }) => handOverWhen.join('\n'),
  language: ({ language }) => language,
  masks: ({ masks }) => masks.join('\n'),
  documents: ({ documents }, before) =>
    documents
      .map((each) =>
        becameAnother(each, before?.documents) ? t('compare.otherText', { name: each.title }) : each.title,
      )
      .join('\n'),
  actions: ({ actions }, before) =>
    actions
      .map((each) =>
        becameAnother(each, before?.actions) ? t('compare.changed', { name: each.name }) : each.name,
      )
      .join('\n'),
};

function becameAnother(
  { _id, textSince }: AttachedToAgent,
  before: readonly AttachedToAgent[] = [],
): boolean {
  const same = before.find((each) => each._id === _id);
  return same !== undefined && same.textSince !== textSince;
}

interface ComparedProps {
  before: VersionContent;
  after: VersionContent;
  numbers: readonly [number, number];
}

function Compared({ before, after, numbers: [one, other] }: ComparedProps) {
  const changed = fieldNames.filter(({ field }) => texts[field](before) !== texts[field](after, before));
  if (changed.length === 0)
    return <p className="py-8 text-center text-ink-muted">{t('compare.same', { one, other })}</p>;
  return (
    <div className="flex flex-col gap-6">
      {changed.map(({ field, name }) => (
        <section key={field} aria-label={name}>
          <h3 className="font-semibold text-sm">{name}</h3>
          <Lines pieces={difference(linesOf(texts[field](before)), linesOf(texts[field](after, before)))} />
        </section>
      ))}
    </div>
  );
}

/** Unchanged lines shown next to a change; of further ones only the number is shown. */
const AROUND = 1;

function Lines({ pieces }: { pieces: readonly Piece[] }) {
  return (
    <div className="wrap-anywhere mt-2 overflow-hidden rounded-md border border-line text-sm">
      {rowsOf(pieces).map((row, at) =>
        'left' in row ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: rows have no name but their place, and never move.
          <p key={at} className="bg-sunken px-3 py-1.5 text-ink-faint text-xs">
            {t('compare.unchangedLines', { count: row.left })}
          </p>
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: as above.
          <Line key={at} {...row} />
        ),
      )}
    </div>
  );
}

type Row = { left: number } | { kind: Piece['kind']; words: readonly Piece[] };

function rowsOf(pieces: readonly Piece[]): Row[] {
  const rows: Row[] = [];
  for (let at = 0; at < pieces.length; ) {
    const { kind } = pieces[at] ?? { kind: 'same' };
    const run = pieces.slice(at);
    const length = run.findIndex((piece) => (piece.kind === 'same') !== (kind === 'same'));
    const some = length < 0 ? run : run.slice(0, length);
    rows.push(...(kind === 'same' ? unchanged(some, at === 0, length < 0) : replaced(some)));
    at += some.length;
  }
  return rows;
}

const whole = (piece: Piece): Row => ({ kind: piece.kind, words: [{ ...piece, kind: 'same' }] });

function unchanged(lines: readonly Piece[], isFirst: boolean, isLast: boolean): Row[] {
  const head = isFirst ? 0 : AROUND;
  const tail = isLast ? 0 : AROUND;
  const left = lines.length - head - tail;
  if (left <= 1) return lines.map(whole);
  return [...lines.slice(0, head).map(whole), { left }, ...lines.slice(lines.length - tail).map(whole)];
}

/** Equal numbers of removed and added lines are paired, to show the changed words of each. */
function replaced(lines: readonly Piece[]): Row[] {
  const gone = lines.filter(({ kind }) => kind === 'gone');
  const young = lines.filter(({ kind }) => kind === 'new');
  if (gone.length !== young.length) return [...gone, ...young].map(whole);
  return gone.flatMap((line, n): Row[] => {
    const words = difference(wordsOf(line.text), wordsOf(young[n]?.text ?? ''));
    return [
      { kind: 'gone', words: words.filter(({ kind }) => kind !== 'new') },
      { kind: 'new', words: words.filter(({ kind }) => kind !== 'gone') },
    ];
  });
}

const looks: Record<Piece['kind'], { line: string; word: string; mark: string; read: string }> = {
  same: { line: 'text-ink-muted', word: '', mark: '', read: '' },
  gone: { line: 'bg-urgent-soft', word: 'bg-urgent/20 font-medium', mark: '−', read: t('compare.removed') },
  new: { line: 'bg-positive-soft', word: 'bg-positive/20 font-medium', mark: '+', read: t('compare.added') },
};

function Line({ kind, words }: Extract<Row, { words: readonly Piece[] }>) {
  const { line, word, mark, read } = looks[kind];
  return (
    <p dir="auto" className={`flex gap-2.5 px-3 py-1 ${line}`}>
      <span aria-hidden="true" className="w-3 shrink-0 select-none text-center text-ink-faint">
        {mark}
      </span>
      <span className="min-w-0 flex-1 whitespace-pre-wrap">
        {read && <span className="sr-only">{read} </span>}
        {words.map((piece, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: words have no name but their place, and never move.
          <span key={at} className={piece.kind === 'same' ? undefined : `rounded-xs ${word}`}>
            {piece.text}
          </span>
        ))}
      </span>
    </p>
  );
}
