/**
 * Says in the browser's console that something failed which the person was not shown, or was shown kindly.
 * `what` is a fixed sentence and the error's own text stays in the console: nothing personal leaves the page.
 */
export function logProblem(what: string, error: unknown): void {
  // biome-ignore lint/suspicious/noConsole: the one place that writes to the console.
  console.warn(what, error);
}
