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
 * @throws an error with the code ENOTFOUND where it has none, EAI_AGAIN where nobody told in time; the signal's reason
 */
export type LookUp = (name: string, signal: AbortSignal) => Promise<FoundAddress[]>;

/** A name server that does not answer for so long is asked once more, in milliseconds. */
const ANSWER_MS = 1_500;
const TRIES = 2;
/** The longest wait for a name. */
const LOOK_UP_MS = 5_000;
/** Where addresses of one family are there, those of the other are waited for so long (RFC 8305, 3, says 50 ms). */
const OTHER_FAMILY_MS = 200;
const NONE = new Set(['ENOTFOUND', 'ENODATA', 'EBADNAME']);

/**
 * Looks names of the internet up by queries of its own, each over a socket: that of `dns.lookup` has two places for the whole
 * process, and a name whose servers do not answer holds one of them for up to a minute. The hosts file of this machine comes first;
 * search rules are not followed, since all that they lead to is inside.
 * @param servers other name servers than this machine's, for tests
 */
export const lookUpOutside =
  ({ servers, hostsFile }: { servers?: string[]; hostsFile?: string } = {}): LookUp =>
  async (name, signal) => {
    signal.throwIfAborted();
    // RFC 6761, 6.3: it is this machine, and no name server is asked.
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

/** As every program on this machine looks names up: by the hosts file, search rules and all. It cannot be called off. */
export const lookUpBySystem: LookUp = (name) => lookup(name, { all: true });

const found = (address: string): FoundAddress => ({ address, family: isIP(address) });

const failed = (code: string, cause?: unknown) =>
  Object.assign(new Error('The name has no address.', { cause }), { code });
