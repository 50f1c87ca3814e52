import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import { join } from 'node:path';

/**
 * The addresses that the hosts file of this machine names for a host, in its order; none where it names none.
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
