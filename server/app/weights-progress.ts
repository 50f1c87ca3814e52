import type { Weights } from '#server/engines/weights/contract';

/** On a terminal, shows the download of the voice in one line that is rewritten. */
export function showWeights(
  weights: Pick<Weights, 'onProgress'>,
  terminal: { isTTY: boolean; write(text: string): boolean },
): void {
  if (!terminal.isTTY) return;
  const progress = new Map<string, number>();
  weights.onProgress((bundle, { state, progress: part }) => {
    if (state === 'fetching' && part !== undefined) progress.set(bundle, part);
    else if (!progress.delete(bundle)) return;
    terminal.write(`\r\x1b[K${progress.size > 0 ? line(progress) : ''}`);
  });
}

const line = (progress: ReadonlyMap<string, number>) =>
  `Fetching: ${[...progress].map(([bundle, part]) => `${bundle} ${bar(part)}`).join('   ')}`;

const bar = (part: number) => {
  const filled = Math.round(part * 20);
  return `${'█'.repeat(filled)}${'░'.repeat(20 - filled)} ${Math.round(part * 100)} %`;
};
