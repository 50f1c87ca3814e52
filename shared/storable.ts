/** Text that a database accepts: without NUL and unpaired surrogates. */
export const storable = (text: string): string =>
  text.replaceAll('\0', '').replaceAll(/\p{Surrogate}/gu, '\ufffd');
