/** Text as a database can hold it: without NUL, and without the half of a pair of units that stands for nothing. */
export const storable = (text: string): string =>
  text.replaceAll('\0', '').replaceAll(/\p{Surrogate}/gu, '\ufffd');
