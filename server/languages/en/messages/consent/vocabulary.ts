import { DAYS, MONTHS } from '../../calendar.ts';
import { stemOf } from '../../words.ts';

export const setOf = (words: string): ReadonlySet<string> => new Set(words.split(/\s+/).filter(Boolean));
export const stemsOf = (words: string) => new Set([...setOf(words)].map(canonical));

/** Synonyms, and irregular forms that stemming misses. */
const sameAs: ReadonlyMap<string, string> = new Map(
  Object.entries({
    hold: 'held holding',
    send: 'sent',
    keep: 'kept',
    pay: 'paid',
    bring: 'brought',
    make: 'made',
    give: 'given gave',
    take: 'taken took',
    get: 'got gotten',
    gigabyte: 'gig gigs gb',
    pound: 'quid quids',
    dollar: 'buck bucks',
    kilo: 'kg kgs kilogram kilograms',
    minute: 'min mins',
    hour: 'hr hrs',
    email: 'mail e-mail',
    phone: 'telephone',
    monday: 'mon',
    tuesday: 'tue tues',
    wednesday: 'wed weds',
    thursday: 'thu thur thurs',
    friday: 'fri',
    saturday: 'sat',
    sunday: 'sun',
    january: 'jan',
    february: 'feb',
    august: 'aug',
    september: 'sep sept',
    october: 'oct',
    november: 'nov',
    december: 'dec',
    appointment: 'appt',
    grandmother: 'grandma gran granny nan nana',
    grandfather: 'grandpa grandad granddad',
    mother: 'mum mummy mom',
    father: 'dad daddy',
    parcel: 'package packages packet packets',
    television: 'tv tvs telly',
    refrigerator: 'fridge fridges',
    bicycle: 'bike bikes',
    sofa: 'couch settee',
    tyre: 'tire tires',
    photograph: 'photo photos pic pics',
    doctor: 'dr doc',
    street: 'st',
    road: 'rd',
    avenue: 'ave',
  }).flatMap(([word, others]) => others.split(' ').map((other): [string, string] => [other, word])),
);

/** Whether a word is compared as another word: "sent", "quid". */
export const isVariant = (word: string) => sameAs.has(word);

/** The compared form of a word: one for all its forms and synonyms. */
export function canonical(word: string): string {
  const plain = sameAs.get(word) ?? word;
  return days.has(plain) || months.has(plain) ? plain : stemOf(plain);
}

const days: ReadonlySet<string> = new Set(DAYS.map((day) => day.toLowerCase()));
const months: ReadonlySet<string> = new Set(MONTHS.map((month) => month.toLowerCase()));

export const isWeekday = (word: string) => days.has(sameAs.get(word) ?? word);
export const isMonth = (word: string) => months.has(sameAs.get(word) ?? word);
const times = setOf('today tomorrow tonight morning afternoon evening midnight week month year weekend');
/** Whether it is a unit of time. */
export const isSpan = (word: string) => /^(?:minute|hour|day|night|week|month|year)s?$/.test(word);
/** Whether it is a weekday, month or other date word. */
export const isDateWord = (word: string) => isWeekday(word) || isMonth(word) || times.has(word);

/** Prepositions of place or direction; those in `plainly` leave the direction open. */
export const plainly = setOf('at on in for of to with');
const directed = setOf(
  'from until till til by before after between since within during around over under via through towards into onto',
);
const withouts = setOf('without excluding except minus');
/** Words that negate the following word. */
export const negators = setOf('no not never without excluding except minus nor cannot');
export const isPreposition = (word: string) => plainly.has(word) || directed.has(word) || withouts.has(word);
export const isWithout = (word: string) => withouts.has(word);
export const prepositionOf = (word: string) => (word === 'till' || word === 'til' ? 'until' : word);

export const articles = setOf('a an the my our this that these those');
/** Includes possessives that the agent uses for the customer's things. */
export const isArticle = (word: string) => articles.has(word) || word === 'your';

/** Function words and words that change the sense of a sentence: they never merely repeat the read-back. */
const joints = setOf(
  `i me my mine myself we us our you your he him his she her it its they them their this that these those there here
  am is are was were be been being do does did done doing have has had having can could will would shall should may might must
  not no nor never and or but if then else than so because as unless whether though although however instead rather
  what which who whom whose when where why how all any both each every few more less most least some such only just too
  also very same other another different again once now later soon yet still already ever always maybe perhaps
  a an the yes yeah please thanks thank ok okay right correct fine good great sure well shall go ahead let
  like want need know think mean say said check objection mind problem ask wait half first last next coming actually really
  about against off out down away back else otherwise almost nearly probably`,
);
export const isJoint = (word: string) => (joints.has(word) && !isMonth(word)) || isPreposition(word);
