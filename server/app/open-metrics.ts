import type { Config } from '#server/settings/config';
import type { Metrics } from '#server/telemetry/metrics';

/** Counts from the first moment, and serves the counts. @param onEnd receives the function that ends it */
export async function openMetrics(
  { metrics: address, publicUrl, allowedHosts }: Pick<Config, 'metrics' | 'publicUrl' | 'allowedHosts'>,
  onEnd: (close: () => Promise<void>) => void,
): Promise<{ metrics?: Metrics }> {
  if (!address) return {};
  const [{ createPrometheus }, { serveMetrics }, { createHostCheck }] = await Promise.all([
    import('#server/telemetry/prometheus'),
    import('#server/app/metrics-server'),
    import('#server/http/hosts'),
  ]);
  const metrics = createPrometheus();
  const isAllowedHost = createHostCheck({ publicUrl, allowedHosts });
  const door = await serveMetrics(metrics, address.host, address.port, isAllowedHost);
  onEnd(async () => {
    await door.close();
    metrics.close();
  });
  return { metrics };
}
