import { lookup, Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';
import { codeOf } from '#server/lib/error-code';
import { timeLimit, within } from '#server/lib/wait';
import { addressesInHostsFile } from './hosts-file.ts';

export interface FoundAddress {
  address: string;
  family: number;
}

/**
 * The addresses of a name.
 * @throws an error with code ENOTFOUND if it has none, EAI_AGAIN on a timeout; the signal's reason
 */
export type LookUp = (name: string, signal: AbortSignal) => Promise<FoundAddress[]>;

/** Milliseconds after which a silent name server is asked once more. */
const ANSWER_MS = 1_500;
const TRIES = 2;
/** Longest wait for a name, in milliseconds. */
const LOOK_UP_MS = 5_000;
/** Once one address family is known, wait this long for the other (RFC 8305, 3, says 50 ms). */
const OTHER_FAMILY_MS = 200;
const NONE = new Set(['ENOTFOUND', 'ENODATA', 'EBADNAME']);

/**
 * Resolves public names by queries of its own, each on its own socket. `dns.lookup` has two places for the
 * whole process, and a name whose servers are silent holds one for up to a minute. This machine's hosts file
 * comes first; search domains are ignored, because they lead only to internal hosts.
 * @param servers other name servers than this machine's, for tests
 */
export const lookUpOutside =
  ({ servers, hostsFile }: { servers?: string[]; hostsFile?: string } = {}): LookUp =>
  async (name, signal) => {
    signal.throwIfAborted();
    // RFC 6761, 6.3: localhost is this machine; no name server is asked.
    if (/(?:^|\.)localhost\.?$/i.test(name)) return ['127.0.0.1', '::1'].map(found);
    const listed = await addressesInHostsFile(name, hostsFile);
    if (listed.length > 0) return listed.map(found);

    const resolver = new Resolver({ timeout: ANSWER_MS, tries: TRIES });
    if (servers) resolver.setServers(servers);
    const ends = AbortSignal.any([signal, timeLimit(LOOK_UP_MS)]);
    const cancel = () => resolver.cancel();
    ends.addEventListener('abort', cancel, { once: true });
    const addresses: FoundAddress[] = [];
    let problem: unknown;
    const answers = [resolver.resolve4(name), resolver.resolve6(name)].map((answer) =>
      answer.then(
        (each) => addresses.push(...each.map(found)),
        (error: unknown) => {
          if (!NONE.has(codeOf(error))) problem ??= error;
        },
      ),
    );
    try {
      await Promise.race(answers);
      await (addresses.length > 0 ? within(OTHER_FAMILY_MS, Promise.all(answers)) : Promise.all(answers));
    } finally {
      ends.removeEventListener('abort', cancel);
      resolver.cancel();
    }
    signal.throwIfAborted();
    if (addresses.length > 0) return addresses.sort((one, other) => one.family - other.family);
    throw problem ? failed('EAI_AGAIN', problem) : failed('ENOTFOUND');
  };

/** Resolves as other programs on this machine do: hosts file, search domains and all. Cannot be cancelled. */
export const lookUpBySystem: LookUp = (name) => lookup(name, { all: true });

const found = (address: string): FoundAddress => ({ address, family: isIP(address) });

const failed = (code: string, cause?: unknown) =>
  Object.assign(new Error('The name has no address.', { cause }), { code });
