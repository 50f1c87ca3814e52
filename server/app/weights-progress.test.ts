import { expect, it } from 'vitest';
import type { BundleName } from '#server/engines/weights/contract';
import type { EngineStatus } from '#shared/status';
import { showWeights } from './weights-progress.ts';

function terminalOf(isTTY: boolean) {
  let tell: (bundle: BundleName, status: EngineStatus) => void = () => {};
  const written: string[] = [];
  showWeights(
    {
      onProgress(listener) {
        tell = listener;
        return () => {};
      },
    },
    { isTTY, write: (text) => written.push(text) > 0 },
  );
  return { tell: (bundle: BundleName, status: EngineStatus) => tell(bundle, status), written };
}

it('shows on a terminal how far each download is, in one line that it writes over and removes', () => {
  const { tell, written } = terminalOf(true);
  tell('voice', { state: 'fetching', progress: 0.5, message: '' });
  tell('hearing', { state: 'fetching', progress: 0, message: '' });
  tell('voice', { state: 'ready', message: '' });
  tell('hearing', { state: 'failed', message: '' });
  expect(written).toEqual([
    `\r\x1b[KFetching: voice ${'█'.repeat(10)}${'░'.repeat(10)} 50 %`,
    `\r\x1b[KFetching: voice ${'█'.repeat(10)}${'░'.repeat(10)} 50 %   hearing ${'░'.repeat(20)} 0 %`,
    `\r\x1b[KFetching: hearing ${'░'.repeat(20)} 0 %`,
    '\r\x1b[K',
  ]);
});

it('says nothing where nobody watches, or when nothing is fetched', () => {
  const file = terminalOf(false);
  file.tell('voice', { state: 'fetching', progress: 0.5, message: '' });
  expect(file.written).toEqual([]);
  const terminal = terminalOf(true);
  terminal.tell('voice', { state: 'loading', message: '' });
  expect(terminal.written).toEqual([]);
});
