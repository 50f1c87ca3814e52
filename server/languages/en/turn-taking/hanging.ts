import type { Ending, ExpectedAnswer } from '#server/languages/turn-taking';

const words = (list: string): ReadonlySet<string> => new Set(list.split(/\s+/).filter(Boolean));

export const whWords = words(
  'what which who whom whose where when why how whatever whichever wherever whoever',
);
const subjects = words('i he she we they you it');
const onlySubjects = words('i he she we they');
const be = words("is are was were am be been being isn't aren't wasn't weren't");
const auxiliary = words('do does did have has had can could will would shall should may might must ought');
const negated = words(
  "don't doesn't didn't haven't hasn't hadn't can't couldn't won't wouldn't shouldn't mustn't isn't aren't wasn't weren't",
);
const modal = words(
  "can could will would shall should may might must to cannot can't couldn't won't wouldn't don't didn't doesn't not i'd i'll we'll we'd you'd you'll they'll it'll please",
);
/** Words that something must follow, whatever precedes them. */
const neverLast = words(
  `a an the thee my your our their its his whose every and or but because although unless whereas nor if whether than as of from at into
  onto upon between among against during per via towards toward without within despite except including regarding concerning
  very extremely quite fairly such several various certain dot underscore dash hyphen slash
  i'm i've i'll i'd it's it'll that's there's here's he's she's he'll she'll we're we've we'll we'd you're you've you'll you'd
  they're they've they'll they'd what's who's where's how's when's let's that'll there'll name's number's problem's
  wanna gonna gotta trying wondering supposed able unable willing regarding plus minus`,
);
const adverbs = words(
  'just also really actually only still never always even basically literally probably currently usually already finally kindly recently simply maybe perhaps',
);
const adjectives = words(
  'new old last next first second third other own whole wrong right different big small large full current previous original following main only certain few couple best latest recent entire exact specific',
);
/** Verbs that need an object. */
const transitive = words(
  `return buy order change exchange track send check update get have make take put use find see add remove open ask know tell report
  replace request schedule receive discuss confirm verify book reset purchase upgrade downgrade want need like give bring cancel
  keep move switch set turn create access download install contact speak talk provide enter print transfer mention explain do
  figure look apply connect sign register say hear return`,
);
/** Verbs whose subject may be a thing as well as a person. */
const covering = words('cover include accept support contain offer allow require prefer affect involve');
const transitivePast = words(
  `bought ordered received sent got had made found wanted needed said told asked gave took put used purchased returned saw noticed
  tried called placed chose picked requested booked signed spoke talked paid changed`,
);
const progressive = words(
  'looking calling trying asking wondering hoping planning thinking having getting using talking going wanting seeing needing returning ordering buying phoning writing running sending making taking',
);
const clauseStarters = words(
  'and but because if when that so since whether while once though although or then unless until after before hope think guess says say said where what how why which who',
);
const knowing =
  /\b(?:know|sure|tell|told|asked|explained|said|idea|matter|remember|understand|explain|see|that's|is|says|say|wonder)\b/;

/** Verb forms that make a clause: auxiliaries, everyday verbs, verb endings. */
export function isVerbal(word: string, before: string | undefined): boolean {
  if (be.has(word) || auxiliary.has(word) || negated.has(word)) return true;
  if (
    /'(?:m|re|ve|ll|d)$/.test(word) ||
    /^(?:it|that|there|he|she|what|where|how|who|let|here)'s$/.test(word)
  )
    return true;
  if (transitivePast.has(word) || progressive.has(word)) return true;
  const afterDeterminer =
    before !== undefined &&
    /^(?:a|an|the|my|your|our|their|his|her|its|this|that|no|any|some|of|for|last|new|next)$/.test(before);
  if ((transitive.has(word) || everydayVerbs.has(word)) && !afterDeterminer) return true;
  return /(?:ed|ing)$/.test(word) && word.length > 4 && !afterDeterminer && before !== undefined;
}

const everydayVerbs = words(
  `come came comes go goes went gone arrive arrives arrived works work broke broken happened stopped lost forgot thank thanks please
  wait help helps let keep keeps says show shows charge charges seems looks feels means costs cost expired want wants needs help stop start pay live lives lost left`,
);

/** The end of an utterance, as the rules below look at it. */
interface LastWords {
  said: readonly string[];
  text: string;
  last: string;
  before: string;
  /** A question word precedes the last word. */
  asksWith: boolean;
  /** A question word or relative clause replaces what would follow. */
  gap: boolean;
  expected: ExpectedAnswer;
}

/** What a rule decides: how the words end, null if they can be finished, undefined if it does not apply. */
type Verdict = Ending | null | undefined;

/** In order: the first rule that applies decides. */
const rules: readonly ((utterance: LastWords) => Verdict)[] = [
  afterNeverLast,
  afterTo,
  afterPreposition,
  afterSoOrThen,
  afterLike,
  afterQuestionWord,
  afterNot,
  afterOnlySubject,
  afterPronoun,
  afterThat,
  afterAuxiliary,
  afterAdverb,
  afterAdjective,
  afterOpenPhrase,
  afterVerb,
];

/**
 * Whether an utterance with these last words cannot, or can hardly, be finished.
 * @returns null if it can
 */
export function hangs(said: readonly string[], expected: ExpectedAnswer): Ending | null {
  const text = said.join(' ');
  const utterance: LastWords = {
    said,
    text,
    last: said.at(-1) ?? '',
    before: said.at(-2) ?? '',
    asksWith: said.slice(0, -1).some((word) => whWords.has(word)),
    gap: hasGap(text, said),
    expected,
  };
  for (const rule of rules) {
    const verdict = rule(utterance);
    if (verdict !== undefined) return verdict;
  }
  return null;
}

function afterNeverLast({ last, before, gap }: LastWords): Verdict {
  if (!neverLast.has(last)) return undefined;
  if (['from', 'at', 'into', 'against', 'without'].includes(last) && gap) return null;
  if (
    last === 'of' &&
    gap &&
    /^(?:made|think|thinking|talking|speaking|heard|aware|afraid|sort)$/.test(before)
  )
    return null;
  return 'unfinished';
}

function afterTo({ last, before, gap }: LastWords): Verdict {
  if (last !== 'to') return undefined;
  const verbal =
    /^(?:need|want|have|going|like|able|supposed|how|trying|used|got|ought|get|possible|way|love|has|had|hoping|planning|where|what|wanted|needed)$/.test(
      before,
    );
  return gap && !verbal ? null : 'unfinished';
}

const prepositions = words(
  'for with by about since under behind near through in on until till before after while though',
);

function afterPreposition({ last, text, gap }: LastWords): Verdict {
  if (!prepositions.has(last)) return undefined;
  if (/\b(?:what|how) about$/.test(text)) return 'unfinished';
  if (
    last === 'in' &&
    /\b(?:log|logs|logged|logging|sign|signed|signing|come|came|coming|check|checked|checking|get|got|let|fill|filled|plug|plugged|drop|trade|turn|turned|move|moved|send|bring|mail|mailed|walk)(?: (?:it|me|them|that|this|you|back|my \w+|the \w+))? in$/.test(
      text,
    )
  )
    return null;
  if (
    last === 'on' &&
    /\b(?:turn|turned|turning|go|goes|going|move|carry|try|tried|put|log|logged|switch|switched|later|work|keep|what's going|signed)(?: (?:it|them|that|this|my \w+|the \w+))? on$/.test(
      text,
    )
  )
    return null;
  if (
    last === 'through' &&
    /\b(?:go|going|goes|get|got|getting|gone|went|come|came|put|break|walk)(?: (?:it|me|that|this|them))? through$/.test(
      text,
    )
  )
    return null;
  if (
    last === 'before' &&
    /\b(?:ever|never|have|had|once|day|week|night|year|month|time|happened|this|that|it|you|already|me)(?: \w+){0,3} before$/.test(
      text,
    )
  )
    return null;
  if (last === 'after' && /\b(?:day|week|month|shortly|soon|year) after$/.test(text)) return null;
  if (last === 'since' && /\b(?:ever|not|long) since$/.test(text)) return null;
  if (last === 'while' && /\b(?:a|little|quite a) while$/.test(text)) return null;
  if (last === 'though') return null;
  if (last === 'by' && /\b(?:stop|come|drop|go|get|stand|near)(?: \w+)? by$/.test(text)) return null;
  return gap ? null : 'unfinished';
}

function afterSoOrThen({ last, before }: LastWords): Verdict {
  if (last === 'so')
    return /^(?:think|hope|guess|believe|suppose|say|said|told|or|if|even|is|that|thought)$/.test(before)
      ? null
      : 'unfinished';
  if (last === 'then') return before === 'and' || before === 'but' ? 'unfinished' : null;
  return undefined;
}

function afterLike({ last, text, gap }: LastWords): Verdict {
  if (last !== 'like') return undefined;
  const whatIt = /(?:is|are|was|were|look|looks|feel)(?: it| that| they)? ?(?:you |i )?like$/.exec(text);
  const isWhole =
    /\b(?:if|as|whatever|whenever|that) ?(?:you |i )?like$/.test(text) ||
    (whatIt !== null && /\bwhat /.test(text.slice(0, whatIt.index)));
  if (isWhole && !/\bwould\b/.test(text)) return null;
  return gap ? null : 'unfinished';
}

function afterQuestionWord({ said, text, last, before }: LastWords): Verdict {
  if (text === 'which' || text === 'whose' || /\bhow (?:much|many|long|often|far|old)$/.test(text))
    return said.length > 3 ? 'open-ended' : 'unfinished';
  if (!whWords.has(last)) return undefined;
  if (said.length <= 2 && before !== 'and' && before !== 'but') return null;
  if (!knowing.test(said.slice(0, -1).join(' ')) || /\b(?:do|can|could) you\b/.test(text))
    return 'unfinished';
  return /\b(?:me|us|him|her|them|know|understand|explain) why$/.test(text) ? null : 'open-ended';
}

function afterNot({ said, last, before }: LastWords): Verdict {
  // "Ask not …", but also "I hope not", "whether or not".
  if (
    last === 'not' &&
    said.length > 1 &&
    !be.has(before) &&
    !auxiliary.has(before) &&
    !/(?:^(?:or|if|why|hope|think|guess|believe|suppose|afraid|rather|better|maybe|perhaps|still|just|how|much)|'\w+|ly|course)$/.test(
      before,
    )
  )
    return 'unfinished';
  return undefined;
}

function afterOnlySubject({ last, before, asksWith }: LastWords): Verdict {
  if (!onlySubjects.has(last)) return undefined;
  if (/^(?:than|as)$/.test(before)) return null;
  return asksWith && be.has(before) && last !== 'i' ? null : 'unfinished';
}

function afterPronoun({ said, last, before, asksWith }: LastWords): Verdict {
  if (last !== 'it' && last !== 'you' && last !== 'there') return undefined;
  if (clauseStarters.has(before))
    return before === 'and' && last === 'you' && said.length <= 3
      ? null
      : before === 'so' || before === 'that' || before === 'where'
        ? 'open-ended'
        : 'unfinished';
  const inverted = be.has(before) || auxiliary.has(before) || negated.has(before);
  if (!inverted) return null;
  // "I don't have it", "how do I do it": a verb with its object.
  const third = said.at(-3);
  if (
    /^(?:do|does|did|have|has|had)$/.test(before) &&
    last !== 'you' &&
    third !== undefined &&
    !whWords.has(third) &&
    !clauseStarters.has(third)
  )
    return null;
  if (
    /^(?:have|has|had)$/.test(before) &&
    third !== undefined &&
    !whWords.has(third) &&
    !clauseStarters.has(third)
  )
    return null;
  // "Can you", "how do you", "will it"; but "who are you", "where is it".
  return be.has(before) ? (said.length <= 3 && !asksWith ? 'unfinished' : null) : 'unfinished';
}

function afterThat({ text, last, before, asksWith }: LastWords): Verdict {
  if (
    last === 'that' &&
    /\b(?:think|thought|said|says|saying|noticed|told|told (?:me|them|you|us)|(?:is|was)|sure|hope|believe|heard|so|given|understand|realized?|now|guess|see|mean|aware|afraid)$/.test(
      before,
    ) &&
    !asksWith
  )
    return 'unfinished';
  if (last === 'that' && /\b(?:told|informed|promised|assured) (?:\w+ ){1,4}that$/.test(text))
    return 'unfinished';
  return undefined;
}

function afterAuxiliary({ said, text, last, before, expected, asksWith, gap }: LastWords): Verdict {
  if (!be.has(last) && !auxiliary.has(last) && !negated.has(last)) return undefined;
  if (said.length === 1) return 'unfinished';
  // The month.
  if (
    last === 'may' &&
    /^(?:of|in|since|until|till|by|from|to|last|next|this|before|after|early|late|mid|first|second|third|\d+(?:st|nd|rd|th)?|\w+th)$/.test(
      before,
    )
  )
    return null;
  if (
    /\b(?:than|so|neither|nor|as)\b/.test(text) &&
    said.length <= 9 &&
    /\b(?:than|as|neither|nor)\b/.test(text)
  )
    return null;
  if (gap && said.length > 3 && /^(?:do|have|did|has|had|need)$/.test(last)) return null;
  if (/^(?:have|has|had|do|did)$/.test(last) && /\bhow (?:many|much) \w/.test(said.slice(0, -1).join(' ')))
    return null;
  // "I don't know what it is": the clause is complete. "What I want is" is not.
  if (
    asksWith &&
    !whWords.has(said[0] ?? '') &&
    !whWords.has(before) &&
    (be.has(last) || last === 'do' || last === 'does' || last === 'did')
  )
    return null;
  if (negated.has(last)) {
    const third = said.at(-3) ?? '';
    if (clauseStarters.has(third) && third !== 'so') return 'unfinished';
    return said.length <= 3 && (subjects.has(before) || before === 'that') ? 'opening' : 'unfinished';
  }
  if (last === 'do' && /\b(?:can|could|to|should|will|would|please|i'll) do$/.test(text)) return null;
  if (expected === 'yes-or-no' && said.length <= 4) return 'complete-answer';
  return 'unfinished';
}

function afterAdverb({ said, text, last, before }: LastWords): Verdict {
  if (!adverbs.has(last)) return undefined;
  if (said.length === 1)
    return last === 'maybe' || last === 'perhaps' || last === 'probably' ? 'opening' : 'unfinished';
  if (last === 'really' && /\bnot|n't\b/.test(text)) return null;
  const loose =
    subjects.has(before) ||
    be.has(before) ||
    before === 'and' ||
    before === 'but' ||
    /'(?:m|ve|re|s)$/.test(before) ||
    (auxiliary.has(before) && last !== 'still') ||
    adverbs.has(before);
  return loose ? 'unfinished' : null;
}

function afterAdjective({ text, last, before, asksWith, expected }: LastWords): Verdict {
  if (!adjectives.has(last)) return undefined;
  const attributive =
    /\b(?:an?|the|my|your|our|this|their|any|some|no) (?:very |really |whole |two |three )?[\w']+$/.test(
      text,
    ) || before === 'my';
  const answers =
    expected === 'short' || (/^(?:first|last|second|third|other|best|latest|right)$/.test(last) && asksWith);
  if (attributive && !answers)
    return before === 'the' &&
      /^(?:first|last|second|third|other|best|latest|same|small|large|big)$/.test(last)
      ? 'open-ended'
      : 'unfinished';
  return null;
}

function afterOpenPhrase({ text, last, before, gap }: LastWords): Verdict {
  // "Is there any way": to do what comes next.
  if (
    /\b(?:is|was) there (?:any|a|no|some|another) (?:other |easy |quick )?(?:way|chance|possibility|option)$/.test(
      text,
    )
  )
    return 'unfinished';
  if (/^(?:each|another|many)$/.test(last)) return 'open-ended';
  if (
    /^(?:some|any|both|these|those)$/.test(last) &&
    !/^(?:of|like|for|with|about|want|need|take)$/.test(before)
  )
    return 'open-ended';
  if (last === 'too' && (be.has(before) || /'(?:s|re|m)$/.test(before))) return 'unfinished';
  if (last === 'rather') return 'unfinished';
  if (last === 'please' && /\b(?:can|could|would|will) (?:you|i|we) please$/.test(text)) return 'unfinished';
  if (
    /\b(?:tell|told|send|sent|give|gave|show|bring|asked|ask|offer|offered|let|get|got) (?:me|us|him|them)$/.test(
      text,
    ) &&
    !gap
  )
    return 'unfinished';
  if (last === 'few' || last === 'couple') return 'unfinished';
  if (/'s$/.test(last) && /^(?:my|the|your|our|his|her)$/.test(before)) return 'open-ended';
  return undefined;
}

function afterVerb({ said, text, last, before, gap }: LastWords): Ending | null {
  if (gap && !/^(?:where|when|why|how)\b(?!.*\b(?:what|which|who|that)\b)/.test(text)) return null;
  if (/^\w+$/.test(last) && /\bhow (?:long|much|many|often)\b./.test(said.slice(0, -1).join(' ')))
    return null;
  const polar = /^(?:(?:and|so|but|okay|hi),? )*(?:do|does|did|can|could|will|would|should|is|are)\b/.test(
    text,
  );
  const afterSubject =
    subjects.has(before) ||
    /'(?:ve|d|ll)$/.test(before) ||
    adverbs.has(before) ||
    before === 'have' ||
    before === 'had' ||
    before === 'has';
  if (transitive.has(last) || covering.has(last)) {
    if (
      /^(?:i|you) (?:know|see|do)$/.test(text) ||
      /\b(?:don't|didn't|doesn't) (?:know|see|like|want|need|understand|do)$/.test(text)
    )
      return last === 'know' || last === 'see' || last === 'do' ? null : 'open-ended';
    if (/\b(?:let|make|help|help me|have) (?:you |me |him |them )?(?:know|see)$/.test(text)) return null;
    if (
      modal.has(before) ||
      (covering.has(last) && polar) ||
      subjects.has(before) ||
      adverbs.has(before) ||
      (/^(?:let|help|me|and|us)$/.test(before) && /\b(?:let me|help me|let us|to \w+ and) \w+$/.test(text))
    )
      return /^(?:cancel|check|talk|speak|look|apply|register|order|return|sign|do|move)$/.test(last) &&
        /\b(?:how|can|could|do|does) (?:do )?(?:i|you|we) \w+$/.test(text)
        ? 'open-ended'
        : 'unfinished';
    return null;
  }
  if (progressive.has(last)) {
    if (/\bgoing$/.test(text) && /\b(?:get|keep|how's it|still|be|where)\b/.test(text)) return null;
    return be.has(before) || /'(?:m|re|s)$/.test(before) || adverbs.has(before) || before === 'been'
      ? 'unfinished'
      : null;
  }
  if (transitivePast.has(last) && afterSubject) {
    if (/^(?:tried|called|paid|signed)$/.test(last)) return null;
    return /^(?:returned|changed|talked|spoke)$/.test(last) ? 'open-ended' : 'unfinished';
  }
  if (
    /^(?:said|says|told)$/.test(last) &&
    !/^(?:was|were|been|being|is|are|as)$/.test(before) &&
    !/\b(?:as|like|what) /.test(text)
  )
    return 'unfinished';
  if (
    last === 'think' ||
    last === 'guess' ||
    last === 'hope' ||
    last === 'believe' ||
    last === 'wonder' ||
    last === 'mean'
  )
    return /\byou (?:think|guess|mean|believe)$/.test(text) ? null : 'unfinished';
  if (
    said.length === 1 &&
    /^(?:also|actually|first|secondly|second|firstly|however|anyway|besides|plus|then|therefore|regarding|otherwise|alternatively|basically|honestly)$/.test(
      last,
    )
  )
    return 'unfinished';
  if (last === 'also' || last === 'however' || text === 'first of all' || text === 'by the way')
    return 'unfinished';
  return null;
}

/** Whether a question word or relative clause replaces what would follow. */
function hasGap(text: string, said: readonly string[]): boolean {
  // "What is the fee for": the question word is the object of "for".
  if (
    /\b(?:what|who|where|which)(?:'s| is| are| was| were) (?:the|your|my|our|a|an|his|her|their)\b/.test(text)
  )
    return false;
  if (said.slice(0, -1).some((word) => /^(?:what|which|who|whom|where|whatever|whichever)$/.test(word)))
    return true;
  if (
    /\b(?:something|nothing|anything|everything|lot|place|way|how|easy|hard|difficult|good|nice|ready) to \w+(?: \w+)?$/.test(
      text,
    )
  )
    return true;
  return (
    /\b(?:the|an?|my|one|ones|thing|things|everything|anything|something|all|your|same) (?:(?!and|but|or|because|so|if|when|that|as|than)[\w'-]+ ){0,3}(?:that |which |who )?(?:i|we|you|they|he|she)(?:'ve|'d|'m|'re| have| had| was| were| am| are| just)* (?:[\w']+ ){0,3}[\w']+$/.test(
      text,
    ) && !/\b(?:the|my|a|an) \w+ (?:and|but|so|because) /.test(text)
  );
}
