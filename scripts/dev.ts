// `npm run dev`: the server from its sources, restarted at every change, behind the page with hot reload.
import { type ChildProcess, spawn } from 'node:child_process';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { createServer } from 'vite';

const root = fileURLToPath(new URL('..', import.meta.url));
const port = process.env.PORT ?? '3000';
process.env.SIGMA_DEV_SERVER = `http://127.0.0.1:${port}`;

const page = await createServer({ configFile: `${root}/vite.config.ts` });
await page.listen();
const pageUrl = page.resolvedUrls?.local[0] ?? 'http://localhost:5173/';

const server: ChildProcess = spawn(
  process.execPath,
  [
    '--watch',
    '--watch-preserve-output',
    '--conditions=sigma-source',
    '--import',
    'tsx',
    'server/app/main.ts',
  ],
  {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, PORT: port, CORS_ORIGINS: process.env.CORS_ORIGINS ?? new URL(pageUrl).origin },
  },
);
console.log(`The page with hot reload is at ${pageUrl} (its API: ${process.env.SIGMA_DEV_SERVER}).`);

let stopping = false;
async function stop(code: number): Promise<void> {
  if (stopping) return;
  stopping = true;
  server.kill('SIGTERM');
  await page.close();
  process.exitCode = code;
}
server.once('exit', (code) => void stop(code ?? 0));
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void stop(0));
