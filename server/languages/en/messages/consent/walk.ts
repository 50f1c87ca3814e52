import { isName } from '../../names.ts';
import { addresses, approving, assentsFor, openers, requests, wishes } from './assents.ts';
import { type Before, nothing } from './before.ts';
import { halting, isBase } from './deeds.ts';
import { endsOf, phrasesOf } from './phrases.ts';
import type { ReadBack } from './read-back.ts';
import { repeatedAt } from './repeated.ts';
import { type Sign, signOf, withSign } from './signs.ts';
import { type Token, wordsOf } from './tokens.ts';
import { isNumber, valuesAt } from './values.ts';
import {
  articles,
  canonical,
  isPreposition,
  isWeekday,
  isWithout,
  plainly,
  prepositionOf,
  setOf,
} from './vocabulary.ts';

/** A partial interpretation of an answer. */
export interface State {
  at: number;
  signs: ReadonlySet<Sign>;
  /**
   * What must follow: the noun after an article, the announced deed, the wanted thing, or anything after
   * "and".
   */
  open: '' | 'item' | 'deed' | 'wish' | 'and';
  before: Before;
}

export const start: State = { at: 0, signs: new Set(), open: '', before: nothing };

const away = phrasesOf(`right? now
  right|just? this very? minute|second|instant
  at once
  as soon|quick|quickly|fast as possible|ever?
  as soon|quick|quickly|fast as you possibly? can|like
  the sooner|quicker|faster the better
  quick|quickly|pronto|promptly|fast|sharpish|swiftly
  hurry up?
  please hurry
  chop chop
  without delay
  whenever|when you are ready
  whenever|when it? suits|suit you?
  whenever|when you like|can|want|wish
  in your own time
  take your time
  there? is? no rush|hurry
  right|straight away
  immediately|asap|instantly`);
const wanted = phrasesOf(`i|we want|wanted|meant|chose|picked|need
  i|we am|are|was|were after
  i|we had in mind
  i|we asked for`);
const praising = setOf('is are works suits sounds looks');
const objects = setOf('it them that this those these me us him her one');
const particles = setOf('in over through along there here up round around');
const people = setOf('people persons guests');
/** Generic names for something in the read-back: "at that price". */
const things = setOf(
  'price time date day slot number address email order place appointment booking amount card account name option plan offer rate cost one',
);
/** Words that leave a sentence incomplete at its end, unless one of the others precedes them. */
const hanging = setOf('so like well look listen mean oh basically right sorry hmm hm mm mmm');
const mayHang = setOf('on you i very much it do good fine grand great perfect lovely');
/** Walks through an answer word by word, in every way in which it may agree. */
export class Walk {
  private readonly tokens: readonly Token[];
  private readonly words: readonly string[];
  private readonly readBack: ReadBack;
  private readonly names: readonly string[];
  private readonly assents: ReturnType<typeof assentsFor>;

  constructor(tokens: readonly Token[], readBack: ReadBack, agentNames: readonly string[]) {
    this.tokens = tokens;
    this.words = wordsOf(tokens);
    this.readBack = readBack;
    this.names = agentNames;
    this.assents = assentsFor(readBack);
  }

  /** All states reachable by one more word or phrase. */
  next(state: State): State[] {
    const isParted = this.tokens[state.at]?.isAfterBreak && state.open === '';
    const parted = isParted ? { ...state, before: nothing } : state;
    return [
      ...this.phrases(parted),
      ...this.asides(parted),
      ...this.verbs(parted),
      ...this.objects(parted),
      ...this.joints(parted),
      ...this.alls(parted),
      ...this.repeated(parted),
    ];
  }

  private word = (at: number) => this.words[at] ?? '';

  private phrases({ at, open, signs, before }: State): State[] {
    if (open === 'item' || open === 'wish') return [];
    // "My card is fine" does not ask to block it.
    const isPraised = before.is === 'word' || before.is === 'counted';
    if (isPraised && this.readBack.isEnding && praising.has(this.word(at))) return [];
    // "Refund all of it" is not "refund 212 euros".
    if (this.word(at) === 'all' && before.is !== 'nothing') return [];
    const found: State[] = [];
    for (const { phrase, weight } of this.assents(this.word(at))) {
      if (open === 'deed' && weight !== 'deed') continue;
      const closes = weight !== 'nothing' && weight !== 'please';
      for (const end of endsOf(phrase, this.words, at)) {
        if ((weight === 'nothing' || weight === 'unsure') && this.isHanging(end)) continue;
        const said = this.words.slice(at, end).join(' ');
        // "It works" means that it is not broken.
        if (said === 'it works' && !this.readBack.asks.has('works')) continue;
        const isOfThing = before.is === 'word' && praising.has(this.word(at));
        const sign = isOfThing ? 'unsure' : signOf(weight, said, this.readBack.asks);
        found.push({ at: end, signs: withSign(signs, sign), open: closes ? '' : open, before: nothing });
      }
    }
    if (open === 'deed') return found;
    const lead = (phrases: typeof openers, next: State['open'], sign?: Sign) => {
      for (const phrase of phrases)
        for (const end of endsOf(phrase, this.words, at))
          found.push({ at: end, signs: sign ? withSign(signs, sign) : signs, open: next, before: nothing });
    };
    // "Just send it" excludes the other of two deeds.
    if (this.word(at) !== 'just' || this.readBack.ownDeeds.size < 2) lead(openers, 'deed');
    lead(requests, 'deed', 'request');
    lead(wishes, 'wish', 'wish');
    return found;
  }

  /** "It is" alone is incomplete before "okay", and "so" leaves something open. */
  private isHanging(end: number): boolean {
    const [before, last, next] = [this.word(end - 2), this.word(end - 1), this.word(end)];
    // "That is dear" is not an address.
    if (last === 'is' && (approving.has(next) || /^(?:dear|all)$/.test(next))) return true;
    if (last === 'wait' && next !== '' && this.tokens[end]?.isAfterBreak === false) return true;
    if (next !== '' || !hanging.has(last) || mayHang.has(before)) return false;
    return !(last === 'right' && this.readBack.asks.has('right'));
  }

  /**
   * Additions without meaning: the agent's name, "mate", "then", "right away"; and a no that is taken back.
   */
  private asides({ at, open, signs }: State): State[] {
    if (open !== '' && open !== 'and') return [];
    const word = this.word(at);
    const { hasTime } = this.readBack;
    const ends = addresses.flatMap((phrase) => endsOf(phrase, this.words, at));
    if (at > 0 && !hasTime) ends.push(...away.flatMap((phrase) => endsOf(phrase, this.words, at)));
    const isAside =
      this.names.some((name) => isName(word, name)) ||
      (word === 'then' && at > 0) ||
      (/^(?:hi|hello|hey)$/.test(word) && this.names.some((name) => isName(this.words[at + 1], name))) ||
      (word === 'both' && this.areTwo(at)) ||
      // "This is correct only": Indian English.
      (word === 'only' &&
        at === this.words.length - 1 &&
        /^(?:correct|right|fine|this|that)$/.test(this.word(at - 1)));
    if (isAside) ends.push(at + 1);
    const found = ends.map((end): State => ({ at: end, signs, open, before: nothing }));
    // Words before a no are void.
    if (/^(?:no|nah|nope)$/.test(word) && open === '')
      found.push({ at: at + 1, signs: new Set(['denial']), open, before: nothing });
    return found;
  }

  /** "Both": of two counted things, or of one thing and another. */
  private areTwo(at: number): boolean {
    const next = this.tokens[at + 1];
    const isAlone =
      next === undefined || next.isAfterBreak || /^(?:please|thanks|thank|yes|then)$/.test(next.text);
    return isAlone && (this.readBack.said.has('and') || this.isCounted('2'));
  }

  private isCounted = (figures: string) =>
    this.readBack.values.some(
      (value) =>
        value.figures === figures && value.kind === 'number' && !value.isName && value.preposition !== 'at',
    );

  /** "Both books", "all four of us", "the full 64 euros": everything that was counted. */
  private alls({ at, open, signs, before }: State): State[] {
    if (open === 'deed' || open === 'wish') return [];
    const { preposition, is } = before;
    const isNamed = /^(?:of|in)$/.test(this.word(at)) && /^(?:us|them|those|you)$/.test(this.word(at + 1));
    if (open === '' && isNamed && (is === 'number' || /^(?:both|all)$/.test(this.word(at - 1))))
      return [{ at: at + 2, signs, open, before: { ...nothing, is: 'object' } }];
    if (is === 'number' || is === 'counted') return [];
    if (is !== 'article' && this.word(at) === 'both' && this.isCounted('2')) {
      const chunks = this.readBack.values.flatMap(({ figures, chunk }) => (figures === '2' ? [chunk] : []));
      const both: Before = { ...nothing, is: 'number', what: '2', preposition, chunks };
      return [{ at: at + 1, signs: withSign(signs, 'repeated'), open: '', before: both }];
    }
    const isAll =
      (is === 'article' ? /^(?:full|whole)$/ : /^all$/).test(this.word(at)) &&
      valuesAt(this.words, at + 1).some(({ figures, kind }) => kind === 'number' && this.isCounted(figures));
    return isAll ? [{ at: at + 1, signs, open: 'item', before: { ...nothing, preposition } }] : [];
  }

  /** The deed itself: "send it". */
  private verbs({ at, open, signs, before }: State): State[] {
    const word = this.word(at);
    const { deeds, ownDeeds } = this.readBack;
    if (!deeds.has(canonical(word)) || this.word(at + 1) === 'of' || open === 'item') return [];
    if (before.is === 'article' || before.is === 'number') return [];
    // "I want it cancelled".
    if (signs.has('wish') && /[dtn]$/.test(word))
      return [{ at: at + 1, signs: withSign(signs, 'deed', 'wish'), open: '', before: nothing }];
    if (open === 'wish' || !isBase(word)) return [];
    const mayBeBare = ownDeeds.has(canonical(word)) && !halting.has(word);
    if (!mayBeBare && !this.mayBeObject(at + 1, halting.has(word))) return [];
    const verb: Before = { ...nothing, is: 'verb', what: word };
    return [
      { at: at + 1, signs: withSign(signs, open === 'deed' ? 'deed' : 'bare'), open: '', before: verb },
    ];
  }

  private mayBeObject(at: number, isPlain: boolean): boolean {
    const word = this.word(at);
    if (this.tokens[at]?.isAfterBreak !== false) return false;
    if (objects.has(word) || articles.has(word)) return true;
    return !isPlain && (this.readBack.words.has(canonical(word)) || isNumber(word));
  }

  /** The object of the deed, and words that closely follow a verb. */
  private objects({ at, open, signs, before }: State): State[] {
    const word = this.word(at);
    const object: Before = { ...nothing, is: 'object' };
    if (open === 'wish' && /^(?:it|them|that|this|those|these|one)$/.test(word))
      return [{ at: at + 1, signs, open: '', before: object }];
    if (open !== '') return [];
    if (word === 'back' && this.isGivenBack()) return [{ at: at + 1, signs, open, before: object }];
    // "Book Biscuit in, please".
    const isLast = /^(?:please|thanks|thank|then|for|mate|)$/.test(this.word(at + 1));
    if (/^(?:in|over|up|through)$/.test(word) && isLast && /^(?:word|counted|day)$/.test(before.is))
      return [{ at: at + 1, signs, open, before: object }];
    if (before.is !== 'verb' && before.is !== 'object') return [];
    const found: State[] = [];
    const isIdiom = word === 'away' && /^(?:book|order|cancel|renew|confirm|block)$/.test(before.what);
    if (particles.has(word) || isIdiom) found.push({ at: at + 1, signs, open, before: object });
    if (before.is === 'verb' && objects.has(word) && !this.isSomebodyElse(word))
      found.push({ at: at + 1, signs: this.withDeed(signs, before.what, word), open, before: object });
    return found;
  }

  /** "Back to my card" repeats a refund. */
  private isGivenBack(): boolean {
    const { said, words, deeds } = this.readBack;
    return said.has('back') || ['refund', 'return'].some((word) => words.has(word) || deeds.has(word));
  }

  private isSomebodyElse(word: string): boolean {
    const { said } = this.readBack;
    return (word === 'her' && said.has('him')) || (word === 'him' && said.has('her'));
  }

  /** "Cancel that" may mean the deed or oppose it. */
  private withDeed(signs: ReadonlySet<Sign>, verb: string, object: string): ReadonlySet<Sign> {
    const isEither =
      /^(?:that|this)$/.test(object) ||
      (object !== '' && /^(?:stop|drop|end|scrap|bin|axe|ditch)$/.test(verb));
    return withSign(signs, isEither && this.readBack.isEnding ? 'either' : 'deed', 'bare');
  }

  /** Articles, prepositions, "is" and "and", which announce something. */
  private joints({ at, open, signs, before }: State): State[] {
    const word = this.word(at);
    const pair = `${word} ${this.word(at + 1)}`;
    const { pairs, said, deeds } = this.readBack;
    const announce = (next: Partial<Before>, given = signs): State => ({
      at: at + 1,
      signs: given,
      open: 'item',
      before: { ...nothing, ...next },
    });
    if (open === '' && at > 0 && word === 'and') return [{ at: at + 1, signs, open: 'and', before: nothing }];
    // "My name is Brandt".
    if (open === '' && /^(?:is|are)$/.test(word) && /^(?:word|day|number|counted)$/.test(before.is))
      return [announce({})];
    const found: State[] = [];
    // "He's got a fever", "it leaks".
    if (open === '' && /^(?:he|she|they|it)$/.test(word)) {
      const verbs = /^(?:is|are|has)$/.test(this.word(at + 1)) ? 2 : 1;
      const end = at + verbs + (verbs === 2 && this.word(at + 2) === 'got' ? 1 : 0);
      if ((verbs === 2 || said.has(this.word(end))) && !deeds.has(canonical(this.word(end))))
        found.push({ at: end, signs, open: 'item', before: nothing });
    }
    // "That's the train I want".
    if (open === '' && /^(?:word|counted|object)$/.test(before.is) && this.isSingledOut(at))
      for (const end of wanted.flatMap((phrase) => endsOf(phrase, this.words, at)))
        found.push({ at: end, signs, open, before: nothing });
    if ((open === '' || open === 'and') && isPreposition(word) && (plainly.has(word) || this.isSaid(word))) {
      found.push(
        isWithout(word)
          ? announce({ isNegated: true })
          : announce({ preposition: prepositionOf(word), chunks: word === 'of' ? before.chunks : [] }),
      );
      if (plainly.has(word) && /^(?:me|us)$/.test(this.word(at + 1)))
        found.push({ at: at + 2, signs, open: '', before: { ...nothing, is: 'object' } });
    }
    if (open === 'deed') return found;
    const { preposition, isNegated } = before;
    const isTheirs = /^(?:his|her|their)$/.test(word) && this.readBack.said.has(word);
    if ((articles.has(word) || isTheirs) && before.is !== 'article' && before.is !== 'word')
      found.push(
        announce(
          {
            is: 'article',
            what: word,
            preposition,
            isNegated,
            chunks: preposition === 'of' ? before.chunks : [],
          },
          before.is === 'verb' ? this.withDeed(signs, before.what, '') : signs,
        ),
      );
    // "At no extra charge", "next Monday".
    if (word === 'no' && open !== 'item' && pairs.has(pair)) found.push(announce({ isNegated: true }));
    if (/^(?:next|last|coming)$/.test(word) && pairs.has(pair))
      found.push(announce({ is: 'article', what: word, preposition, isNegated }));
    return found;
  }

  /** "That is the" points at something that must not be removed. */
  private isSingledOut = (at: number) =>
    !this.readBack.isRemoval && this.words.slice(0, at).join(' ').includes(' is the ');

  private isSaid(preposition: string): boolean {
    const { said } = this.readBack;
    return prepositionOf(preposition) === 'until'
      ? ['until', 'till', 'til'].some((each) => said.has(each))
      : said.has(preposition);
  }

  /** Repeats the read-back, verbatim or in other words. */
  private repeated({ at, open, signs, before }: State): State[] {
    const word = this.word(at);
    // "It is cancelled" says that it is done already.
    const isDone = this.readBack.deeds.has(canonical(word)) && /^(?:is|are)$/.test(this.word(at - 1));
    if (open === 'deed' || isDone) return [];
    const given = before.is === 'verb' ? this.withDeed(signs, before.what, '') : signs;
    const close = (end: number, next: Partial<Before>, ...more: Sign[]): State => ({
      at: end,
      signs: withSign(new Set([...given, ...more]), 'repeated'),
      open: '',
      before: { ...nothing, ...next },
    });
    const found = repeatedAt(this.words, at, before, this.readBack).map(({ is, what, end, chunks }) => {
      // "I'd like the refund" wants it done.
      const isDeed = is !== 'number' && signs.has('wish') && this.readBack.deeds.has(what);
      const isValue = is === 'day' || is === 'number';
      const preposition = is === 'word' ? before.preposition : '';
      const next = { is, what, chunks, preposition };
      return close(
        end,
        next,
        ...(isValue ? (['number'] as const) : []),
        ...(isDeed ? (['deed'] as const) : []),
      );
    });
    const isThat = before.is === 'article' && /^(?:that|this)$/.test(before.what);
    const isCounted = before.is === 'number' || before.is === 'counted';
    // "The green one", "at that price", "for four people", "four twenty more".
    const mayBeOne = isThat || before.what === 'the' || before.is === 'word' || isWeekday(before.what);
    if (word === 'one' && mayBeOne) found.push(close(at + 1, before));
    if (isThat && things.has(word)) found.push(close(at + 1, { is: 'object' }));
    if (before.is === 'number' && people.has(word) && this.isUncounted(before.what))
      found.push(close(at + 1, { is: 'object' }));
    if (isCounted && word === 'more' && this.readBack.words.get('more')?.some(({ isNegated }) => !isNegated))
      found.push(close(at + 1, { is: 'object' }));
    return found;
  }

  /** "For four", with the counted thing omitted. */
  private isUncounted = (figures: string) =>
    this.readBack.values.some(
      (value) => value.figures === figures && value.next === '' && value.preposition === 'for',
    );
}
