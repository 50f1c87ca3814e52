import { invalidInput } from '#server/lib/errors';

/**
 * The path of a request's address without the query, undecoded. Routers decode addresses and accept absolute
 * ones, so code that decides by the text must not see a different spelling.
 * @returns null if the address is not in normal form (RFC 3986, 6.2.2): it must begin with one slash and
 * contain no empty part, no "." or "..", no encoded letter, digit, "-", ".", "_" or "~", nothing that cannot
 * be decoded, and no encoded slash in the first part, which selects the door
 */
export function normalPath(address = ''): string | null {
  const [path = ''] = address.split('?', 1);
  const isNormal =
    WRITTEN.test(path) &&
    !EMPTY_OR_DOTS.test(path) &&
    !NEEDLESSLY_ENCODED.test(path) &&
    !SLASH_IN_FIRST_PART.test(path) &&
    isDecodable(path);
  return isNormal ? path : null;
}

export const notNormal = () => invalidInput('common.address-not-normal');

/**
 * Characters that browsers leave in a path. A "#" would end it for a router, and a browser reads "\" as a
 * slash.
 */
const WRITTEN = /^\/[\w\-.~!$&'()*+,;=:@%/[\]|^]*$/;
const EMPTY_OR_DOTS = /\/(?:\/|\.{1,2}(?:\/|$))/;
/** In hexadecimal: "-" and ".", digits, capitals, "_", small letters, "~". */
const NEEDLESSLY_ENCODED = /%(?:2[de]|3\d|4[1-9a-f]|5[\daf]|6[1-9a-f]|7[\dae])/i;
const SLASH_IN_FIRST_PART = /^\/[^/]*%(?:2f|5c)/i;

function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}
