import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

/** Includes administrators' programs, even if the path does not. */
export const adminPath = [process.env.PATH, '/usr/sbin'].join(delimiter);
const env = { ...process.env, PATH: adminPath };

export const hasNginx = () => spawnSync('nginx', ['-v'], { env }).status === 0;

/**
 * Ports of the proxy and of the servers behind it: maps names in deploy/nginx/sigma.conf.template to ports of
 * this machine.
 */
interface ProxyPorts {
  page: number;
  speech: number;
  /** Like `web-1:3000`. */
  behind: Record<string, number>;
}

/**
 * Writes the proxy's configuration for this machine: without TLS, because there are no certificates.
 * @param scratch an empty folder for it
 * @returns the file
 */
export function writeProxyConfig(scratch: string, ports: ProxyPorts): string {
  const template = readFileSync(
    fileURLToPath(new URL('../../deploy/nginx/sigma.conf.template', import.meta.url)),
    'utf8',
  );
  const config = template
    .replace(/\$\{DOMAIN\}/g, 'localhost 127.0.0.1')
    .replace(/\$\{ROOMS_DOMAIN\}/g, 'rooms.localhost')
    .replace(/(?<=^\s+server )([\w-]+:\d+)/gm, (name) => `127.0.0.1:${ports.behind[name] ?? 9}`)
    .replace(/^\s*ssl_.*$/gm, '')
    .replace(/listen 443 ssl http2/g, `listen 127.0.0.1:${ports.page}`)
    .replace(/listen 3100/g, `listen 127.0.0.1:${ports.speech}`)
    .replaceAll('/var/log/nginx/', `${scratch}/`)
    // Remove the redirect from plain HTTP to TLS.
    .replace(/server \{\s+listen 80;[^}]*\}/, '');
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((kind) => `${kind}_temp_path ${scratch}/${kind};`)
    .join('\n');
  const file = join(scratch, 'nginx.conf');
  writeFileSync(
    file,
    [
      process.getuid?.() === 0 ? 'user root;' : '',
      `pid ${scratch}/nginx.pid;`,
      `error_log ${scratch}/error.log;`,
      'events {}',
      `http {\naccess_log off;\n${temporary}\n${config}\n}\n`,
    ].join('\n'),
  );
  return file;
}

/** @returns nginx's complaint about a configuration; empty if it accepts it */
export function nginxSaysOf(scratch: string, file: string): string {
  const { status, stderr } = spawnSync('nginx', ['-t', '-q', '-p', scratch, '-c', file], {
    encoding: 'utf8',
    env,
  });
  return status === 0 ? '' : stderr;
}

/** Starts nginx. @returns stops it */
export function startNginx(scratch: string, file: string): () => Promise<void> {
  const child = spawn('nginx', ['-p', scratch, '-c', file, '-g', 'daemon off;'], { env, stdio: 'ignore' });
  const ended = once(child, 'exit');
  return async () => {
    child.kill('SIGTERM');
    await ended;
  };
}
