import type { Passage, Statement } from './contract.ts';

/** A statement before its place in a passage is known. */
export interface Draft extends Omit<Statement, 'leansOn'> {
  /** Its dependencies, in either direction. */
  leans: Set<Draft>;
}

/** A unit: a paragraph, a list with its introduction, a table. */
export interface Group {
  kind: 'prose' | 'list' | 'table';
  /** Introduces the rest: as the lead of the passage if it begins one, else as a statement. */
  introduction: Draft | null;
  drafts: Draft[];
}

export interface Section {
  headings: readonly string[];
  question: string | null;
  groups: Group[];
}

/** In words: the usual length of an answer, within an encoder's limit. */
const ENOUGH = 40;
const FULL = 120;
const MOST = 170;
const MOST_CHARACTERS = 1_150;

/** Scripts without spaces count by their letters. */
const wordsIn = (text: string) => Math.max(text.split(/\s+/).length, text.length / 8);

/** Divides the content under one heading into passages. */
export function packed({ headings, question, groups }: Section): Omit<Passage, 'id'>[] {
  const passages: Omit<Passage, 'id'>[] = [];
  let open = new Open();
  const close = () => {
    const passage = open.finish(headings, question);
    if (passage) passages.push(passage);
    open = new Open();
  };
  for (const group of groups) {
    const size = sum([...(group.introduction ? [group.introduction] : []), ...group.drafts]);
    const fits =
      open.words + size.words <= (question === null ? FULL : MOST) ||
      (open.words < ENOUGH / 2 && open.words + size.words <= MOST);
    const tied = [...(group.drafts[0]?.leans ?? [])].some((draft) => open.drafts.includes(draft));
    if (open.drafts.length && !tied && !fits && open.words >= ENOUGH / 2) close();
    open.begin(group, question === null);
    for (const [n, draft] of group.drafts.entries()) {
      const run = sum(runFrom(group.drafts, n));
      const tooMuch = open.words + run.words > MOST || open.characters + run.characters > MOST_CHARACTERS;
      const previous = group.drafts[n - 1];
      const isTied = previous && (draft.leans.has(previous) || previous.leans.has(draft));
      const hard =
        open.words + wordsIn(draft.text) > MOST + 10 ||
        open.characters + draft.told.length > MOST_CHARACTERS + 50;
      if (open.drafts.length && (hard || (tooMuch && !isTied))) {
        close();
        open.begin(group, question === null);
      }
      open.add(draft, group.kind);
    }
  }
  close();
  return passages;
}

/** A statement with the following ones that cannot be separated from it. */
function runFrom(drafts: readonly Draft[], at: number): Draft[] {
  const run: Draft[] = [];
  for (let n = at; n < drafts.length && n < at + 4; n++) {
    const draft = drafts[n];
    const previous = drafts[n - 1];
    if (!draft || (n > at && previous && !draft.leans.has(previous) && !previous.leans.has(draft))) break;
    run.push(draft);
  }
  return run;
}

const sum = (drafts: readonly Draft[]) => ({
  words: drafts.reduce((all, { text }) => all + wordsIn(text), 0),
  characters: drafts.reduce(
    (all, { text, told, kind }) => all + (kind === 'row' ? told : text).length + 1,
    0,
  ),
});

/** A passage being filled. */
class Open {
  readonly drafts: Draft[] = [];
  words = 0;
  characters = 0;
  private lead: Draft | null = null;
  private readonly counts = { prose: 0, list: 0, table: 0 };

  begin({ introduction, kind }: Group, mayLead: boolean) {
    if (!introduction) return;
    if (mayLead && this.drafts.length === 0) {
      this.lead = introduction;
      this.words += wordsIn(introduction.text);
      this.characters += introduction.text.length;
    } else this.add(introduction, kind === 'table' ? 'prose' : kind);
  }

  add(draft: Draft, kind: Group['kind']) {
    if (this.drafts.includes(draft)) return;
    this.drafts.push(draft);
    const { words, characters } = sum([draft]);
    this.words += words;
    this.characters += characters;
    this.counts[kind] += words;
  }

  finish(headings: readonly string[], question: string | null): Omit<Passage, 'id'> | null {
    // An introduction without a list becomes a statement.
    if (this.drafts.length === 0) {
      if (!this.lead) return null;
      this.drafts.push(this.lead);
      this.lead = null;
    }
    const { list, table, prose } = this.counts;
    const kind =
      question !== null ? 'answer' : table > list + prose ? 'table' : list > prose ? 'list' : 'prose';
    return {
      headings,
      kind,
      lead: question ?? this.lead?.text ?? null,
      statements: this.drafts.map(({ leans, ...statement }) => ({
        ...statement,
        leansOn: [...leans]
          .map((draft) => this.drafts.indexOf(draft))
          .filter((place) => place >= 0)
          .sort((a, b) => a - b),
      })),
    };
  }
}
