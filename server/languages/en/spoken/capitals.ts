import { spell } from './contacts.ts';

const wordSet = (words: string) => new Set(words.trim().split(/\s+/));

/** Acronyms that are read as words. */
const READ_AS_WORDS = wordSet(`
  NASA NATO UNESCO UNICEF OPEC IKEA FIFA UEFA NAFTA FEMA OSHA PIN PINS SIM SIMS GIF GIFS JPEG JPEGS RAM ROM LAN WAN NAS
  RAID LASER RADAR SCUBA COVID AIDS ZIP VIN VISA CAPTCHA ASCII SWIFT SEPA WIFI AMEX LEGO NASDAQ CAD
`);

/** Ordinary words written in capitals for emphasis; read like their lower-case form. */
const SHOUTED = wordSet(`
  A I AN AM AS AT BE BY DO GO HE HI IF IN IS IT ME MY NO OF OH ON OR SO TO UP WE AND ANY ARE ASK BAD BIG BUT BUY CAN DAY DID
  END FAR FEW FOR GET GOT HAD HAS HER HIM HIS HOT HOW ITS LET LOW MAY MEN NEW NOR NOT NOW OFF OLD ONE OUR OUT OWN PAY PUT
  RUN SAD SAY SEE SET SHE SIX TAX TEN THE TOO TOP TRY TWO USE VIA WAS WAY WHO WHY WIN WON YES YET YOU ALSO AREA AWAY BACK
  BEEN BEST BOTH CALL CARD CASE CASH CODE COME COST DATA DATE DEAL DEAR DOES DONE DOWN EACH EASY EVEN EVER FAST FEEL FILE
  FIND FIVE FORM FOUR FREE FROM FULL GIFT GIVE GOES GOOD HAND HAVE HELP HERE HIGH HOLD HOME HOPE HOUR INTO ITEM JUST KEEP
  KIND KNOW LAST LATE LESS LIKE LINE LINK LIST LIVE LONG LOOK LOVE MADE MAIL MAKE MANY MORE MOST MUCH MUST NAME NEED NEXT
  NINE NONE NOTE ONCE ONLY OPEN OVER PAID PART PASS PAST PLAN PLUS REAL SAFE SAID SALE SAME SAVE SEND SENT SHIP SHOP SHOW
  SIGN SIZE SOLD SOME SOON STAY STEP STOP SUCH SURE TAKE TEAM TELL THAN THAT THEM THEN THEY THIS TIME TYPE UPON USED VERY
  WAIT WANT WEEK WELL WENT WERE WHAT WHEN WILL WITH WORD WORK YEAR YOUR ZERO
`);

/** Acronyms that are spelled even in a sentence all in capitals. */
const LETTERS_EVEN_LOUD = wordSet(`
  API ATM CD CEO DHL DVD EU FAQ FAQS FYI GDPR GPS HR HTML ID LED PC PDF QR SMS TV UK UPS URL USA USB USPS VAT VIP VPN
`);

const AMPERSAND = /\b([A-Z]{1,3})&([A-Z]{1,3})(s?)\b/g;
const DOTTED = /(?<![\w.])((?:[A-Z]\.){2,6})(?=(\s+\p{Lu}\p{Ll}|\s*$)?)/gu;
const CAPITALS = /(?<![\w'&])([A-Z]{2,40})(s|'s)?(?![\w&]|'[A-Z])/g;
const SIZE = /\b([Ss]izes?:? |\bin (?:an? )?)(X{0,4}[SL]|M)\b(?!['’.]?\w)/g;
const SIZE_EXTRA = /(?<![\w-])(X{1,4})([SL])(?![\w-])/g;
const LETTERS_HYPHEN_LETTER = /(?<![\w'&-])([A-Z]{2,5})-([A-Z])(?![\w-])/g;
const IT_TEAM = /\bIT(?= (?:team|department|support|desk|staff|help|service|services|issue|issues|admin)\b)/g;
const SIZES: Readonly<Record<string, string>> = { S: 'small', M: 'medium', L: 'large' };
const EXTRAS = ['', 'extra ', 'double extra ', 'triple extra ', 'quadruple extra '] as const;
const LONGEST_SPELLED = 4;
/**
 * "FARM", "DOGS": one syllable of English structure. Acronyms of four letters seldom look like this, and are
 * then read as words, too.
 */
const ENGLISH_SYLLABLE =
  /^(?:[BCDFGHJKLMNPRSTVWYZ]|[BCFGPS]L|[BCDFGPTW]R|[CSTW]H|S[CKMNPTW]|QU)(?:[AEIOU]{1,2}|[AEO]W)(?:[BCDFGKLMNPRSTXZ]|[BCDGKLMNPRTW]S|[CLNRS]K|[FLNPRS]T|[LNR]D|[CST]H|[LRM]P|L[LF]|FF|SS|ZZ|NG|R[MNL])?E?$/;

/** Reads capitals: "USB" letter by letter, "NASA" and "FREE" as words, "XL" as a size. */
export function sayCapitals(text: string): string {
  return withoutShouting(text)
    .replace(SIZE_EXTRA, (_, extra: string, size: string) => `${EXTRAS[extra.length]}${SIZES[size]}`)
    .replace(SIZE, (whole, before: string, size: string) => (SIZES[size] ? `${before}${SIZES[size]}` : whole))
    .replace(IT_TEAM, 'I T')
    .replace(LETTERS_HYPHEN_LETTER, (_, letters: string, letter: string) => `${spell(letters)} ${letter}`)
    .replace(
      AMPERSAND,
      (_, left: string, right: string, plural: string) => `${spell(left)} and ${spell(right)}${plural}`,
    )
    .replace(DOTTED, (_, letters: string, end?: string) => {
      const spelled = letters.replaceAll('.', ' ').trim();
      return end === undefined ? spelled : `${spelled}.`;
    })
    .replace(CAPITALS, (whole, word: string, plural?: string) => {
      if (word === 'AM' || word === 'PM') return whole;
      return `${sayWord(word)}${plural ?? ''}`;
    });
}

function sayWord(word: string): string {
  if (READ_AS_WORDS.has(word)) return word.charAt(0) + word.slice(1).toLowerCase();
  if (SHOUTED.has(word)) return word.toLowerCase();
  if (word.length === LONGEST_SPELLED && ENGLISH_SYLLABLE.test(word)) return word.toLowerCase();
  if (word.length <= LONGEST_SPELLED || !/[AEIOUY]/.test(word) || /[BCDFGHJKLMNPQRSTVWXZ]{4}/.test(word))
    return spell(word);
  return word.toLowerCase();
}

/** A sentence all in capitals is emphasis, not acronyms; a list of acronyms has no everyday words. */
function withoutShouting(text: string): string {
  return text.replace(/[^.!?]+/g, (sentence) => {
    const words = sentence.match(/\p{L}+/gu) ?? [];
    const loud = words.filter((word) => word === word.toUpperCase());
    if (words.length < 4 || loud.length < words.length * 0.8) return sentence;
    if (words.filter((word) => SHOUTED.has(word)).length < 2) return sentence;
    return sentence.replace(/\p{Lu}+/gu, (word) =>
      LETTERS_EVEN_LOUD.has(word) || READ_AS_WORDS.has(word) || word === 'I' ? word : word.toLowerCase(),
    );
  });
}
