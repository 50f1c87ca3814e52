import { stemmer } from 'stemmer';
import { plain } from '../typography.ts';

const contractions: [RegExp, string][] = [
  [/\bcan't\b|\bcant\b/g, 'cannot'],
  [/\bwon't\b/g, 'will not'],
  [/\bshan't\b/g, 'shall not'],
  [/\b(do|does|did|is|are|was|were|has|have|had|would|could|should|must)n'?t\b/g, '$1 not'],
  [/\b(i)'?m\b/g, '$1 am'],
  [/\b(what|where|when|who|how|that|there|it|he|she)'s\b/g, '$1 is'],
  [/\bwhats\b/g, 'what is'],
  [/\bhows\b/g, 'how is'],
  [/\bwheres\b/g, 'where is'],
  [/\b(\w+)'re\b/g, '$1 are'],
  [/\b(\w+)'ve\b/g, '$1 have'],
  [/\b(\w+)'ll\b/g, '$1 will'],
  [/\b(i|you|we|they|he|she|it)'d\b/g, '$1 would'],
  [/\b(\w+)'s\b/g, '$1'],
  [/\b(\w+s)'(?=\s|$)/g, '$1'],
  [/\bwanna\b/g, 'want to'],
  [/\bgonna\b/g, 'going to'],
  [/\bgotta\b/g, 'have to'],
  [/\bpls\b|\bplz\b/g, 'please'],
  [/\bu\b/g, 'you'],
  [/\bur\b/g, 'your'],
  [/\br\b/g, 'are'],
  [/\bthx\b|\bty\b/g, 'thanks'],
  [/\binfo\b/g, 'information'],
  [/\bdo i've\b/g, 'do i have'],
];

/** Lower case, contractions spelled out. */
export function normalize(text: string): string {
  let s = plain(text).toLowerCase();
  for (const [pattern, to] of contractions) s = s.replace(pattern, to);
  return s;
}

const wordPattern = /[\p{L}\p{N}]+(?:[.,:/](?=\p{N})\p{N}+)*%?/gu;

/** A text's search terms: stems of its meaningful words, in order, figures unchanged. */
export const termsOf = (text: string): string[] =>
  (normalize(text).match(wordPattern) ?? []).filter((word) => !stopWords.has(word)).map(stemOf);

/** Whether a text consists only of stop words. */
export const stopWordsOnly = (text: string): boolean => termsOf(text).length === 0;

/** Unifies British and American endings ("organise", "organize"); Porter's stemmer does the rest. */
export const stemOf = (word: string) =>
  /^[a-z]+$/.test(word) ? stemmer(word.replace(/is(e[ds]?|ing|ation)$/, 'iz$1')) : word;

const stopWords: ReadonlySet<string> = new Set(
  `a an the this that these those there here it its i me my mine myself we us our ours you your yours yourself he him his she her
  hers they them their theirs who whom whose which what when where why how am is are was were be been being do does did doing done
  have has had having can could will would shall should may might must cannot not no nor and or but if then else than so because
  as of at by for with about against between into through during to from in out on off over under again further once
  all any both each few more most other some such only own same too very just also still even yet ever never always
  please thanks thank hello hi hey dear ok okay well oh um uh hmm yes yeah
  get got let lets want wants wanted need needs needed like know tell say said go going want wish wonder wondering
  s t d ll re ve m one ones thing things something anything someone somebody anyone anybody everyone
  really actually currently exactly maybe perhaps possible possibly able up down
  much many lot lots per via etc eg ie vs able sure mean means
  far anywhere somewhere everywhere nowhere along away together information help question questions ask explain give details detail regarding concerning`
    .split(/\s+/)
    .filter(Boolean),
);
