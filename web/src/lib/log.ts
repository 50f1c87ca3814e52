/**
 * Reports a failure in the browser's console that the page does not show in detail. `what` is a fixed
 * sentence and the error's own text stays in the console, so nothing personal leaves the page.
 */
export function logProblem(what: string, error: unknown): void {
  // biome-ignore lint/suspicious/noConsole: the one place that writes to the console.
  console.warn(what, error);
}
