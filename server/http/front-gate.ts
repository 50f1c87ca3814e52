import { createHash } from 'node:crypto';
import type { Server as HttpServer, IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { appErrorOf } from '#server/lib/app-error-of';
import { forbidden, notFound } from '#server/lib/errors';
import { limitNetworks, type NetworkLimits } from '#server/lib/network-limits';
import { type LimiterFactory, take } from '#server/lib/rate-limits';
import type { Logger } from '#server/telemetry/logger';
import { type Metrics, noMetrics } from '#server/telemetry/metrics';
import type { AddressOf } from './client-address.ts';
import type { IsAllowedHost } from './hosts.ts';
import { normalPath, notNormal } from './normal-path.ts';
import { EXPOSED_HEADERS, type IsAllowedOrigin } from './origins.ts';
import { bareHeaders, endWith, type RawRefusal, rawRefusal, strictTransport } from './raw-refusal.ts';
import { isApi } from './session.ts';

/**
 * Requests per address and minute; the wider networks of IPv6 may make more (`network-limits.ts`). Far above
 * an office behind one address, far below what does harm: a page loads some 40 files, and a client without
 * WebSockets requests `channel` for each packet.
 */
const PER_MINUTE = { api: 1_200, page: 6_000, health: 600, channel: 6_000, rooms: 600 };
type Door = keyof typeof PER_MINUTE;
const BARE_DOORS: readonly Door[] = ['channel', 'rooms'];
const WINDOW_S = 60;
/** Refusals that no page or program of ours causes, so they are reported to the operator. */
const TOLD = new Set([400, 403, 429]);
/** A room token belongs to one account and room; the route that issues them limits tokens per account. */
const PER_ROOM_TOKEN = 60;

interface GateOptions {
  addressOf: AddressOf;
  isAllowedHost: IsAllowedHost;
  isAllowedOrigin: IsAllowedOrigin;
  /** Counters; null: nothing is counted. */
  limiter: LimiterFactory | null;
  log: Pick<Logger, 'debug' | 'error'>;
  metrics?: Metrics;
  /** The address under which customers reach the server. */
  publicUrl: string | null;
  /** Called with a refused address and the error's code. */
  onRefused?: (address: string, code: string) => void;
}

/**
 * Checks every request and upgrade first, whichever part serves it: the address must be in normal form, the
 * host ours, and the sender within limits. Behind it, signed-in requests are counted by account. Call it
 * after all other listeners were added.
 * @returns removes the gate
 */
export function guardFrontGate(server: HttpServer, options: GateOptions): () => void {
  const { addressOf, isAllowedHost, isAllowedOrigin, limiter, log, metrics = noMetrics, onRefused } = options;
  const transport = strictTransport(options.publicUrl);
  const bare = Object.entries({ ...bareHeaders, ...transport });
  const limits = new Map<string, NetworkLimits>();
  for (const [door, count] of Object.entries(PER_MINUTE))
    if (limiter) limits.set(door, limitNetworks(limiter, `address-${door}`, { count, windowS: WINDOW_S }));

  const tokens = limiter?.('room-token', { count: PER_ROOM_TOKEN, windowS: WINDOW_S });

  async function refusalOf(request: IncomingMessage, isUpgrade: boolean): Promise<RawRefusal | null> {
    const isForeign = !isAllowedHost(request.headers.host);
    try {
      const path = normalPath(request.url);
      const door = path === null ? 'page' : doorOf(path);
      if (path !== null && isForeign) throw unknownHost();
      await limits.get(door)?.take(addressOf(request));
      if (path === null) throw notNormal();
      const token = door === 'rooms' ? roomToken(request) : null;
      if (tokens && token !== null) await take(tokens, token);
      const isServed = door === 'channel' ? isChannelMethod(request) : door === 'rooms' || !isUpgrade;
      if (!isServed) throw notFound();
      return null;
    } catch (error) {
      const refusal = appErrorOf(error);
      metrics.refused('front gate', refusal.code);
      if (refusal.status >= 500) log.error({ err: error }, 'the front gate failed');
      else log.debug({ status: refusal.status }, 'refused at the front gate');
      if (TOLD.has(refusal.status)) onRefused?.(addressOf(request), refusal.code);
      // With a foreign host, that host's own page would count as same-origin.
      const cors = isForeign ? {} : corsHeaders(request, isAllowedOrigin);
      return rawRefusal(refusal, { ...transport, ...cors });
    }
  }

  const inner = { request: server.listeners('request'), upgrade: server.listeners('upgrade') };
  const passOn = (event: keyof typeof inner, args: unknown[]) => {
    for (const listener of inner[event]) Reflect.apply(listener, server, args);
  };
  const onRequest = async (request: IncomingMessage, response: ServerResponse) => {
    const refusal = await refusalOf(request, false);
    if (!refusal) {
      // These doors add no security headers themselves.
      if (BARE_DOORS.includes(doorOf(normalPath(request.url) ?? '')))
        for (const [name, value] of bare) response.setHeader(name, value);
      passOn('request', [request, response]);
    } else response.writeHead(refusal.status, refusal.headers).end(refusal.body);
  };
  const onUpgrade = async (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const ignore = () => socket.destroy();
    socket.on('error', ignore);
    const refusal = await refusalOf(request, true);
    socket.off('error', ignore);
    if (!refusal) passOn('upgrade', [request, socket, head]);
    else endWith(socket.on('error', ignore), refusal);
  };

  for (const event of ['request', 'upgrade'] as const) server.removeAllListeners(event);
  server.on('request', onRequest);
  server.on('upgrade', onUpgrade);
  return () => {
    server.off('request', onRequest);
    server.off('upgrade', onUpgrade);
    for (const event of ['request', 'upgrade'] as const)
      for (const listener of inner[event])
        server.on(event, (...args) => Reflect.apply(listener, server, args));
  };
}

/** @param path in normal form, so that no other spelling leads to the same door */
function doorOf(path: string): Door {
  if (isApi(path)) return 'api';
  if (path.startsWith('/socket.io/')) return 'channel';
  if (/^\/(?:rtc|twirp)(?:\/|$)/.test(path)) return 'rooms';
  return /^\/(?:health|ready)$/.test(path) ? 'health' : 'page';
}

/** Identifies a room token independently of the connection's address; null without one. */
function roomToken({ url = '' }: IncomingMessage): string | null {
  const token = new URLSearchParams(url.split('?')[1]).get('access_token');
  return token ? createHash('sha256').update(token).digest('base64url') : null;
}

/** Methods other than poll, packet and preflight; the channel itself would answer them with a bare 500. */
const isChannelMethod = ({ method = '' }: IncomingMessage) => ['GET', 'POST', 'OPTIONS'].includes(method);

const unknownHost = () => forbidden('common.host-unknown');

/** Lets a page of an allowed origin read why it was refused. */
function corsHeaders({ headers }: IncomingMessage, isAllowedOrigin: IsAllowedOrigin): Record<string, string> {
  const { origin, host } = headers;
  if (origin === undefined || !isAllowedOrigin(origin, host)) return {};
  return {
    'access-control-allow-origin': origin,
    'access-control-expose-headers': EXPOSED_HEADERS.join(', '),
    vary: 'Origin',
  };
}
