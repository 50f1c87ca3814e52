import type { Documents, LanguagePack } from '#server/languages/contract';
import type { Block, Item } from './blocks.ts';
import { draftOf, finished, labelledDrafts, sentencesOf } from './drafts.ts';
import { labelOf, SHORT_HEADING, unmarked, wordsIn } from './lines.ts';
import type { Draft, Group } from './pack.ts';
import { rowDrafts } from './rows.ts';

/** In words: a longer item without a final mark is complete by itself. */
const LONG_ITEM = 25;
/** In characters: of a longer introduction only the last sentence is told. */
const LONG_INTRODUCTION = 300;
/** In words: a list that is said at once. */
const SHORT_LIST = 45;

interface Place {
  introduction: string;
  /** The heading told with items that have no introduction. */
  under: string;
  /** Of the first item, if the text starts counting elsewhere than at one. */
  number: number | null;
  parent: Draft | null;
}

/** Reads the items of lists into drafts. */
export class Items {
  private readonly language: LanguagePack;
  private readonly smallWords: ReadonlySet<string>;

  /** @param smallWords words that occur uncapitalised somewhere in the text */
  constructor(language: LanguagePack, smallWords: ReadonlySet<string>) {
    this.language = language;
    this.smallWords = smallWords;
  }

  /** Adds the drafts of items, and of their sub-items, to a group. */
  read(items: readonly Item[], group: Group, at: Place) {
    this.items(items, group, { ...at, depth: 0 });
    if (group.introduction)
      group.introduction.told = toldWhole(group.introduction.text, items, this.language.documents);
  }

  private items(items: readonly Item[], group: Group, at: Place & { depth: number }) {
    let tiedTo: Draft | null = null;
    for (const [n, { text, below }] of items.entries()) {
      const number = at.number === null ? '' : `${at.number + n}. `;
      const { text: bare, tie: conjunction } = this.language.documents.withoutConjunction(unmarked(text));
      const isLabelled = labelOf(text) !== null;
      const drafts = text
        ? labelledDrafts(number + text, 'item', (whole) => this.toldItem(whole, at, false), this.language)
        : [];
      const [first] = drafts;
      const end = drafts.at(-1);
      if (first && isLabelled) first.told = finished(this.toldItem(first.text, at, true));
      if (end && conjunction) {
        const { text: last } = this.language.documents.withoutConjunction(end.text);
        end.told = finished(end === first ? this.toldItem(bare, at, isLabelled) : last);
      }
      for (const draft of drafts) if (at.parent) draft.leans.add(at.parent);
      // "… and": this and the next belong together.
      if (first && tiedTo) {
        first.leans.add(tiedTo);
        tiedTo.leans.add(first);
      }
      tiedTo = conjunction === 'and' ? (drafts.at(-1) ?? null) : null;
      group.drafts.push(...drafts);
      this.below(below, group, first ?? at.parent, at.depth);
    }
  }

  /** The continuation of an item belongs to the item. */
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
        const drafts = labelledDrafts(block.text, 'item', (text) => text, this.language);
        for (const draft of drafts) if (parent) draft.leans.add(parent);
        group.drafts.push(...drafts);
      } else if (block.type === 'table') {
        const drafts = rowDrafts(block, this.language).map(({ draft: row }) => row);
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

  /** An item with its introduction, joined if that is safe, else after a colon. */
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
      if (this.language.documents.opensItem(open) && !labelled) return `${open} ${this.small(item)}`;
      return `${open.replace(/[.]$/, '')}: ${item}`;
    }
    const isFragment = !/[.!?]$/.test(item) && wordsIn(item) <= LONG_ITEM;
    return under && !labelled && wordsIn(under) <= SHORT_HEADING && isFragment ? `${under}: ${item}` : item;
  }

  /**
   * An item that continues a sentence begins in lower case, unless its first word is a name: one that is never written
   * small.
   */
  private small(item: string): string {
    const word = /^\p{Lu}[\p{Ll}'’]*(?![\p{L}\p{N}-])/u.exec(item)?.[0];
    return word && this.smallWords.has(word.toLowerCase())
      ? item.charAt(0).toLowerCase() + item.slice(1)
      : item;
  }
}

/** An introduction with its whole list, if that is short enough to be said; else unchanged. */
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
