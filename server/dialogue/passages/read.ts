import type { Documents, LanguagePack } from '#server/languages/contract';
import { type Block, type Item, type Row, readBlocks } from './blocks.ts';
import type { Passage } from './contract.ts';
import {
  asks,
  BOLD_LINE,
  CAPITALS,
  endsSentence,
  headingText,
  isCapitals,
  isTitle,
  labelOf,
  type Part,
  readLines,
  unmarked,
} from './lines.ts';
import { type Draft, type Group, packed, type Section } from './pack.ts';

/**
 * Reads what a business pasted – Markdown, HTML, a price card typed by hand, questions with answers, plain text – into
 * passages. Never fails: what is no known markup is prose, and an empty text has no passages.
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
  /** Whether anything was said under it. */
  used: boolean;
}

/** In words: a line or an item this short is hardly a sentence, so what it stands under is told with it. */
const FRAGMENT = 8;
/** In words: a longer item that ends without a mark says something by itself. */
const LONG_ITEM = 25;
/** In characters: of a longer introduction its last sentence is told. */
const LONG_INTRODUCTION = 300;
const SHORT_HEADING = 7;

/** Once in so many paragraphs, capitals are how a text shouts, not how it is written. */
const SELDOM = 10;

/** In words: a question that the text asks itself, an introduction of two sentences, a list that is said in one go. */
const SHORT_QUESTION = 6;
const SHORT_INTRODUCTION = 30;
const SHORT_LIST = 45;

/** Longer sentences are no sentences: they are cut at a comma or a space. */
const MAX_SENTENCE = 600;

class Reader {
  private readonly language: LanguagePack;
  private readonly done: Section[] = [];
  private section: Section | null = null;
  private headings: Heading[] = [];
  /** Headings in capitals are how this text is written. */
  private readonly capitals: boolean;
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
    // Where markup heads what is below, capitals only shout.
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
    return this.saysMore() ? this.done : [];
  }

  /** Whether a text is more than headings over nothing: an outline is no knowledge. One alone may be all there is to say. */
  private saysMore(): boolean {
    if (this.bareTitles.size < 2) return true;
    const drafts = this.done.flatMap(({ groups }) =>
      groups.flatMap(({ introduction, drafts }) => (introduction ? [introduction, ...drafts] : drafts)),
    );
    return drafts.some(({ text }) => !this.bareTitles.has(text));
  }

  read(blocks: readonly Block[]) {
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

  /** What stands inside has its own headings, below those outside and ended with it. */
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

  /** Rows of several tables that begin alike ("$10,000" in the table of each age) are told with what is above theirs. */
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

  /** The heading with which a few words below it are told, "Telephone" with its number; with its colon or comma. */
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
      const introduction = wordsIn(whole) <= SHORT_INTRODUCTION ? whole : (fresh.at(-1) ?? '');
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

  /** What a section says already. Groups are counted once, when nothing more is put into them. */
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
    // The section begins, so that the headings above it head something and are not said themselves.
    const isFirst = this.here().groups.length === 0;
    if (isFirst && lines.length > 1 && lines.every((line) => asks(unmarked(line)))) return;
    const last = this.headings.at(-1);
    const isCard = heading !== '' || (this.capitals && last && last.level >= CAPITALS);
    // Elsewhere a sentence says something by itself.
    const leans = (text: string) => isCard || ((isFirst || AMOUNT.test(text)) && !endsSentence(text));
    const under = this.spoken(heading || (last && !last.asks ? last.text : ''));
    const drafts = lines.flatMap((line) =>
      this.labelled(line, 'sentence', (text) => {
        if (
          !under ||
          !leans(text) ||
          wordsIn(under) > SHORT_HEADING ||
          wordsIn(text) > FRAGMENT ||
          text.toLowerCase().startsWith(under.toLowerCase())
        )
          return text;
        return `${under}${labelOf(text) === null ? ':' : ','} ${text}`;
      }),
    );
    if (drafts.length) this.here().groups.push({ kind: 'list', introduction: null, drafts });
  }

  /** The sentences of a line or an item; those after its label lean on it, and those that begin with a figure are told with it. */
  private labelled(marked: string, kind: 'sentence' | 'item', begin: (text: string) => string): Draft[] {
    const label = labelOf(marked);
    const drafts = sentencesOf(unmarked(marked), this.language).map((text, n) => {
      if (labelOf(text) !== null || (n === 0 && label))
        return draftOf(kind, text, finished(kind === 'sentence' ? begin(text) : text));
      if (label)
        return draftOf(kind, text, finished(needsLabel(text, this.documents) ? `${label}: ${text}` : text));
      return draftOf(kind, text, finished(n === 0 || kind === 'sentence' ? begin(text) : text));
    });
    tie(drafts, this.documents);
    const [first] = drafts;
    if (first && (label || kind === 'item'))
      for (const draft of drafts.slice(1)) if (labelOf(draft.text) === null) draft.leans.add(first);
    return drafts;
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
    this.items(items, group, {
      introduction,
      under,
      number: counted ? start : null,
      parent: group.introduction,
      depth: 0,
    });
    if (group.introduction)
      group.introduction.told = toldWhole(group.introduction.text, items, this.documents);
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
    for (const { text, below } of items) this.read([{ type: 'paragraph', text }, ...below]);
    this.leave(CAPITALS);
  }

  private items(
    items: readonly Item[],
    group: Group,
    at: { introduction: string; under: string; number: number | null; parent: Draft | null; depth: number },
  ) {
    let tiedTo: Draft | null = null;
    for (const [n, { text, below }] of items.entries()) {
      const number = at.number === null ? '' : `${at.number + n}. `;
      const { text: bare, tie: conjunction } = this.documents.withoutConjunction(unmarked(text));
      const isLabelled = labelOf(text) !== null;
      const drafts = text
        ? this.labelled(number + text, 'item', (whole) => this.toldItem(whole, at, false))
        : [];
      const [first] = drafts;
      const end = drafts.at(-1);
      if (first && isLabelled) first.told = finished(this.toldItem(first.text, at, true));
      if (end && conjunction) {
        const { text: last } = this.documents.withoutConjunction(end.text);
        end.told = finished(end === first ? this.toldItem(bare, at, isLabelled) : last);
      }
      for (const draft of drafts) if (at.parent) draft.leans.add(at.parent);
      // "… and": this and the next hold together only.
      if (first && tiedTo) {
        first.leans.add(tiedTo);
        tiedTo.leans.add(first);
      }
      tiedTo = conjunction === 'and' ? (drafts.at(-1) ?? null) : null;
      group.drafts.push(...drafts);
      this.below(below, group, first ?? at.parent, at.depth);
    }
  }

  /** What an item goes on with belongs to the item. */
  private below(blocks: readonly Block[], group: Group, parent: Draft | null, depth: number) {
    for (const block of blocks) {
      if (block.type === 'list' && depth < 8)
        this.items(block.items, group, {
          introduction: parent && parent.kind === 'item' ? parent.text : '',
          under: '',
          number: block.start !== null && block.start !== 1 ? block.start : null,
          parent,
          depth: depth + 1,
        });
      else if (block.type === 'paragraph' || block.type === 'heading') {
        const drafts = this.labelled(block.text, 'item', (text) => text);
        for (const draft of drafts) if (parent) draft.leans.add(parent);
        group.drafts.push(...drafts);
      } else if (block.type === 'table') {
        const drafts = this.rows(block);
        for (const draft of drafts) if (parent) draft.leans.add(parent);
        group.drafts.push(...drafts);
      } else if (block.type === 'list') {
        for (const { text, below } of block.items) {
          if (text) group.drafts.push(draftOf('item', unmarked(text), finished(unmarked(text))));
          group.drafts.push(...flatTexts(below).map((flat) => draftOf('item', flat, finished(flat))));
        }
      } else if (block.type === 'scope')
        this.below([{ type: 'paragraph', text: block.title }, ...block.blocks], group, parent, depth);
    }
  }

  /** An item with what introduces it, joined where that is safe, else behind a colon. */
  private toldItem(
    item: string,
    { introduction, under }: { introduction: string; under: string },
    labelled = false,
  ): string {
    if (introduction) {
      const near =
        introduction.length > LONG_INTRODUCTION
          ? (sentencesOf(introduction, this.language).at(-1) ?? '')
          : introduction;
      if (near === '' || near.length > LONG_INTRODUCTION) return item;
      const open = near.replace(/(?<!\s)\s*:\s*$/, '');
      if (this.documents.opensItem(open) && !labelled) return `${open} ${this.small(item)}`;
      return `${open.replace(/[.]$/, '')}: ${item}`;
    }
    const isFragment = !/[.!?]$/.test(item) && wordsIn(item) <= LONG_ITEM;
    return under && !labelled && wordsIn(under) <= SHORT_HEADING && isFragment ? `${under}: ${item}` : item;
  }

  private table(block: Extract<Block, { type: 'table' }>) {
    const section = this.here();
    const group = this.introduced('table');
    const caption = unmarked(block.caption);
    if (caption && !group.introduction) group.introduction = draftOf('sentence', caption, finished(caption));
    group.drafts.push(...this.rows(block));
    if (section.groups.at(-1) !== group) section.groups.push(group);
  }

  private rows({ columns, rows }: { columns: readonly string[]; rows: readonly Row[] }): Draft[] {
    const names = columns.map((name) => headingText(name, this.language));
    const filled = rows
      .map(({ cells, indent }) => ({ values: cells.map(unmarked), indent }))
      .filter(({ values }) => values.some(Boolean));
    const times = new Map<string, number>();
    for (const { values } of filled) times.set(values[0] ?? '', (times.get(values[0] ?? '') ?? 0) + 1);
    const drafts: Draft[] = [];
    let above: { name: string; indent: number; draft: Draft } | null = null;
    for (const { values, indent } of filled) {
      const [first = ''] = values;
      const cells = values
        .map((value, n) => ({ column: names[n] ?? '', value }))
        .filter(({ value }) => value);
      const continues = above !== null && (indent > above.indent || (!first && values.length > 1));
      // "Return" below each of several fares says of which.
      const repeats =
        above !== null && cells.length > 1 && (times.get(first) ?? 0) > 1 && hasOwn(times, above.name);
      const isBelow = above !== null && (continues || repeats);
      const prefix = isBelow && above?.name ? `${above.name}${first ? ' – ' : ''}` : '';
      const draft: Draft = { ...draftOf('row', cells.map(({ value }) => value).join(' | '), ''), cells };
      draft.told = finished(toldRow(first, cells, names, prefix, filled.length === 1));
      if (isBelow && above) draft.leans.add(above.draft);
      else above = { name: first, indent, draft };
      drafts.push(draft);
      this.rowsByName.push({
        name: `${first}\n${names.join('\n')}`,
        draft,
        under: this.headings.at(-1)?.text ?? '',
      });
    }
    return drafts;
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
    if (!this.section) {
      const last = this.headings.at(-1);
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
    // A heading of this length is a paragraph that markup made one.
    if (text.length > 200) {
      this.leave(level);
      this.prose(sentencesOf(text, this.language), false);
      return;
    }
    // A title straight below another one stands under it.
    const above = this.headings.at(-1);
    const nested =
      above &&
      !above.used &&
      !above.asks &&
      above.level >= level &&
      above.level < level + 1 &&
      level > CAPITALS;
    if (!nested) this.leave(level);
    for (const heading of this.headings) heading.used = true;
    if (nested && text)
      this.headings.push({ level: above.level + 0.01, text, asks: isQuestion, used: false });
    else if (text) this.headings.push({ level, text, asks: isQuestion, used: false });
    this.section = null;
  }

  /** Ends the headings from a level down. One under which nothing stands says what it has to say itself. */
  private leave(level: number) {
    const kept = this.headings.filter((heading) => heading.level < level);
    const last = this.headings.at(-1);
    if (last && !last.used && kept.length < this.headings.length) {
      this.headings = this.headings.slice(0, -1);
      this.section = null;
      // A question without an answer, as above a page of them, says nothing.
      if (!last.asks) {
        if (isTitle(last.text, this.language)) this.bareTitles.add(last.text);
        this.prose([last.text], false);
      }
    }
    if (kept.length < this.headings.length || last?.used === false) this.section = null;
    this.headings = kept;
  }

  /** A heading as it is said: words in capitals small, but for short ones that the text never writes so ("BBQ"). */
  private spoken(heading: string): string {
    const words = heading.replace(/(?<!\p{L})\p{Lu}[\p{Lu}'’]+(?!\p{L})/gu, (word) =>
      word.length > 4 || this.mixedWords.has(word) || this.smallWords.has(word.toLowerCase())
        ? word.toLowerCase()
        : word,
    );
    return words.charAt(0).toUpperCase() + words.slice(1);
  }

  /** An item that goes on a sentence begins small, unless its first word is a name: one that is never written small. */
  private small(item: string): string {
    const word = /^\p{Lu}[\p{Ll}'’]*(?![\p{L}\p{N}-])/u.exec(item)?.[0];
    return word && this.smallWords.has(word.toLowerCase())
      ? item.charAt(0).toLowerCase() + item.slice(1)
      : item;
  }
}

/** "3. Returns" with a text below is a heading. */
const headsSection = (text: string, next: Block | undefined) =>
  (next?.type === 'paragraph' || next?.type === 'table') &&
  text.length <= 80 &&
  (asks(text) || !/[.!;:,]$/.test(text));

const isBareQuestion = ({ text, below }: Item) =>
  below.length === 0 && asks(unmarked(text)) && !/[\n\u2028]/.test(text);

const wordsIn = (text: string) => text.split(/\s+/).length;

function sentenceDrafts(sentences: readonly string[], documents: Documents): Draft[] {
  const drafts = sentences.map((text) => draftOf('sentence', text, finished(text)));
  tie(drafts, documents);
  return drafts;
}

/** An introduction with all that it introduces, where that is short enough to be said; else as it stands. */
function toldWhole(
  introduction: string,
  items: readonly Item[],
  { listed, withoutConjunction }: Documents,
): string {
  const texts = items.map(({ text }) => withoutConjunction(unmarked(text)).text.replace(/[.;,]$/, ''));
  const isPlain = !texts.some((text) => /[,;.]/.test(text));
  const whole = `${introduction} ${isPlain ? listed(texts) : texts.join('; ')}`;
  const isFlat = items.every(({ below }) => below.length === 0);
  return isFlat && wordsIn(whole) <= SHORT_LIST ? finished(whole) : introduction;
}

/** What says nothing without what it is the price of. */
const AMOUNT = /^[~<>≥≤+(]?\s?[£$€]/;

/** "14–28 days = half": says nothing without what it is about. */
const needsLabel = (text: string, { compares }: Documents) => /^[~<>≥≤+\d£$€]/.test(text) || compares(text);

/** Whether a name is that of one row alone, so that it tells others apart. */
const hasOwn = (times: ReadonlyMap<string, number>, name: string) => name !== '' && times.get(name) === 1;

const draftOf = (kind: Draft['kind'], text: string, told: string): Draft => ({
  kind,
  text,
  told,
  leans: new Set(),
});

function sentencesOf(text: string, { splitSentences, documents: { isBareReply } }: LanguagePack): string[] {
  return splitSentences(text)
    .flatMap(cut)
    .filter((sentence) => /[\p{L}\p{N}]/u.test(sentence))
    .reduce<string[]>((all, sentence) => {
      // "Yes.", "No lift?", "Need help?" say nothing without what follows.
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

/** A rule and what limits it lean on each other; what points back leans on the one before. */
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

/** What is said ends like a sentence. */
const finished = (text: string) =>
  endsSentence(text) ? text : `${text.replace(/(?<![\s:;,–—-])[\s:;,–—-]+$/, '')}.`;

const FIGURE = /^[\d£$€<>~]/;

/**
 * A row as a person would read it out: the first cell names it, the others come with their column. The colon is heard: of
 * "price $24, time 6 to 9 days" a recogniser made "priced twenty four dollars times six".
 */
function toldRow(
  first: string,
  cells: readonly { column: string; value: string }[],
  names: readonly string[],
  prefix: string,
  alone: boolean,
): string {
  // One row of nothing but figures under their names has no name itself: "Adult: $110; Child: $80".
  const isFigures =
    alone && cells.length > 2 && cells.every(({ column, value }) => column && FIGURE.test(value));
  if (isFigures) return cells.map(({ column, value }) => `${column}: ${value}`).join('; ');
  const rest = first ? cells.slice(1) : cells;
  const hasColumn = names.some((name, n) => n > 0 && name);
  // A row that begins with a figure says of what.
  const head = `${prefix}${first && FIGURE.test(first) && names[0] ? `${names[0]} ` : ''}${first}`;
  if (rest.length === 0) return head;
  const told = hasColumn
    ? rest.map(({ column, value }) => (column ? `${column}: ${value}` : value)).join('; ')
    : rest.map(({ value }) => value).join(', ');
  return head ? `${head}: ${told}` : told;
}

function flatTexts(blocks: readonly Block[]): string[] {
  const texts: string[] = [];
  const stack = [...blocks].reverse();
  while (stack.length) {
    const block = stack.pop();
    if (!block) break;
    if (block.type === 'paragraph' || block.type === 'heading') texts.push(unmarked(block.text));
    else if (block.type === 'list')
      for (const { text, below } of block.items) {
        if (text) texts.push(unmarked(text));
        stack.push(...below);
      }
    else if (block.type === 'table')
      texts.push(...block.rows.map(({ cells }) => cells.map(unmarked).join(' | ')));
    else if (block.type === 'scope') stack.push(...block.blocks);
  }
  return texts.filter(Boolean);
}
