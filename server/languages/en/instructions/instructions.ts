import type { Instructions } from '../../instructions.ts';
import { splitSentences } from '../sentences.ts';

/** Most instructions that are followed, and most characters of one: they are read with every turn. */
const MAX_INSTRUCTIONS = 200;
const MAX_CHARACTERS = 600;
/** Characters of one prompt and of all prompts that are searched for instructions. */
const MAX_PROMPT = 4_000;
const MAX_PROMPTS = 100_000;
/** More words than this are a rule, not a phrase to avoid. */
const MAX_AVOIDED_WORDS = 4;

const QUOTED =
  /["“„«]([^"“”„«»]{1,500})["”“»]|(?<![\p{L}\p{N}])[‘'](?=\S)((?:[^\n'’]|(?<=\S)['’]){2,500}?\S)[’'](?![\p{L}\p{N}])/gu;

const MODIFIERS =
  '(?:(?:please|always|then|also|just|simply|only|you (?:must|should|can|may|need to|have to)|must|should|politely|immediately|directly|right away) )*';
const SAYS =
  '(?:say|answer|reply|respond|tell (?:them|him|her|the (?:customer|caller|user)s?)|use|read(?: out)?|explain)';
const PASSES =
  '(?:(?:hand|pass|put|transfer|escalate|forward|refer|connect|route|send|direct)\\b.{0,40}?\\b(?:colleague|human|person|people|agent|staff|team|manager|supervisor|specialist|department|representative|advisor|member|office|someone|somebody|expert)s?\\b|(?:hand (?:it |this |them |him |her |the \\w+ )?(?:over|off)|transfer|escalate)\\b|offer (?:them |the \\w+ )?a (?:colleague|human|call-?back)\\b)';
const CONDITION = '(?:if|when(?:ever)?|as soon as|once|in case|should)';

const GREETS = new RegExp(
  `^${MODIFIERS}(?:greet|welcome|(?:start|begin|open)\\b.{0,30}\\b(?:call|conversation|chat|talk)s?\\b|(?:start|begin|open)\\b.{0,20}\\b(?:with|by saying)\\b|answer the (?:phone|call)\\b|introduce yourself)`,
  'i',
);
const PARTS = new RegExp(
  `^${MODIFIERS}(?:(?:end|close|finish|conclude)\\b.{0,30}\\b(?:call|conversation|chat|talk)s?\\b|(?:end|close|finish)\\b.{0,20}\\b(?:with|by saying)\\b|say (?:goodbye|good-bye|farewell)\\b)`,
  'i',
);
const SAYS_WHEN = new RegExp(
  `^${CONDITION} (?<when>[^"“„«]{3,200}?),? ${MODIFIERS}${SAYS}\\b[^"“„«]{0,60}$`,
  'i',
);
const WHEN_SAYS = new RegExp(`^${MODIFIERS}${SAYS}\\b[^"“„«]{0,20}$`, 'i');
const BEHIND = new RegExp(`^[\\s,.]*${CONDITION} (?<when>.{3,200}?)[.!]?$`, 'i');
/**
 * "… say that we close at noon": a statement about the business can be said verbatim; one about the customer
 * cannot.
 */
const THAT_WHEN = new RegExp(
  `^${CONDITION} (?<when>.{3,200}?),? ${MODIFIERS}(?:say|answer|reply|explain|mention|tell (?:them|him|her|the (?:customer|caller|user)s?)|inform (?:them|the (?:customer|caller|user)s?)|let (?:them|the (?:customer|caller|user)s?) know) that (?<text>(?:we|our|the|there|it|this|all|no|every|you|your)\\b.{5,400})$`,
  'i',
);
const OF_THEM = /\b(?:they|them|their|theirs|he|she|him|his|her|customers?|callers?|users?)\b/i;
const PASSES_WHEN = new RegExp(`^${CONDITION} (?<when>.{3,200}?),? ${MODIFIERS}${PASSES}`, 'i');
const WHEN_PASSES = new RegExp(
  `^${MODIFIERS}${PASSES}.{0,60}?\\b(?:if|when(?:ever)?|as soon as|once|in case) (?<when>.{3,200}?)[.!]?$`,
  'i',
);
const PASSES_ABOUT = new RegExp(
  `^${MODIFIERS}(?:hand over|transfer|escalate|forward|refer|route|send|direct|pass(?: on)?) (?:all |any |every )?(?<when>.{3,120}?) (?:to|over to|on to) (?:a |an |the |our |your )?(?:\\w+ ){0,3}(?:colleague|human|agent|staff|team|manager|supervisor|specialist|department|representative|advisor|office)s?\\b`,
  'i',
);
const AVOIDS =
  /^(?:please )?(?:you (?:must|should|may|can) )?(?:never|do not|don't|not|must not|avoid)(?: ever)?(?: (?:say(?:ing)?|mention(?:ing)?|us(?:e|ing)|nam(?:e|ing)|talk(?:ing)? about|speak(?:ing)? (?:about|of)|discuss(?:ing)?|bring(?:ing)? up)|(?= the (?:words?|phrases?|terms?|names?) ))(?: the)?(?: words?| names?| phrases?| terms?)? (?<what>.+?)[.!]?$/i;

/** A person who asks or wants: the topic follows. */
const WHO_ASKS =
  /^(?:(?:the |a |any |some )?(?:customer|caller|client|user|guest|patient|visitor|person|people|someone|somebody|anyone|anybody|they|he or she|he\/she)s? )?(?:(?:is|are|gets?) )?(?:asked|asks?|asking|wants?|wanting|wishes|would like|wish|mentions?|mentioning|talks?|talking|speaks?|speaking|calls?|calling|inquires?|enquires?|complains?|complaining|reports?|reporting|requests?|requesting|demands?|demanding|insists?|needs?|brings? up|threatens?|it (?:is|concerns))(?: (?:about|for|to|on|of|with|whether|if|concerning|regarding))?(?: (?:be )?(?:told|know|speak|talk)(?: (?:about|of|to|with))?)? /i;
const WHO =
  /^(?:the |a |any |some )?(?:customer|caller|client|user|guest|patient|visitor|person|someone|somebody|anyone|anybody|they)s? (?=is |are |has |have |seems? |sounds? |becomes? |gets? |\w+s )/i;
/** Things that every agent does by itself, at better moments. */
const UNKNOWING =
  /\byou (?:do not|don't|cannot|can't|are (?:not |un)(?:sure|able)|have no)\b|\bunsure\b|\bin doubt\b|\bnot (?:covered|in (?:the|your)|known)\b|\bunable to\b|\bcannot be (?:answered|resolved|found)\b/i;
const LIMITS =
  /\b(?:that|which|who|unless|except|if|when|while|without|before|until|after|not|than|more|without)\b/i;
const DETERMINERS =
  /^(?:(?:any|all|our|your|the|a|an|other|of|about|or|and|words?|terms?|phrases?|names?) )+/i;

/** Reads a business's prompts; what cannot be followed to the letter is left to tone and language models. */
export function readInstructions(prompts: readonly string[]): Instructions {
  const found = { greeting: null as string | null, goodbye: null as string | null };
  const says: { when: string; text: string }[] = [];
  const handsOver: string[] = [];
  const neverSays: string[] = [];
  for (const sentence of firstInstructions(prompts)) {
    const [quoted, ...others] = [...sentence.matchAll(QUOTED)];
    const text = quoted?.[1] ?? quoted?.[2]?.trim() ?? '';
    const before = quoted ? sentence.slice(0, quoted.index).trim() : sentence;
    const after = quoted ? sentence.slice(quoted.index + quoted[0].length) : '';
    const avoided = AVOIDS.exec(sentence)?.groups?.what;
    if (avoided !== undefined) neverSays.push(...wordsToAvoid(avoided, quoted ? [quoted, ...others] : []));
    else if (quoted && GREETS.test(before)) found.greeting ??= text;
    else if (quoted && PARTS.test(before)) found.goodbye ??= text;
    else if (quoted && others.length === 0) {
      const opening = before.replace(/(?<![\s:,])[\s:,]+$/, '');
      const when =
        SAYS_WHEN.exec(opening)?.groups?.when ??
        (WHEN_SAYS.test(opening) ? BEHIND.exec(after)?.groups?.when : undefined);
      if (when !== undefined) says.push(...topicsOf(when).map((each) => ({ when: each, text })));
    } else if (!quoted) {
      const told = THAT_WHEN.exec(sentence)?.groups;
      if (told?.when && told.text && !OF_THEM.test(told.text) && !UNKNOWING.test(told.when)) {
        const plain = sentenceOf(told.text);
        says.push(...topicsOf(told.when).map((each) => ({ when: each, text: plain })));
        continue;
      }
      const when = (PASSES_WHEN.exec(sentence) ?? WHEN_PASSES.exec(sentence) ?? PASSES_ABOUT.exec(sentence))
        ?.groups?.when;
      if (when !== undefined && !UNKNOWING.test(when)) handsOver.push(...topicsOf(when));
    }
  }
  return { ...found, says, handsOver, neverSays };
}

const sentenceOf = (clause: string) =>
  `${clause.charAt(0).toUpperCase()}${clause.slice(1).replace(/(?<![\s.])[\s.]+$/, '')}.`;

/** Stops early: text beyond the limit is not even split, since this runs with every turn. */
function firstInstructions(prompts: readonly string[]): string[] {
  const sentences: string[] = [];
  let left = MAX_PROMPTS;
  for (const prompt of prompts) {
    const read = prompt.slice(0, MAX_PROMPT);
    sentences.push(...instructionsIn(read));
    left -= read.length;
    if (sentences.length >= MAX_INSTRUCTIONS || left <= 0) break;
  }
  return sentences.slice(0, MAX_INSTRUCTIONS);
}

/** A quoted text may have several sentences, which stay together. */
function instructionsIn(prompt: string): string[] {
  const texts: string[] = [];
  const hidden = prompt.replaceAll(QUOTED, (whole) => `\uE000${texts.push(whole) - 1}\uE001`);
  return hidden
    .split(/\n+/)
    .flatMap((line) => splitSentences(line.replace(/^\s*(?:[-*•]|\d+[.)])\s+/, '')))
    .map((sentence) => sentence.replace(/\uE000(\d+)\uE001/g, (_, at) => texts[Number(at)] ?? '').trim())
    .filter((sentence) => sentence !== '' && sentence.length <= MAX_CHARACTERS);
}

/** "The customer asks about refunds or wants to cancel": the individual topics. */
function topicsOf(condition: string): string[] {
  return condition
    .split(/(?:,\s*|(?<!\s)\s+)(?:or|and\/or)\s+(?:if\s+|when\s+)?|,\s+/i)
    .map((part) =>
      part
        .replace(WHO_ASKS, '')
        .replace(WHO, '')
        .replace(/(?<![\s.,:])[\s.,:]+$/, '')
        .trim(),
    )
    .filter((topic) => topic.length > 2);
}

function wordsToAvoid(what: string, quoted: readonly RegExpMatchArray[]): string[] {
  if (quoted.length > 0) return quoted.map(([, double, single]) => (double ?? single ?? '').trim());
  if (LIMITS.test(what)) return [];
  return what
    .split(/,\s*(?:or |and )?|(?<!\s)\s+(?:or|and|nor)\s+/i)
    .map((part) => part.replace(DETERMINERS, '').trim())
    .filter((part) => part !== '' && part.split(/\s+/).length <= MAX_AVOIDED_WORDS);
}
