import { createClient } from 'redis';
import { refusalOf } from './redis-server.ts';

/** Interval at which seats are renewed and the server is checked: one missed beat costs no seat. */
export const BEAT_MS = 1_000;
/** A connection that is silent for this long is broken; it is pinged each beat. */
const SILENT_MS = 4 * BEAT_MS;
export const CONNECT_MS = 5_000;

/** The server's address, with the password for new connections. */
export interface Address {
  url: string;
}

/** @param reconnectStrategy as in the client's own options */
export function connectionTo(
  address: Address,
  reconnectStrategy: (retries: number, cause: Error) => number | false,
) {
  try {
    const place = new URL(address.url);
    place.username = '';
    place.password = '';
    return createClient({
      url: place.href,
      credentialsProvider: {
        type: 'async-credentials-provider',
        credentials: async () => credentialsIn(address),
      },
      RESP: 2,
      name: 'sigma',
      disableOfflineQueue: true,
      pingInterval: BEAT_MS,
      socket: { connectTimeout: CONNECT_MS, socketTimeout: SILENT_MS, reconnectStrategy },
    });
  } catch (error) {
    throw refusalOf(address.url, error);
  }
}

function credentialsIn({ url }: Address): { username?: string; password?: string } {
  const { username, password } = new URL(url);
  return {
    ...(username ? { username: decodeURIComponent(username) } : {}),
    ...(password ? { password: decodeURIComponent(password) } : {}),
  };
}
