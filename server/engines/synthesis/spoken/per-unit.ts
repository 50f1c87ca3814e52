const PER =
  /(?<=dollars?|cents?|pounds?|pence|penny|euros?|yen|rupees?|percent|grams?|meters?|bytes?|bits?|miles?) ?\/ ?(month|mo|year|yr|week|wk|day|hour|hr|h|minute|min|second|sec|s|night|person|user|seat|item|unit|piece|order|kg|lb|GB|mile|km|use|call)\b\.?/g;
const PER_WORDS: Readonly<Record<string, string>> = {
  mo: 'month',
  yr: 'year',
  wk: 'week',
  hr: 'hour',
  h: 'hour',
  min: 'minute',
  sec: 'second',
  s: 'second',
  kg: 'kilogram',
  lb: 'pound',
  GB: 'gigabyte',
  km: 'kilometer',
};

/** "…dollars/month" → "…dollars per month", behind amounts that are already words. */
export const sayPer = (text: string) =>
  text.replace(PER, (_, unit: string) => ` per ${PER_WORDS[unit] ?? unit}`);
