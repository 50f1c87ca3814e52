import type { LanguagePack } from '#server/languages/contract';
import type { Passage } from '../passages/contract.ts';

/** The topic of a passage, in spoken words for the middle of a sentence; '' without one. */
export function topicOf(passage: Passage, { topics }: LanguagePack, place?: number): string {
  const statement = place === undefined ? undefined : passage.statements[place];
  // In a list of many things the thing itself is named: "Piano: upright £95" is about "piano".
  const label =
    passage.kind !== 'answer' && passage.statements.length > 3 ? labelOf(statement?.text ?? '') : '';
  for (const written of [
    label,
    passage.kind === 'answer' ? passage.lead : null,
    ...[...passage.headings].reverse(),
    passage.lead,
  ]) {
    const topic = topics.spoken(written ?? '');
    if (topic) return topic;
  }
  return '';
}

/** The part before the colon or the first mark of a short item. */
function labelOf(text: string): string {
  const before = /^([^:–|,.(£$€]{2,40}?)\s*(?:[:–|,(£$€]|\.{2,}| - )/.exec(text)?.[1] ?? '';
  return before.split(/\s+/).length <= 4 && !/\d/.test(before) ? before : '';
}
