import type { Documents, LanguagePack } from '#server/languages/contract';
import { endsSentence, labelOf, unmarked, wordsIn } from './lines.ts';
import type { Draft } from './pack.ts';

/** In words: a question that the text asks itself. */
const SHORT_QUESTION = 6;

/** Longer sentences are cut at a comma or a space. */
const MAX_SENTENCE = 600;

export const draftOf = (kind: Draft['kind'], text: string, told: string): Draft => ({
  kind,
  text,
  told,
  leans: new Set(),
});

/**
 * The sentences of a line or an item; those after its label depend on it, and those that begin with a figure are told
 * with it.
 */
export function labelledDrafts(
  marked: string,
  kind: 'sentence' | 'item',
  begin: (text: string, n: number) => string,
  language: LanguagePack,
): Draft[] {
  const { documents } = language;
  const label = labelOf(marked);
  const drafts = sentencesOf(unmarked(marked), language).map((text, n) => {
    if (labelOf(text) !== null || (n === 0 && label))
      return draftOf(kind, text, finished(kind === 'sentence' ? begin(text, n) : text));
    if (label) return draftOf(kind, text, finished(needsLabel(text, documents) ? `${label}: ${text}` : text));
    return draftOf(kind, text, finished(n === 0 || kind === 'sentence' ? begin(text, n) : text));
  });
  tie(drafts, documents);
  const [first] = drafts;
  if (first && (label || kind === 'item'))
    for (const draft of drafts.slice(1)) if (labelOf(draft.text) === null) draft.leans.add(first);
  return drafts;
}

export function sentenceDrafts(sentences: readonly string[], documents: Documents): Draft[] {
  const drafts = sentences.map((text) => draftOf('sentence', text, finished(text)));
  tie(drafts, documents);
  return drafts;
}

/** "14–28 days = half": has no meaning without its subject. */
const needsLabel = (text: string, { compares }: Documents) => /^[~<>≥≤+\d£$€]/.test(text) || compares(text);

export function sentencesOf(
  text: string,
  { splitSentences, documents: { isBareReply } }: LanguagePack,
): string[] {
  return splitSentences(text)
    .flatMap(cut)
    .filter((sentence) => /[\p{L}\p{N}]/u.test(sentence))
    .reduce<string[]>((all, sentence) => {
      // "Yes.", "No lift?", "Need help?" have no meaning without the next sentence.
      const last = all.at(-1);
      if (
        last !== undefined &&
        (isBareReply(last) || (last.endsWith('?') && wordsIn(last) <= SHORT_QUESTION))
      )
        all[all.length - 1] = `${last} ${sentence}`;
      else all.push(sentence);
      return all;
    }, []);
}

function cut(sentence: string): string[] {
  const pieces: string[] = [];
  let rest = sentence;
  while (rest.length > MAX_SENTENCE) {
    const near = rest.slice(0, MAX_SENTENCE);
    const at = Math.max(
      near.lastIndexOf('; '),
      near.lastIndexOf(', '),
      near.lastIndexOf('、'),
      near.lastIndexOf('，'),
    );
    const end =
      at > MAX_SENTENCE / 2
        ? at + 1
        : near.lastIndexOf(' ') > MAX_SENTENCE / 2
          ? near.lastIndexOf(' ')
          : MAX_SENTENCE;
    pieces.push(rest.slice(0, end).trim());
    rest = rest.slice(end).trim();
  }
  pieces.push(rest);
  return pieces;
}

/** A rule and its limit depend on each other; a sentence that points back depends on the one before. */
function tie(drafts: readonly Draft[], { limitsTheOneBefore, pointsBack }: Documents) {
  for (const [n, draft] of drafts.entries()) {
    const previous = drafts[n - 1];
    if (!previous) continue;
    if (limitsTheOneBefore(draft.text)) {
      draft.leans.add(previous);
      previous.leans.add(draft);
    } else if (pointsBack(draft.text) || /[:?]$/.test(previous.text) || draft.text.startsWith('('))
      draft.leans.add(previous);
  }
}

/** A spoken statement ends like a sentence. */
export const finished = (text: string) =>
  endsSentence(text) ? text : `${text.replace(/(?<![\s:;,–—-])[\s:;,–—-]+$/, '')}.`;
