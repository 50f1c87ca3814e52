/** The few words of a language that say how the sentences of a document hang together. */
export interface FunctionWords {
  /** Begins a sentence that limits the one before. */
  limits: readonly string[];
  /** Begins a sentence whose subject stands in the one before. */
  pointsBack: readonly string[];
  /** Begins a comparison of which the rest is left out: "less than 14 = nothing". */
  compares: readonly string[];
  /** Ends an introduction that an item goes on with, without a colon: "You can get" + "120 days". */
  opens: readonly string[];
  /** Answers a question by itself and says nothing without what follows. */
  replies: readonly string[];
  /** Begins an introduction that is no clause of its own: "What you need to bring". */
  wonders: readonly string[];
  /** Ends no line that stands for itself: "is the home of". */
  unfinished: readonly string[];
  /** Stands at the end of an item and ties it to the next. */
  and: readonly string[];
  or: readonly string[];
  /** What stands before the mark of a question and of its answer: "Q: …", "A. …". */
  question: readonly string[];
  answer: readonly string[];
}

/** How sentences, lines and items of a document hang together. */
export interface DocumentWords {
  /** Whether a sentence limits the one before: "except for …". */
  limitsTheOneBefore(sentence: string): boolean;
  /** "Yes.", "Of course!" */
  isBareReply(sentence: string): boolean;
  /** "less than 14 = nothing": a comparison of which the rest is left out. */
  compares(sentence: string): boolean;
  /** Whether its subject stands in the sentence before. */
  pointsBack(sentence: string): boolean;
  /** Whether what follows on the next line belongs to this one. */
  isUnfinished(line: string): boolean;
  /** Whether an item can be said straight after this introduction. */
  opensItem(introduction: string): boolean;
  /** An item without the conjunction that ties it to the next, and that conjunction. */
  withoutConjunction(item: string): { text: string; tie: 'and' | 'or' | null };
  /** What a question begins with ("Q: …"). */
  readonly questionMark: RegExp;
  /** What an answer begins with. It is a capital: "a. first" is an item. */
  readonly answerMark: RegExp;
}

/** "a|b c|d" as its parts. */
export const listOf = (text: string): string[] =>
  text
    .split('|')
    .map((part) => part.trim())
    .filter(Boolean);

const number = String.raw`\s*(?:\d{1,3}\s*)?(?:[.:)\]–]|-(?=\s))+`;

/** Reads by the words of several languages at once: whose language an agent speaks need not be its document's. */
export function documentWords(languages: readonly FunctionWords[]): DocumentWords {
  const all = (which: keyof FunctionWords) => [...new Set(languages.flatMap((words) => words[which]))];
  const either = (which: keyof FunctionWords) =>
    all(which)
      .sort((a, b) => b.length - a.length)
      .join('|');
  const begins = (which: keyof FunctionWords) =>
    new RegExp(`^["'“‘«(*]*(?:${either(which)})(?![\\p{L}\\p{N}'’-])`, 'iu');
  const ends = (which: keyof FunctionWords) =>
    new RegExp(`(?:^|[\\s,;])(?:${either(which)})\\s*(?:[:–—-]\\s*)?$`, 'iu');
  const [limiting, pointing, comparing, wondering] = [
    begins('limits'),
    begins('pointsBack'),
    begins('compares'),
    begins('wonders'),
  ];
  const bareReply = new RegExp(`^(?:${either('replies')})[.!,]*$`, 'iu');
  const unfinished = new RegExp(`(?:^|[\\s(])(?:${either('unfinished')})$`, 'iu');
  const opening = ends('opens');
  const ending = { and: ends('and'), or: ends('or') };
  return {
    limitsTheOneBefore: (sentence) => limiting.test(sentence),
    isBareReply: (sentence) => bareReply.test(sentence),
    compares: (sentence) => comparing.test(sentence),
    pointsBack: (sentence) => pointing.test(sentence),
    isUnfinished: (line) => unfinished.test(line),
    opensItem: (introduction) => opening.test(introduction) && !wondering.test(introduction),
    withoutConjunction(item) {
      for (const tie of ['and', 'or'] as const) {
        const found = ending[tie].exec(item);
        if (found && found.index > 0)
          return { text: item.slice(0, found.index).replace(/(?<![\s,;])[\s,;]+$/, ''), tie };
      }
      return { text: item, tie: null };
    },
    // "P.O. Box" and "F-150" begin with no mark of a question.
    questionMark: new RegExp(`^(?:${either('question')})${number}\\s*(?=\\S)(?!\\p{L}\\.)`, 'iu'),
    answerMark: new RegExp(
      `^(?:${all('answer')
        .map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}|${word.toUpperCase()}`)
        .join('|')})\\s*(?:\\d{1,3}\\s*)?[.:)]\\s*`,
      'u',
    ),
  };
}
