// `npm run components`: checks that dependencies are as new as SECURITY.md promises. Asks the npm registry
// for known vulnerabilities of every installed package, and for the versions of direct dependencies. Exits
// with 1 if something is overdue, with 2 if the registry did not answer everything.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import registryFetch from 'npm-registry-fetch';
import { z } from 'zod';
import { type NpmSettings, readNpmSettings } from '#server/engines/weights/npm-client';
import { type Overdue, oldestNode, overdueFix, overdueVersion } from './components/overdue.ts';

const ASKED_AT_ONCE = 6;
const TIMEOUT_MS = 60_000;

const manifestSchema = z.object({
  engines: z.object({ node: z.string() }),
  dependencies: z.record(z.string(), z.string()),
});
const lockSchema = z.object({
  packages: z.record(z.string(), z.looseObject({ version: z.string(), dev: z.boolean().optional() })),
});
const publishedSchema = z.object({
  versions: z.record(
    z.string(),
    z.looseObject({ deprecated: z.unknown().optional(), engines: z.unknown().optional() }),
  ),
  time: z.record(z.string(), z.string()),
});
const advisoriesSchema = z.record(
  z.string(),
  z.array(
    z.object({
      title: z.string(),
      url: z.string(),
      severity: z.enum(['critical', 'high', 'moderate', 'low']),
      vulnerable_versions: z.string(),
    }),
  ),
);

const root = fileURLToPath(new URL('..', import.meta.url));
const read = (file: string): unknown => JSON.parse(readFileSync(join(root, file), 'utf8'));

const manifest = manifestSchema.parse(read('package.json'));
const installed = installedPackages();
const when = { node: oldestNode(manifest.engines.node), now: new Date() };
const npm = await readNpmSettings();

const unasked: string[] = [];
const overdue = [...(await lateVersions()), ...(await lateFixes())];
for (const { name, version, newer, dueAt, why } of overdue)
  console.log(`${name} ${version} → ${newer}, since ${dueAt.toISOString().slice(0, 10)}: ${why}`);
for (const complaint of unasked) console.log(complaint);
console.log(
  `${overdue.length} overdue of ${installed.size} packages, ${Object.keys(manifest.dependencies).length} of them named by Sigma itself.`,
);
process.exitCode = overdue.length > 0 ? 1 : unasked.length > 0 ? 2 : 0;

/** Every package of a production installation by name, with its versions. */
function installedPackages(): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  for (const [path, { version, dev }] of Object.entries(
    lockSchema.parse(read('package-lock.json')).packages,
  )) {
    const name = path.split('node_modules/').at(-1);
    if (!name || dev) continue;
    found.set(name, (found.get(name) ?? new Set()).add(version));
  }
  return found;
}

async function lateVersions(): Promise<Overdue[]> {
  const late = await eachOf(Object.entries(manifest.dependencies), async ([name, version]) => {
    const published = await publishedOf(name);
    return published && overdueVersion({ name, version }, published, when);
  });
  return late.filter((each) => each !== null);
}

async function lateFixes(): Promise<Overdue[]> {
  const body = Object.fromEntries([...installed].map(([name, versions]) => [name, [...versions]]));
  let known: z.infer<typeof advisoriesSchema>;
  try {
    known = advisoriesSchema.parse(
      await registryFetch.json('/-/npm/v1/security/advisories/bulk', {
        ...options(npm),
        method: 'POST',
        body,
      }),
    );
  } catch (error) {
    unasked.push(`Weaknesses could not be asked for: ${sentenceOf(error)}`);
    return [];
  }
  const late = await eachOf(Object.entries(known), async ([name, advisories]) => {
    const published = await publishedOf(name);
    if (!published) return [];
    return [...(installed.get(name) ?? [])].flatMap((version) =>
      advisories.flatMap((advisory) => overdueFix({ name, version }, published, advisory, when) ?? []),
    );
  });
  return late.flat();
}

async function publishedOf(name: string) {
  try {
    return publishedSchema.parse(await registryFetch.json(`/${name.replace('/', '%2f')}`, options(npm)));
  } catch (error) {
    unasked.push(`${name} could not be asked for: ${sentenceOf(error)}`);
    return null;
  }
}

function options(settings: NpmSettings) {
  return { ...settings, timeout: TIMEOUT_MS };
}

/** Does not print the registry's address, which may be private. */
function sentenceOf(error: unknown): string {
  if (error instanceof z.ZodError) return 'the registry answered something else';
  return (error instanceof Error ? error.message : String(error)).split(' - ')[0] ?? '';
}

/** Like `Promise.all`, a few at a time, since answers are large. */
async function eachOf<T, R>(items: readonly T[], ask: (item: T) => Promise<R>): Promise<R[]> {
  const answers: R[] = [];
  const left = items.entries();
  const work = async () => {
    for (const [index, item] of left) answers[index] = await ask(item);
  };
  await Promise.all(Array.from({ length: ASKED_AT_ONCE }, work));
  return answers;
}
