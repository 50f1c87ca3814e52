import type { Config } from './config.ts';
import type { Metrics } from './metrics.ts';

/** Counts from the first moment on, and shows what is counted. @param onEnd given what ends it */
export async function openMetrics(
  address: Config['metrics'],
  onEnd: (close: () => Promise<void>) => void,
): Promise<{ metrics?: Metrics }> {
  if (!address) return {};
  const [{ createPrometheus }, { serveMetrics }] = await Promise.all([
    import('#server/telemetry/prometheus'),
    import('#server/metrics-server'),
  ]);
  const metrics = createPrometheus();
  const door = await serveMetrics(metrics, address.host, address.port);
  onEnd(async () => {
    await door.close();
    metrics.close();
  });
  return { metrics };
}
