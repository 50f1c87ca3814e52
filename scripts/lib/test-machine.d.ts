export function findChromium(): { path: string } | { path: null; reason: string };
export function startPostgres(
  scratch: string,
): Promise<{ url: string; stop: () => Promise<void> } | { url: null; reason: string }>;
export function fetchNodeVersions(cache: string): { binaries: Record<string, string>; reason?: string };
