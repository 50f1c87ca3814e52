/** The words of a language that connect sentences of a document. */
export interface FunctionWords {
  /** Begins a sentence that limits the previous one. */
  limits: readonly string[];
  /** Begins a sentence whose subject is in the previous one. */
  pointsBack: readonly string[];
  /** Begins a comparison with an omitted side: "less than 14 = nothing". */
  compares: readonly string[];
  /** Ends an introduction that an item continues without a colon: "You can get" + "120 days". */
  opens: readonly string[];
  /** Answers a question, but says nothing without what follows. */
  replies: readonly string[];
  /** Begins an introduction that is not a clause: "What you need to bring". */
  wonders: readonly string[];
  /** Cannot end an independent line: "is the home of". */
  unfinished: readonly string[];
  /** At the end of an item, connects it to the next. */
  and: readonly string[];
  or: readonly string[];
  /** Words before the mark of a question and of an answer: "Q: …", "A. …". */
  question: readonly string[];
  answer: readonly string[];
}

/** How sentences, lines and items of a document are connected. */
export interface DocumentWords {
  /** Whether a sentence limits the previous one: "except for …". */
  limitsTheOneBefore(sentence: string): boolean;
  /** "Yes.", "Of course!" */
  isBareReply(sentence: string): boolean;
  /** "less than 14 = nothing": a comparison with an omitted side. */
  compares(sentence: string): boolean;
  /** Whether its subject is in the previous sentence. */
  pointsBack(sentence: string): boolean;
  /** Whether the next line continues this one. */
  isUnfinished(line: string): boolean;
  /** Whether an item can directly follow this introduction. */
  opensItem(introduction: string): boolean;
  /** An item without the conjunction that connects it to the next, and that conjunction. */
  withoutConjunction(item: string): { text: string; tie: 'and' | 'or' | null };
  /** The prefix of a question ("Q: …"). */
  readonly questionMark: RegExp;
  /** The prefix of an answer. A capital: "a. first" is an item. */
  readonly answerMark: RegExp;
}

/** Splits "a|b c|d". */
export const listOf = (text: string): string[] =>
  text
    .split('|')
    .map((part) => part.trim())
    .filter(Boolean);

const number = String.raw`\s*(?:\d{1,3}\s*)?(?:[.:)\]–]|-(?=\s))+`;

/** Recognises the words of several languages at once: an agent's language need not be its document's. */
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
    // "P.O. Box" and "F-150" do not begin with a question prefix.
    questionMark: new RegExp(`^(?:${either('question')})${number}\\s*(?=\\S)(?!\\p{L}\\.)`, 'iu'),
    answerMark: new RegExp(
      `^(?:${all('answer')
        .map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}|${word.toUpperCase()}`)
        .join('|')})\\s*(?:\\d{1,3}\\s*)?[.:)]\\s*`,
      'u',
    ),
  };
}
