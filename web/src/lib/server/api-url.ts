/** Base address of the API without a slash at the end; empty means the page's own origin. */
export const API_URL: string = (import.meta.env.VITE_API_URL ?? '').replace(/(?<!\/)\/+$/, '');
