import type { Documents, LanguagePack } from '#server/languages/contract';
import { type Block, type Item, readBlocks } from './blocks.ts';
import type { Passage } from './contract.ts';
import { draftOf, finished, labelledDrafts, sentenceDrafts, sentencesOf } from './drafts.ts';
import { Items } from './items.ts';
import {
  asks,
  BOLD_LINE,
  CAPITALS,
  endsSentence,
  headingText,
  isCapitals,
  isTitle,
  labelOf,
  linesOf,
  type Part,
  QUESTION_LINE,
  readLines,
  SHORT_HEADING,
  SHORT_LINE,
  unmarked,
  wordsIn,
} from './lines.ts';
import { withListedLines } from './listed-lines.ts';
import { type Draft, type Group, packed, type Section } from './pack.ts';
import { withShapesRead } from './repeated-shapes.ts';
import { rowDrafts } from './rows.ts';

/**
 * Reads a business's pasted text – Markdown, HTML, a price card typed by hand, questions with answers, plain text –
 * into passages. Never fails: unknown markup is prose, and an empty text has no passages.
 */
export function readPassages(text: string, language: LanguagePack): Passage[] {
  const reader = new Reader(text, language);
  reader.read(readBlocks(text));
  return reader
    .sections()
    .flatMap(packed)
    .map((passage, id) => ({ id, ...passage }));
}

interface Heading {
  level: number;
  text: string;
  asks: boolean;
  /** Whether it has any statement. */
  used: boolean;
  /** Whether it has text of its own, before its subheadings. */
  hasText?: boolean;
}

/** In words: a line or an item this short is hardly a sentence, so it is told with its heading. */
const FRAGMENT = 8;

/** In words: an introduction of two sentences, and its second one. */
const SHORT_INTRODUCTION = 30;
const SHORT_OPENING = 2;

/** In words: a sentence that may omit its subject. */
const SHORT_SENTENCE = 16;

/** In characters: a longer line is no question. */
const LONGEST_QUESTION = 100;

/** At most once in so many paragraphs, capitals are emphasis, not headings. */
const SELDOM = 10;

class Reader {
  private readonly language: LanguagePack;
  private readonly done: Section[] = [];
  private section: Section | null = null;
  private headings: Heading[] = [];
  /** This text writes its headings in capitals. */
  private readonly capitals: boolean;
  private readonly items: Items;
  private readonly smallWords: ReadonlySet<string>;
  private readonly mixedWords: ReadonlySet<string>;
  private readonly told = new WeakMap<Section, { texts: Set<string>; groups: number }>();
  private readonly bareTitles = new Set<string>();
  private readonly rowsByName: { name: string; draft: Draft; under: string }[] = [];

  constructor(text: string, language: LanguagePack) {
    this.language = language;
    this.mixedWords = new Set(
      Array.from(text.matchAll(/(?<![\p{L}\p{N}])\p{Lu}\p{Ll}+/gu), ([word]) => word.toUpperCase()),
    );
    this.smallWords = new Set(text.match(/(?<![\p{L}\p{N}])\p{Ll}[\p{L}'’]*/gu));
    this.items = new Items(language, this.smallWords);
    // In a text with marked-up headings, capitals are only emphasis.
    const hasHeadings = /^ {0,3}#{1,6}\s|<h[1-6][\s>]/im.test(text);
    const lines = text.split('\n', 5_000);
    const capitals = lines.filter((line) => line.length < 90 && isCapitals(line)).length;
    const paragraphs = lines.filter((line, n) => line.trim() && !lines[n - 1]?.trim()).length;
    this.capitals = !hasHeadings && capitals > 1 && capitals * SELDOM > paragraphs;
  }

  private get documents(): Documents {
    return this.language.documents;
  }

  sections(): Section[] {
    this.leave(-1);
    this.tellRowsApart();
    this.tellSentencesApart();
    return this.saysMore() ? this.done : [];
  }

  /** Whether a text is more than headings: an outline is no knowledge. A single heading may be the whole content. */
  private saysMore(): boolean {
    if (this.bareTitles.size < 2) return true;
    const drafts = this.done.flatMap(({ groups }) =>
      groups.flatMap(({ introduction, drafts }) => (introduction ? [introduction, ...drafts] : drafts)),
    );
    return drafts.some(({ text }) => !this.bareTitles.has(text));
  }

  read(asGiven: readonly Block[]) {
    const blocks = withListedLines(withShapesRead(asGiven, this.language), this.language);
    for (let i = 0; i < blocks.length; i++) {
      const block = blocks[i];
      if (!block) break;
      switch (block.type) {
        case 'heading': {
          const plain = unmarked(block.text);
          this.enter(block.level, plain, asks(plain) || this.documents.questionMark.test(plain));
          break;
        }
        case 'page':
          this.leave(0);
          if (block.title) this.enter(0, block.title, false);
          break;
        case 'rule':
          this.leave(CAPITALS);
          break;
        case 'scope':
          this.scope(block);
          break;
        case 'paragraph':
          this.paragraph(block.text, blocks[i + 1], blocks[i + 2]);
          break;
        case 'list':
          this.list(block, blocks[i + 1]);
          break;
        case 'table':
          this.table(block);
          break;
      }
    }
  }

  /** Its content has its own headings, below those outside and ended with it. */
  private scope({ title, blocks }: Extract<Block, { type: 'scope' }>) {
    const outer = this.headings;
    const plain = unmarked(title);
    this.headings = outer.map((heading) => ({ ...heading, level: -1, used: true }));
    if (plain) this.enter(0, plain, asks(plain));
    this.read(blocks);
    this.leave(0);
    for (const heading of outer) heading.used = true;
    this.headings = outer;
    this.section = null;
  }

  /**
   * A single sentence under a heading is told with it if it is too short alone: it is a few words, occurs under other
   * headings as well, or its heading distinguishes it by a figure.
   */
  private tellSentencesApart() {
    const alone = this.done.flatMap(({ headings, question, groups }) => {
      const [group] = groups;
      const [draft] = group?.introduction === null ? group.drafts : [];
      const isAlone = groups.length === 1 && group?.drafts.length === 1 && question === null;
      const isSentence = draft?.kind === 'sentence' && endsSentence(draft.text) && draft.told === draft.text;
      return isAlone && isSentence ? [{ draft, heading: this.spoken(headings.at(-1) ?? '') }] : [];
    });
    const places = new Map<string, Set<string>>();
    for (const { draft, heading } of alone)
      places.set(draft.text, (places.get(draft.text) ?? new Set()).add(heading));
    for (const { draft, heading } of alone) {
      const words = wordsIn(draft.text);
      const figure = /\d+/.exec(heading)?.[0];
      const isApart = figure !== undefined && !draft.text.includes(figure);
      const isUnclear = words <= SHORT_FACT || isApart || (places.get(draft.text)?.size ?? 0) > 1;
      if (
        isUnclear &&
        words <= SHORT_SENTENCE &&
        wordsIn(heading) <= SHORT_HEADING &&
        needsHeading(draft.text, heading)
      )
        draft.told = `${heading}: ${draft.told}`;
    }
  }

  /** Rows of several tables with equal beginnings ("$10,000" in the table of each age) are told with their headings. */
  private tellRowsApart() {
    const places = new Map<string, Set<string>>();
    for (const { name, under } of this.rowsByName)
      places.set(name, (places.get(name) ?? new Set()).add(under));
    for (const { name, draft, under } of this.rowsByName)
      if (under && (places.get(name)?.size ?? 0) > 1) draft.told = `${this.spoken(under)}: ${draft.told}`;
  }

  private paragraph(text: string, next: Block | undefined, after: Block | undefined) {
    const parts = readLines(text, {
      next:
        !next || next.type === 'rule' || next.type === 'page'
          ? null
          : next.type === 'scope'
            ? 'heading'
            : next.type,
      nextText: next?.type === 'paragraph' ? next.text : '',
      after:
        next?.type === 'paragraph' && !/[\n\u2028]/.test(next.text)
          ? {
              opensBlock: after?.type === 'list' || after?.type === 'table',
              text: after?.type === 'paragraph' ? after.text : '',
            }
          : null,
      capitals: this.capitals,
      language: this.language,
    });
    for (const [n, part] of parts.entries()) {
      const opensList = n === parts.length - 1 && (next?.type === 'list' || next?.type === 'table');
      this.part(part, opensList);
    }
  }

  private part(part: Part, opensList: boolean) {
    if (part.type === 'heading') this.enter(part.level, part.text, part.asks);
    else if (part.type === 'lines') this.lines(part.lines, part.under);
    else {
      let plain = unmarked(part.text);
      const here = this.here();
      if (here.groups.length === 0 && here.question !== null)
        plain = plain.replace(this.documents.answerMark, '');
      this.prose(sentencesOf(plain, this.language), opensList, this.under(plain));
    }
  }

  /** The heading for the few words below it, such as "Telephone" for its number; with a colon or comma. */
  private under(plain: string): string {
    const heading = this.headings.at(-1);
    const isFirst = this.here().groups.length === 0;
    const isFragment = !endsSentence(plain) && !plain.endsWith(':') && wordsIn(plain) <= FRAGMENT;
    return heading &&
      !heading.asks &&
      isFragment &&
      (isFirst || AMOUNT.test(plain)) &&
      wordsIn(heading.text) <= SHORT_HEADING
      ? `${this.spoken(heading.text)}${labelOf(plain) === null ? ':' : ','}`
      : '';
  }

  private prose(sentences: readonly string[], opensList: boolean, under = '') {
    const section = this.here();
    const told = this.toldIn(section);
    const fresh = sentences.filter((text) => !told.has(text));
    // "At least one must be true. You're:" is one introduction.
    if (opensList && fresh.at(-1)?.endsWith(':')) {
      const whole = fresh.join(' ');
      const last = fresh.at(-1) ?? '';
      const isOne = wordsIn(last) <= SHORT_OPENING && wordsIn(whole) <= SHORT_INTRODUCTION;
      const introduction = isOne ? whole : last;
      const earlier = whole === introduction ? [] : fresh.slice(0, -1);
      if (earlier.length)
        section.groups.push({
          kind: 'prose',
          introduction: null,
          drafts: sentenceDrafts(earlier, this.documents),
        });
      section.groups.push({
        kind: 'list',
        introduction: draftOf('sentence', introduction, introduction),
        drafts: [],
      });
    } else if (fresh.length) {
      const drafts = sentenceDrafts(fresh, this.documents);
      const [first] = drafts;
      if (first && under) first.told = `${under} ${first.told}`;
      section.groups.push({ kind: 'prose', introduction: null, drafts });
    }
  }

  /** The statements of a section so far. Each group is counted once, when it is complete. */
  private toldIn(section: Section): ReadonlySet<string> {
    const told = this.told.get(section) ?? { texts: new Set<string>(), groups: 0 };
    this.told.set(section, told);
    for (let group = section.groups[told.groups]; group; group = section.groups[++told.groups]) {
      // An introduction may be waiting for its list.
      if (group.drafts.length === 0 && group === section.groups.at(-1)) break;
      for (const { text } of group.drafts) told.texts.add(text);
    }
    return told.texts;
  }

  private lines(lines: readonly string[], heading: string) {
    // The section begins, so that the headings above it count as used and are not said themselves.
    const isFirst = this.here().groups.length === 0;
    if (isFirst && lines.length > 1 && lines.every((line) => asks(unmarked(line)))) return;
    const last = this.headings.at(-1);
    const isCard = heading !== '' || (this.capitals && last && last.level >= CAPITALS);
    const under = this.spoken(heading || (last && !last.asks ? last.text : ''));
    const leans = (text: string, n: number) =>
      AMOUNT.test(text) || (isCard ? n === 0 || this.isScrap(text) : isFirst && !endsSentence(text));
    const drafts = lines.flatMap((line) =>
      labelledDrafts(
        line,
        'sentence',
        (text, n) =>
          leans(text, n) &&
          wordsIn(under) <= SHORT_HEADING &&
          wordsIn(text) <= FRAGMENT &&
          needsHeading(text, under)
            ? `${under}${labelOf(text) === null ? ':' : ','} ${text}`
            : text,
        this.language,
      ),
    );
    if (drafts.length) this.here().groups.push({ kind: 'list', introduction: null, drafts });
  }

  /** A few words inside a line of a card, or a few more with a figure. */
  private isScrap(text: string): boolean {
    const words = wordsIn(text);
    const isShort = words <= SHORT_FACT || (words <= SHORT_OFFER && /\d/.test(text));
    return isShort && /^[\p{L}\d£$€]/u.test(text) && !this.documents.pointsBack(text);
  }

  private list({ items, start }: Extract<Block, { type: 'list' }>, next: Block | undefined) {
    const asksOnly = items.length > 1 && items.every(isBareQuestion);
    if (asksOnly && this.here().groups.length === 0) return;
    if (items.some((item) => this.isQuestion(item))) {
      this.questions(items);
      return;
    }
    const [only] = items;
    if (
      only &&
      items.length === 1 &&
      start !== null &&
      only.below.length === 0 &&
      headsSection(unmarked(only.text), next)
    ) {
      this.enter(BOLD_LINE, unmarked(only.text), asks(unmarked(only.text)));
      return;
    }
    const section = this.here();
    const group = this.introduced('list');
    const heading = this.headings.at(-1);
    const introduction = group.introduction?.text ?? '';
    const under = !introduction && heading && !heading.asks ? this.spoken(heading.text) : '';
    const counted = start !== null && start !== 1;
    this.items.read(items, group, {
      introduction,
      under,
      number: counted ? start : null,
      parent: group.introduction,
    });
    if (section.groups.at(-1) !== group) section.groups.push(group);
  }

  private isQuestion({ text, below }: Item): boolean {
    const plain = unmarked(text);
    return (
      this.documents.questionMark.test(plain) ||
      (asks(plain) && below.length > 0) ||
      (asks(unmarked(text.split(/[\n\u2028]/)[0] ?? '')) && /[\n\u2028]/.test(text))
    );
  }

  /** A list of questions with their answers. */
  private questions(items: readonly Item[]) {
    const areQuestions = items.filter((item) => this.isQuestion(item)).length * 2 >= items.length;
    for (const { text, below } of items) {
      const [first = '', ...rest] = linesOf(text);
      const plain = unmarked(first);
      const isAsked = areQuestions && rest.length > 0 && plain.length <= LONGEST_QUESTION && !asks(plain);
      const isMarked = this.documents.questionMark.test(plain);
      if (isAsked || (rest.length > 0 && asks(plain) && !isMarked)) {
        this.enter(QUESTION_LINE, plain, true);
        this.read([{ type: 'paragraph', text: rest.join('\n') }, ...below]);
      } else this.read([{ type: 'paragraph', text }, ...below]);
    }
    this.leave(CAPITALS);
  }

  private table(block: Extract<Block, { type: 'table' }>) {
    const section = this.here();
    const group = this.introduced('table');
    const caption = unmarked(block.caption);
    if (caption && !group.introduction) group.introduction = draftOf('sentence', caption, finished(caption));
    const rows = rowDrafts(block, this.language);
    group.drafts.push(...rows.map(({ draft }) => draft));
    const under = this.headings.at(-1)?.text ?? '';
    this.rowsByName.push(...rows.map((row) => ({ ...row, under })));
    if (section.groups.at(-1) !== group) section.groups.push(group);
  }

  /** The group that an introduction has opened, or a new one. */
  private introduced(kind: 'list' | 'table'): Group {
    const last = this.here().groups.at(-1);
    if (last?.introduction && last.drafts.length === 0) {
      last.kind = kind;
      return last;
    }
    return { kind, introduction: null, drafts: [] };
  }

  private here(): Section {
    for (const heading of this.headings) heading.used = true;
    const last = this.headings.at(-1);
    if (last) last.hasText = true;
    if (!this.section) {
      const question = last?.asks ? last.text : null;
      const above = question === null ? this.headings : this.headings.slice(0, -1);
      const headings = above
        .map(({ text }) => text)
        .filter((text, n, texts) => text && text !== texts[n - 1]);
      const previous = this.done.at(-1);
      // A page's title and its first heading are often the same words.
      if (previous && previous.question === question && previous.headings.join('\n') === headings.join('\n'))
        this.section = previous;
      else {
        this.section = { headings, question, groups: [] };
        this.done.push(this.section);
      }
    }
    return this.section;
  }

  private enter(level: number, raw: string, isQuestion: boolean) {
    const text = headingText(raw, this.language);
    // A heading of this length is a paragraph with wrong markup.
    if (text.length > 200) {
      this.leave(level);
      this.prose(sentencesOf(text, this.language), false);
      return;
    }
    // A title directly below another one is its subheading.
    const above = this.headings.at(-1);
    const nested =
      above &&
      !above.used &&
      !above.asks &&
      above.level >= level &&
      above.level < level + 1 &&
      level > CAPITALS;
    if (!nested) this.leave(level);
    // A title with text of its own acts like a question: it heads no questions.
    const title = this.headings.at(-1);
    if (isQuestion && level === QUESTION_LINE && title?.hasText && title.level >= SHORT_LINE)
      this.leave(SHORT_LINE);
    for (const heading of this.headings) heading.used = true;
    if (nested && text)
      this.headings.push({ level: above.level + 0.01, text, asks: isQuestion, used: false });
    else if (text) this.headings.push({ level, text, asks: isQuestion, used: false });
    this.section = null;
  }

  /** Ends the headings from a level down. A heading without content becomes a statement. */
  private leave(level: number) {
    const kept = this.headings.filter((heading) => heading.level < level);
    const last = this.headings.at(-1);
    if (last && !last.used && kept.length < this.headings.length) {
      this.headings = this.headings.slice(0, -1);
      this.section = null;
      // A question without an answer, for example above a page of them, says nothing.
      if (!last.asks) {
        if (isTitle(last.text, this.language)) this.bareTitles.add(last.text);
        this.prose([last.text], false);
      }
    }
    if (kept.length < this.headings.length || last?.used === false) this.section = null;
    this.headings = kept;
  }

  /** A heading for speech: capitals become lower case, except short words that the text never writes so ("BBQ"). */
  private spoken(heading: string): string {
    const words = heading
      .replace(/\.$/, '')
      .replace(/(?<!\p{L})\p{Lu}[\p{Lu}'’]+(?!\p{L})/gu, (word) =>
        word.length > 4 || this.mixedWords.has(word) || this.smallWords.has(word.toLowerCase())
          ? word.toLowerCase()
          : word,
      );
    return words.charAt(0).toUpperCase() + words.slice(1);
  }
}

/** "3. Returns" with a text below is a heading. */
const headsSection = (text: string, next: Block | undefined) =>
  (next?.type === 'paragraph' || next?.type === 'table') &&
  text.length <= 80 &&
  (asks(text) || !/[.!;:,]$/.test(text));

const isBareQuestion = ({ text, below }: Item) =>
  below.length === 0 && asks(unmarked(text)) && !/[\n\u2028]/.test(text);

/** In words: a text after a label that is a fact, not a clause. */
const SHORT_FACT = 3;

/** In words: a label this long names its own subject, and so do a few words with a figure up to this. */
const LONG_LABEL = 4;
const SHORT_OFFER = 5;

/** Whether words say too little without their heading: they do not name it, and are no label with a clause. */
function needsHeading(text: string, heading: string): boolean {
  const label = labelOf(text);
  const fact = label === null ? '' : text.slice(text.indexOf(':') + 1).trim();
  const isClause = label !== null && !/^\D?\d/.test(fact) && wordsIn(fact) > SHORT_FACT;
  const repeats = text.toLowerCase().startsWith(heading.toLowerCase());
  return (
    heading !== '' && !repeats && !isClause && wordsIn(label ?? '') < LONG_LABEL && !names(text, heading)
  );
}

/** Whether a text has all the longer words of a heading, in any form. */
function names(text: string, heading: string): boolean {
  // Words all in capitals are codes.
  const known = text.match(/\p{L}\p{Ll}{3,}/gu)?.map((word) => word.toLowerCase()) ?? [];
  const wanted = heading.toLowerCase().match(/\p{L}{4,}/gu) ?? [];
  const isKnown = (word: string) =>
    known.some((other) => other.startsWith(word.slice(0, Math.max(STEM, word.length - LONGEST_ENDING))));
  return wanted.length > 0 && wanted.every(isKnown);
}

/** In letters: the longest ending of a word. */
const LONGEST_ENDING = 3;

/** In letters: the shortest common stem of two forms of a word. */
const STEM = 4;

/** Has no meaning without the thing it prices. */
const AMOUNT = /^[~<>≥≤+(]?\s?[£$€]/;
