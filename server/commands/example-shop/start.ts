import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { readConfig } from '#server/settings/config';
import { say } from '../say.ts';
import { exampleActions, exampleAgent } from './agent.ts';
import { createExampleShop } from './shop.ts';

/** scripts/example-shop.js allows it. */
const PORT = 4471;
const EMAIL = 'shop@example.com';
/** A first start builds its database. */
const READY_WITHIN_MS = 120_000;

/** What the shop and its account are opened with; made at the first start, and kept. */
const secretsSchema = z.object({ password: z.string(), key: z.string() });
const signedInSchema = z.object({ token: z.string() });
const madeSchema = z.object({ _id: z.string() });
const listSchema = z.array(z.looseObject({ _id: z.string(), companyName: z.string() }));

/** Starts a shop's own system beside the server that runs in this process, and gives that an agent with actions for it. */
async function startExampleShop(): Promise<string> {
  const { dataDir, port } = readConfig();
  const secrets = await keptSecrets(dataDir);
  const shop = createExampleShop(secrets.key);
  shop.listen(PORT, '127.0.0.1').unref();
  await once(shop, 'listening');
  return furnish(`http://127.0.0.1:${port}`, `http://127.0.0.1:${PORT}`, secrets);
}

/** @returns what to read next, for whoever started it */
async function furnish(
  server: string,
  shop: string,
  { password, key }: z.infer<typeof secretsSchema>,
): Promise<string> {
  await ready(server);
  const account = { name: 'Shop Owner', email: EMAIL, password };
  const signIn =
    (await post(server, '/api/auth/register', account)) ?? (await post(server, '/api/auth/login', account));
  const { token } = signedInSchema.parse(signIn);
  const agents = listSchema.parse(
    await ask(server, '/api/agents', { headers: { authorization: `Bearer ${token}` } }),
  );
  if (!agents.some(({ companyName }) => companyName === exampleAgent.companyName)) {
    const { _id } = madeSchema.parse(await post(server, '/api/agents', exampleAgent, token));
    for (const action of exampleActions(shop, key))
      madeSchema.parse(await post(server, `/api/agents/${_id}/actions`, action, token));
  }
  return [
    `Sign in at ${server} as ${EMAIL} with the password ${password}`,
    'Open Agents, call Robin of Copper Mill and say: "Where is my order 4471?", then "I want my money back for it."',
  ].join('\n');
}

async function ready(server: string): Promise<void> {
  const until = Date.now() + READY_WITHIN_MS;
  while (Date.now() < until) {
    const isReady = await fetch(`${server}/ready?for=text`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isReady) return;
    await delay(250);
  }
  throw new Error('Sigma did not start.');
}

/** Null where the request was refused. */
const post = (server: string, path: string, body: object, token?: string) =>
  ask(server, path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) },
    body: JSON.stringify(body),
  });

async function ask(server: string, path: string, init: RequestInit): Promise<unknown> {
  const response = await fetch(`${server}${path}`, init);
  return response.ok ? await response.json() : null;
}

async function keptSecrets(dataDir: string): Promise<z.infer<typeof secretsSchema>> {
  const path = join(dataDir, 'example-shop.json');
  try {
    return secretsSchema.parse(JSON.parse(await readFile(path, 'utf8')));
  } catch {
    const made = {
      password: randomBytes(9).toString('base64url'),
      key: randomBytes(24).toString('base64url'),
    };
    await mkdir(dataDir, { recursive: true });
    await writeFile(path, JSON.stringify(made), { mode: 0o600 });
    return made;
  }
}

await say(startExampleShop);
