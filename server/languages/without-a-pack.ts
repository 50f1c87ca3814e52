import { type FunctionWords, listOf } from './document-words.ts';
import type { SentenceMarks } from './sentences.ts';

/**
 * Function words of languages without a pack, because businesses paste documents in them, too. A new pack
 * takes its part from here.
 */
export const functionWordsElsewhere: readonly FunctionWords[] = [
  // German
  {
    limits: listOf(`
      außer|ausgenommen|es sei denn|jedoch|aber|allerdings|sonst|andernfalls|nur wenn|nur|sofern
    `),
    pointsBack: listOf('dies|diese|dieser|dieses|das|damit|dabei|dafür|hierfür|dann|ebenso'),
    compares: listOf('weniger|mehr|über|unter|bis|ab|mindestens|höchstens'),
    opens: [],
    replies: listOf('ja|nein|natürlich|leider nein|leider nicht'),
    wonders: listOf('was|wie|wo|wann|wer|welche'),
    unfinished: listOf(`
      der|die|das|den|dem|des|ein|eine|einen|einem|und|oder|mit|von|zu|zum|zur|für|in|im|an|am|auf|bei|
      nicht|wenn|ist|sind|wird
    `),
    and: listOf('und'),
    or: listOf('oder'),
    question: listOf('f|frage'),
    answer: listOf('antwort'),
  },
  // French
  {
    limits: listOf('sauf|excepté|à moins|cependant|toutefois|mais|sinon|seulement si|uniquement'),
    pointsBack: listOf(`ceci|cela|ce|cette|ces|il|elle|ils|elles|c'est|c’est|alors`),
    compares: listOf('moins|plus|jusqu|au moins|à partir'),
    opens: [],
    replies: listOf('oui|non|bien sûr|malheureusement non'),
    wonders: listOf('que|comment|où|quand|qui|quel|quelle'),
    unfinished: listOf('le|la|les|un|une|de|du|des|et|ou|à|au|aux|en|pour|avec|que|qui|est|sont|ne|pas'),
    and: listOf('et'),
    or: listOf('ou'),
    question: listOf('question'),
    answer: listOf('r|réponse'),
  },
  // Spanish
  {
    limits: listOf('excepto|salvo|a menos que|sin embargo|pero|de lo contrario|solo si|sólo si|solo|sólo'),
    pointsBack: listOf('esto|este|esta|estos|estas|eso|ese|esa|ellos|ellas|también|entonces'),
    compares: listOf('menos|más|hasta|desde|al menos'),
    opens: [],
    replies: listOf('sí|por supuesto|claro'),
    wonders: listOf('qué|cómo|dónde|cuándo|quién|cuál'),
    unfinished: listOf('el|la|los|las|un|una|de|del|y|o|a|al|en|para|con|que|es|son|no|si'),
    and: listOf('y|e'),
    or: listOf('o|u'),
    question: listOf('p|pregunta'),
    answer: listOf('respuesta'),
  },
];

export const sentenceMarksElsewhere: SentenceMarks = {
  neverEnd: listOf('z.b|d.h|u.a|bzw|ggf|inkl|exkl|zzgl|str|p.ej|sra|mme|mlle'),
  mayEnd: listOf('usw|gmbh'),
  beforeFigures: [],
  months: listOf('mär|mai|okt|dez|ene|abr|ago|dic|fév|avr|juin|juil|août|déc'),
};
