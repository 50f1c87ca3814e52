import type { Claims, Figure } from '#server/languages/claims';
import type { Words } from '#server/languages/contract';
import type { CloserLook } from './closer-look.ts';
import { evidenceAmong } from './evidence.ts';
import { isMadeUp, readingAgainst } from './made-up.ts';
import type { Sources } from './sources.ts';

/** "Call us at [phone number]": learnt from forms, and meant for nobody's ears. */
const PLACEHOLDER = /\[[\p{L}_ ]{3,}\]|\{\{|<[\p{L}_ ]{3,}>/u;

/**
 * Tells whether a sentence that a language model made may be said. Figures, names, deeds of its own and a yes to what is
 * not known go by rules: what stands nowhere is not said. Whether the rest is made up is judged by what was learnt from
 * sentences that were (docs/dialogue.md): by its words, and by a closer look at what it may rest on.
 * @returns why it may not, in words for a log; null where nothing speaks against the sentence
 * @throws what the closer look throws
 */
export function supportCheck(
  pack: { claims: Claims; words: Words },
  sources: Sources,
  look: CloserLook,
): (sentence: string) => Promise<string | null> {
  const { claims } = pack;
  const reading = readingAgainst(pack, sources);
  const evidenceFor = evidenceAmong(sources.told, sources.question, pack.words);
  const tellsOfDays = sources.told.some((text) => claims.tellsOfDays(text));
  const known = plain([...sources.told, ...sources.names, ...sources.customer].join('\n'));

  return async (sentence) => {
    if (PLACEHOLDER.test(sentence)) return 'a gap to be filled in';
    const figure = sources.isOwnLanguage
      ? reading.figureNowhere(sentence)
      : reading.figureElsewhere(sentence);
    if (figure) return `figure ${named(figure)}`;
    const name = claims
      .namesIn(sentence)
      .filter((each) => sources.isOwnLanguage || each.includes('.'))
      .filter((each) => !(claims.isDay(each) && tellsOfDays))
      .find((each) => !known.includes(each));
    if (name) return `name ${name}`;
    if (!sources.isOwnLanguage) return null;
    if (claims.actsItself(sentence)) return 'an action of its own';
    if (!claims.isStatement(sentence)) return null;
    if (claims.affirms(sentence) && !sources.isKnown) return 'a yes to what is not known';
    if (reading.saysLittle(sentence)) return null;
    const entailment = await look(sentence, evidenceFor(sentence));
    return isMadeUp(reading.features(sentence), entailment) ? 'likely made up' : null;
  };
}

const named = ({ value, unit }: Figure) => (unit ? `${value} ${unit}` : value);

const plain = (text: string) => text.toLowerCase().replaceAll('’', "'");
