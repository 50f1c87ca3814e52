import type { AgentEntry } from './entries.ts';

/** A part of a reply's text that begins at character `at`; `index` is its sentence, null for text between sentences. */
interface ReplyPart {
  at: number;
  text: string;
  index: number | null;
}

/** Cuts a reply into its spoken sentences, so that each can be highlighted. All parts together are the whole text. */
export function replyParts({ text, sentences }: Pick<AgentEntry, 'text' | 'sentences'>): ReplyPart[] {
  const parts: ReplyPart[] = [];
  let from = 0;
  for (const sentence of sentences) {
    const at = text.indexOf(sentence.text, from);
    if (at < 0) continue;
    if (at > from) parts.push({ at: from, text: text.slice(from, at), index: null });
    parts.push({ at, text: sentence.text, index: sentence.index });
    from = at + sentence.text.length;
  }
  if (from < text.length) parts.push({ at: from, text: text.slice(from), index: null });
  return parts;
}
