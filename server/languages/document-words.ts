/**
 * The few words of a language that say how sentences hang together. Another language is one more entry; a text in a
 * language without one is read all the same, only its exceptions are not tied to their rules.
 */
interface FunctionWords {
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

const languages: Record<string, FunctionWords> = {
  en: {
    limits: [
      'except',
      'excepting',
      'unless',
      'however',
      'but',
      'otherwise',
      'only if',
      'only when',
      'only',
      'provided',
      'apart from',
      'other than',
      'excluding',
      'exception',
      'exceptions',
      'if not',
      'even so',
      'not if',
      'not for',
      'in that case',
      'in this case',
      'in these cases',
      'in such cases',
      'instead',
      'nor',
      'exempt',
      'though',
      'although',
      'as long as',
      'until then',
      'after that',
      'before that',
      'less than that',
      'more than that',
      'no exceptions',
      'note that',
      'please note',
      'note',
    ],
    pointsBack: [
      'this',
      'these',
      'that',
      'those',
      'it',
      "it's",
      'it’s',
      'they',
      "they're",
      'they’re',
      'them',
      'such',
      'he',
      'she',
      'both',
      'neither',
      'either',
      'each',
      'the same',
      'the latter',
      'the former',
      'also',
      'then',
      'there',
      'here',
      'so',
      'therefore',
      'and',
      'or',
      'its',
      'their',
      'ditto',
      'likewise',
      'same',
    ],
    compares: [
      'less',
      'more',
      'fewer',
      'over',
      'under',
      'up to',
      'at least',
      'at most',
      'from',
      'until',
      'till',
    ],
    opens: [
      'get',
      'need',
      'accept',
      'include',
      'includes',
      'including',
      'are',
      'is',
      'be',
      'to',
      'by',
      'with',
      'for',
      'from',
      'offer',
      'offers',
      'provide',
      'provides',
      'require',
      'requires',
      'bring',
      'have',
      'has',
      "you're",
      'you’re',
      'must',
      'can',
      'may',
      'cannot',
      'either',
      'use',
      'contains',
      'contain',
      'cover',
      'covers',
    ],
    replies: [
      'yes',
      'no',
      'sure',
      'certainly',
      'absolutely',
      'of course',
      'unfortunately not',
      'not at all',
      'definitely',
      'correct',
    ],
    wonders: ['what', 'how', 'where', 'when', 'why', 'who', 'which', 'things', 'how to'],
    unfinished: [
      'a',
      'an',
      'the',
      'of',
      'to',
      'by',
      'in',
      'on',
      'at',
      'for',
      'with',
      'from',
      'and',
      'or',
      'that',
      'is',
      'are',
      'be',
      'which',
      'who',
      'as',
      'than',
      'our',
      'your',
      'its',
      'their',
      'this',
      'these',
      'not',
      'if',
      'when',
      'will',
      'can',
      'may',
      'must',
    ],
    and: ['and'],
    or: ['or'],
    question: ['q', 'question'],
    answer: ['a', 'answer'],
  },
  de: {
    limits: [
      'außer',
      'ausgenommen',
      'es sei denn',
      'jedoch',
      'aber',
      'allerdings',
      'sonst',
      'andernfalls',
      'nur wenn',
      'nur',
      'sofern',
    ],
    pointsBack: [
      'dies',
      'diese',
      'dieser',
      'dieses',
      'das',
      'damit',
      'dabei',
      'dafür',
      'hierfür',
      'dann',
      'ebenso',
    ],
    compares: ['weniger', 'mehr', 'über', 'unter', 'bis', 'ab', 'mindestens', 'höchstens'],
    opens: [],
    replies: ['ja', 'nein', 'natürlich', 'leider nein', 'leider nicht'],
    wonders: ['was', 'wie', 'wo', 'wann', 'wer', 'welche'],
    unfinished: [
      'der',
      'die',
      'das',
      'den',
      'dem',
      'des',
      'ein',
      'eine',
      'einen',
      'einem',
      'und',
      'oder',
      'mit',
      'von',
      'zu',
      'zum',
      'zur',
      'für',
      'in',
      'im',
      'an',
      'am',
      'auf',
      'bei',
      'nicht',
      'wenn',
      'ist',
      'sind',
      'wird',
    ],
    and: ['und'],
    or: ['oder'],
    question: ['f', 'frage'],
    answer: ['antwort'],
  },
  fr: {
    limits: [
      'sauf',
      'excepté',
      'à moins',
      'cependant',
      'toutefois',
      'mais',
      'sinon',
      'seulement si',
      'uniquement',
    ],
    pointsBack: [
      'ceci',
      'cela',
      'ce',
      'cette',
      'ces',
      'il',
      'elle',
      'ils',
      'elles',
      "c'est",
      'c’est',
      'alors',
    ],
    compares: ['moins', 'plus', 'jusqu', 'au moins', 'à partir'],
    opens: [],
    replies: ['oui', 'non', 'bien sûr', 'malheureusement non'],
    wonders: ['que', 'comment', 'où', 'quand', 'qui', 'quel', 'quelle'],
    unfinished: [
      'le',
      'la',
      'les',
      'un',
      'une',
      'de',
      'du',
      'des',
      'et',
      'ou',
      'à',
      'au',
      'aux',
      'en',
      'pour',
      'avec',
      'que',
      'qui',
      'est',
      'sont',
      'ne',
      'pas',
    ],
    and: ['et'],
    or: ['ou'],
    question: ['question'],
    answer: ['r', 'réponse'],
  },
  es: {
    limits: [
      'excepto',
      'salvo',
      'a menos que',
      'sin embargo',
      'pero',
      'de lo contrario',
      'solo si',
      'sólo si',
      'solo',
      'sólo',
    ],
    pointsBack: [
      'esto',
      'este',
      'esta',
      'estos',
      'estas',
      'eso',
      'ese',
      'esa',
      'ellos',
      'ellas',
      'también',
      'entonces',
    ],
    compares: ['menos', 'más', 'hasta', 'desde', 'al menos'],
    opens: [],
    replies: ['sí', 'por supuesto', 'claro'],
    wonders: ['qué', 'cómo', 'dónde', 'cuándo', 'quién', 'cuál'],
    unfinished: [
      'el',
      'la',
      'los',
      'las',
      'un',
      'una',
      'de',
      'del',
      'y',
      'o',
      'a',
      'al',
      'en',
      'para',
      'con',
      'que',
      'es',
      'son',
      'no',
      'si',
    ],
    and: ['y', 'e'],
    or: ['o', 'u'],
    question: ['p', 'pregunta'],
    answer: ['respuesta'],
  },
};

const all = (which: keyof FunctionWords) => [
  ...new Set(Object.values(languages).flatMap((words) => words[which])),
];
const either = (which: keyof FunctionWords) =>
  all(which)
    .sort((a, b) => b.length - a.length)
    .join('|');

const begins = (which: keyof FunctionWords) =>
  new RegExp(`^["'“‘«(*]*(?:${either(which)})(?![\\p{L}\\p{N}'’-])`, 'iu');
const ends = (which: keyof FunctionWords) =>
  new RegExp(`(?:^|[\\s,;])(?:${either(which)})\\s*[:–—-]?\\s*$`, 'iu');

const limiting = begins('limits');
const pointing = begins('pointsBack');
const comparing = begins('compares');
const bareReply = new RegExp(`^(?:${either('replies')})[.!,]*$`, 'iu');
const unfinished = new RegExp(`(?:^|[\\s(])(?:${either('unfinished')})$`, 'iu');
const wondering = begins('wonders');
const opening = ends('opens');
const ending = { and: ends('and'), or: ends('or') };

export const limitsTheOneBefore = (sentence: string) => limiting.test(sentence);
/** "Yes.", "Of course!" */
export const isBareReply = (sentence: string) => bareReply.test(sentence);
export const compares = (sentence: string) => comparing.test(sentence);
export const pointsBack = (sentence: string) => pointing.test(sentence);
/** Whether what follows on the next line belongs to this one. */
export const isUnfinished = (line: string) => unfinished.test(line);
/** Whether an item can be said straight after this introduction. */
export const opensItem = (introduction: string) =>
  opening.test(introduction) && !wondering.test(introduction);

/** An item without the conjunction that ties it to the next, and that conjunction. */
export function withoutConjunction(item: string): { text: string; tie: 'and' | 'or' | null } {
  for (const tie of ['and', 'or'] as const) {
    const found = ending[tie].exec(item);
    if (found && found.index > 0) return { text: item.slice(0, found.index).replace(/[\s,;]+$/, ''), tie };
  }
  return { text: item, tie: null };
}

const number = String.raw`\s*\d{0,3}\s*[.:)\]–-]+`;
export const questionMark = new RegExp(`^(?:${either('question')})${number}\\s*(?=\\S)`, 'iu');
/** An answer's mark is a capital: "a. first" is an item. */
export const answerMark = new RegExp(
  `^(?:${all('answer')
    .map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}|${word.toUpperCase()}`)
    .join('|')})\\s*\\d{0,3}\\s*[.:)]\\s*`,
  'u',
);
