import type { AppParts } from '#server/app/app-parts';
import { callsFeature } from '#server/features/channels/page/socket';
import { guardFrontGate } from '#server/http/front-gate';
import { createHostCheck } from '#server/http/hosts';
import { strictTransport } from '#server/http/raw-refusal';
import { mustSetUpSecondFactor } from '#server/lib/principal';
import { attachRealtime } from '#server/realtime/server';
import { noMetrics } from '#server/telemetry/metrics';
import type { Calls } from './calls.ts';
import type { Http } from './http.ts';
import type { Security } from './security.ts';

/**
 * Attaches everything besides requests to the HTTP server: the real-time channel, the room server, and the gate in
 * front of all.
 */
export function openRealtime(
  { config, engines, logger, metrics = noMetrics }: AppParts,
  { authenticate, sessions, onForbidden, refusedAccess }: Security,
  { calls, speech, rooms }: Calls,
  { server, isAllowedOrigin, addressOf, limiter }: Http,
) {
  const { sharedState } = engines;
  const { publicUrl } = config;
  const realtime = attachRealtime({
    httpServer: server.server,
    authenticate: async (token) => {
      const principal = await authenticate(token);
      return principal && mustSetUpSecondFactor(principal) ? null : principal;
    },
    isAllowedOrigin,
    addressOf,
    features: [callsFeature(calls, speech)],
    limiter,
    adapter: sharedState.socketAdapter,
    log: logger,
    metrics,
    onForbidden,
  });
  sharedState.onMissed(() => {
    void realtime.recheckSessions();
    void rooms.recheckPeople();
  });
  // Links to recordings need no event: they depend on a number that the database raises when a session ends.
  sessions.onEnded((ended) => {
    realtime.disconnectSession(ended.sessionId);
    rooms.sessionEnded(ended);
  });
  const detachRooms = engines.rooms.attach?.(server.server, isAllowedOrigin, strictTransport(publicUrl));
  const leaveGate = guardFrontGate(server.server, {
    addressOf,
    isAllowedHost: createHostCheck({ publicUrl, allowedHosts: config.allowedHosts ?? [] }),
    isAllowedOrigin,
    limiter,
    log: logger,
    metrics,
    publicUrl,
    onRefused: (address, code) =>
      refusedAccess.note({ kind: 'front gate', actor: null, subject: `front gate: ${code}`, address }),
  });
  return {
    realtime,
    detach() {
      leaveGate();
      detachRooms?.();
    },
  };
}
