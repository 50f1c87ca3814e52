/** A number with its possible unit, in any language's form: "1.299,00", "19 Uhr", "7 pm". */
const NUMBER = /(?<!\d)\d+(?:[.,'’\u00a0\u202f ]\d{3})*(?:[.,:h]\d{1,2})?(?!\d)/gu;

/**
 * The numbers of a text in any language, each with all its possible meanings: "7.30" is a time or an amount, "1.299" a
 * thousand or a little more than one; times also half a day later.
 */
export function numbersIn(text: string): number[][] {
  return [...text.matchAll(NUMBER)].map(([written]) => meaningsOf(written));
}

function meaningsOf(written: string): number[] {
  const plain = written.replace(/['’\u00a0\u202f ]/g, '');
  const meant = new Set<number>();
  const add = (digits: string) => {
    const value = Number(digits);
    if (Number.isFinite(value)) meant.add(value);
  };
  add(plain.replace(/[.,]/g, ''));
  add(plain.replace(/,/g, '').replace(/[:h]/, '.'));
  add(plain.replace(/\./g, '').replace(/[,:h]/, '.'));
  return [...meant];
}

/** Whether one meaning of a number is among those of others, also half a day apart for a possible time. */
export function standsAmong(number: readonly number[], others: readonly (readonly number[])[]): boolean {
  const isTime = (value: number) => value >= 0 && value <= 24;
  const meets = (a: number, b: number) =>
    a === b || (isTime(a) && isTime(b) && Math.abs(Math.abs(a - b) - 12) < 0.001);
  return others.some((other) => number.some((a) => other.some((b) => meets(a, b))));
}
