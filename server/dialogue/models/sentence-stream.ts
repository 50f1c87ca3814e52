import { LEADING_MARKS, takeCitations } from './clean/citations.ts';

/** Whether a bracket closes is known within this many characters. */
const BRACKET_REACH = 40;

/** A sentence of a text that is still being written. */
export interface StreamedSentence {
  text: string;
  /** Numbers of the passages that it cites. */
  cited: readonly number[];
  /** Known at once: another sentence follows. */
  isFollowed: boolean;
}

/** A sentence that may be complete: the next word is not known yet. */
const MAY_BE_WHOLE = /[.!?…]["'”’)\]]*$/u;
/** "45 days. [1]": a citation comes after its sentence's mark. */
const CITED_BEHIND = /(?<![.!?…])([.!?…]+["'”’)\]]{0,4})\s{0,2}([\ue100-\ue163]+)/gu;

/**
 * Cuts a stream of cleaned text into sentences as they complete; a line break ends one, too. The last piece comes when
 * the stream ends. A sentence is complete once the next word is: "5.99", "e.g. this" and "Fri. Sat." stay whole.
 * @param splitSentences of the text's language
 * @param onLikely called with a probable next sentence, before it is known to be complete
 */
export async function* sentencesFrom(
  pieces: AsyncIterable<string>,
  splitSentences: (text: string) => string[],
  onLikely: (sentence: string) => void = () => {},
): AsyncGenerator<StreamedSentence> {
  let text = '';
  let likely = '';
  for await (const piece of pieces) {
    const lines = (text + piece).replace(CITED_BEHIND, '$2$1').split('\n');
    text = (lines.pop() ?? '').trimStart();
    for (const line of lines) yield* unfollowed(splitSentences(line));
    for (;;) {
      const [sentence = ''] = splitSentences(text);
      const rest = text.slice(sentence.length).trimStart();
      if (!isComplete(sentence, rest)) break;
      yield { ...takeCitations(sentence), isFollowed: true };
      text = rest;
    }
    const [begun = ''] = splitSentences(text);
    if (begun !== likely && MAY_BE_WHOLE.test(begun)) {
      likely = begun;
      onLikely(takeCitations(begun).text);
    }
  }
  yield* unfollowed(splitSentences(text));
}

/** The last of them may be the end. */
const unfollowed = (sentences: readonly string[]): StreamedSentence[] =>
  sentences
    .map(takeCitations)
    .filter(({ text }) => text !== '')
    .map((sentence, n, all) => ({ ...sentence, isFollowed: n < all.length - 1 }));

const isComplete = (sentence: string, rest: string) =>
  /^\S+\s/.test(rest.replace(LEADING_MARKS, '')) &&
  (!/\([^()]*$/.test(sentence) || rest.length > BRACKET_REACH);
