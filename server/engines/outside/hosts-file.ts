import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import { join } from 'node:path';

/**
 * The addresses that this machine's hosts file gives for a host, in its order; empty if none.
 * @param path another file, for tests
 */
export async function addressesInHostsFile(host: string, path = hostsFile()): Promise<string[]> {
  const text = await readFile(path, 'utf8').catch(() => '');
  const wanted = host.toLowerCase().replace(/\.$/, '');
  return text.split('\n').flatMap((line) => {
    const [address = '', ...names] = line.replace(/#.*/, '').trim().split(/\s+/);
    return isIP(address) && names.some((name) => name.toLowerCase() === wanted) ? [address] : [];
  });
}

const hostsFile = () =>
  process.platform === 'win32' ? join('C:\\Windows', 'System32', 'drivers', 'etc', 'hosts') : '/etc/hosts';
