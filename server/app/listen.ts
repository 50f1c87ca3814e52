import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { codeOf } from '#server/lib/error-code';
import { StartError } from '#server/lib/start-error';

/**
 * Listens, and reports the page's address for a browser on this machine.
 * @param settings that set the address
 * @throws StartError when that address cannot be listened on
 */
export async function listen(
  server: FastifyInstance,
  host: string,
  port: number,
  settings?: { host: string; port: string },
): Promise<string> {
  try {
    // `localhost` would open a second listener, which the real-time channel does not serve.
    await server.listen({
      host: host === 'localhost' ? '127.0.0.1' : host,
      port,
      listenTextResolver: () => 'listening',
    });
  } catch (error) {
    throw cannotListen(error, host, port, settings);
  }
  const [address] = server.addresses();
  return typeof address === 'object' ? pageAddress(address) : `http://${host}:${port}`;
}

function pageAddress({ address, family, port }: AddressInfo): string {
  if (address === '0.0.0.0' || address === '::') return `http://127.0.0.1:${port}`;
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}

/** Why an address cannot be listened on, in one sentence. @param settings that set it */
export const cannotListen = (
  error: unknown,
  host: string,
  port: number,
  settings = { host: 'HOST', port: 'PORT' },
): StartError => new StartError(refusal(error, host, port, settings), { cause: error });

function refusal(
  error: unknown,
  host: string,
  port: number,
  settings: { host: string; port: string },
): string {
  const code = codeOf(error);
  switch (code) {
    case 'EADDRINUSE':
      return `Port ${port} is taken by another program: stop that one, or choose another port, as in ${settings.port}=${port === 65_535 ? 3000 : port + 1} npm start.`;
    case 'EACCES':
      return `Port ${port} may only be used by an administrator: choose one above 1023, as in ${settings.port}=3000 npm start.`;
    case 'EADDRNOTAVAIL':
      return `The setting ${settings.host}=${host} is wrong: this machine has no such address.`;
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `The setting ${settings.host}=${host} is wrong: no address is known under that name.`;
    default:
      return `Sigma cannot listen on ${host}, port ${port} (${code || 'unknown error'}).`;
  }
}
