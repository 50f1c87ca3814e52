// `npm run example-shop`: Sigma with a shop beside it, whose orders an agent looks up and refunds. It has data of its own, so
// that nothing of an installation is touched.
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as delay } from 'node:timers/promises';
import { makeRunnable, root } from '../../scripts/lib/prepare.js';
import { exampleActions, exampleAgent } from './agent.js';
import { createExampleShop } from './shop.js';

const SHOP = '127.0.0.1:4471';
const EMAIL = 'shop@example.com';
/** A first start builds its database. */
const READY_WITHIN_MS = 120_000;

await makeRunnable();
process.env.DATA_DIR ??= join(root, 'data-example');
// The shop's system is on this machine, where actions may not go unless a setting names it.
process.env.ACTIONS_PRIVATE_HOSTS = [process.env.ACTIONS_PRIVATE_HOSTS, SHOP].filter(Boolean).join(',');
await import('../../dist/server/app/main.js');
const { readConfig } = await import('../../dist/server/settings/config.js');
const { dataDir, port } = readConfig();
const server = `http://127.0.0.1:${port}`;

const { password, key } = keptSecrets();
const shop = createExampleShop(key).listen(4471, '127.0.0.1').unref();
await once(shop, 'listening');
await ready();
await furnish();
process.stdout.write(
  `Sign in at ${server} as ${EMAIL} with the password ${password}\n` +
    'Open Agents, call Robin of Copper Mill and say: "Where is my order 4471?", then "I want my money back for it."\n',
);

/** Gives the shop an account, and that an agent with actions for the shop's system, at the first start. */
async function furnish() {
  const account = { name: 'Shop Owner', email: EMAIL, password };
  const { token } =
    (await ask('/api/auth/register', { body: account })) ?? (await ask('/api/auth/login', { body: account }));
  const agents = await ask('/api/agents', { token });
  if (agents.some(({ companyName }) => companyName === exampleAgent.companyName)) return;
  const { _id } = await ask('/api/agents', { token, body: exampleAgent });
  for (const action of exampleActions(`http://${SHOP}`, key))
    await ask(`/api/agents/${_id}/actions`, { token, body: action });
}

/** @returns the answer's JSON; null where the request was refused */
async function ask(path, { token, body }) {
  const response = await fetch(server + path, {
    method: body ? 'POST' : 'GET',
    headers: {
      ...(body && { 'content-type': 'application/json' }),
      ...(token && { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify(body),
  });
  return response.ok ? await response.json() : null;
}

async function ready() {
  for (const until = Date.now() + READY_WITHIN_MS; Date.now() < until; await delay(250)) {
    const response = await fetch(`${server}/ready?for=text`).catch(() => null);
    if (response?.ok) return;
  }
  throw new Error('Sigma did not start.');
}

/** The account's password and the key of the shop's system; made at the first start, and kept. */
function keptSecrets() {
  const path = join(dataDir, 'example-shop.json');
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    const made = {
      password: randomBytes(9).toString('base64url'),
      key: randomBytes(24).toString('base64url'),
    };
    mkdirSync(dataDir, { recursive: true });
    writeFileSync(path, JSON.stringify(made), { mode: 0o600 });
    return made;
  }
}
