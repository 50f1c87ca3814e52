import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Whether certificates can be made on this machine. */
export const hasOpenssl = spawnSync('openssl', ['version']).status === 0;

/**
 * A test's own certificate authority, in a folder that the test removes. Its certificates are valid for a
 * day.
 */
export class Authority {
  readonly certificate: string;
  readonly #folder: string;
  readonly #key: string;
  #made = 0;

  constructor(folder: string, name = 'authority') {
    this.#folder = folder;
    this.certificate = join(folder, `${name}.crt`);
    this.#key = join(folder, `${name}.key`);
    openssl('req', '-x509', ...KEY, '-keyout', this.#key, '-out', this.certificate, '-subj', `/CN=${name}`);
  }

  /**
   * Makes a key and its certificate, replacing earlier ones of that name.
   * @param commonName a host name, or a PostgreSQL user
   * @returns their files
   */
  issue(name: string, commonName: string): { certificate: string; key: string } {
    const [key, request, certificate] = ['key', 'csr', 'crt'].map((end) =>
      join(this.#folder, `${name}.${end}`),
    );
    if (!key || !request || !certificate) throw new Error('There are three files.');
    const names = join(this.#folder, 'names.cnf');
    writeFileSync(names, `subjectAltName=DNS:${commonName}\n`);
    openssl('req', ...KEY, '-keyout', key, '-out', request, '-subj', `/CN=${commonName}`);
    openssl(
      ...['x509', '-req', '-in', request, '-out', certificate, '-days', '1', '-extfile', names],
      ...['-CA', this.certificate, '-CAkey', this.#key, '-set_serial', String(++this.#made)],
    );
    return { certificate, key };
  }
}

const KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '1'];

function openssl(...args: string[]): void {
  const { status, stderr } = spawnSync('openssl', args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`openssl ${args[0]} said: ${stderr}`);
}
