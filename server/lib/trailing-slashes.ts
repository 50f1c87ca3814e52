/** An address without the slashes at its end, so that a path can follow. */
export const withoutTrailingSlashes = (address: string): string => address.replace(/(?<!\/)\/+$/, '');
