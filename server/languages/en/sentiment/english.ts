const FEWEST_WORDS = 3;
/** With a smaller share of known words, a text is not English. */
const LEAST_KNOWN = 0.4;

const words = (list: string) => new Set(list.split(' '));
const english = words(
  "the i i'm my you your is it it's to a and for of in was are be we our have has not do does with this that on at what when how can will would please they he she me an from there so if but just",
);
/** The most frequent words of Spanish, French, German, Italian, Portuguese and Dutch that are not English. */
const others = words(
  'el la los las del que en por para con una mi mis su es está esta estoy quiero quisiera buenos días hola gracias cómo dónde cuándo pero muy le les des du et est une je vous nous pas mon ma mes sur pour avec où quand bonjour merci der das und ich ist nicht mein meine ein eine wir sie mit auf für wie wann wo danke bitte guten habe möchte il di che per non sono mio mia come quando dove grazie buongiorno vorrei um uma não meu minha onde obrigado olá quero het een niet ik mijn van wij hoe waar wanneer goedemiddag dank u',
);

/**
 * Whether a text can be English, by its words.
 * @param vocabulary its distinct words
 * @param known how many of them are frequent English words
 */
export function isEnglish(vocabulary: readonly string[], known: number): boolean {
  if (vocabulary.length < FEWEST_WORDS) return true;
  if (known < vocabulary.length * LEAST_KNOWN) return false;
  const count = (list: ReadonlySet<string>) => vocabulary.filter((word) => list.has(word)).length;
  return count(others) < 2 || count(others) <= count(english);
}
