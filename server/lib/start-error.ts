/** Stops the start. Its message is one sentence for the person at the terminal: what is wrong and what to do. */
export class StartError extends Error {
  override readonly name: string = 'StartError';
}
