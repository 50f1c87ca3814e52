export function findChromium(): { path: string } | { path: null; reason: string };
export function makeScratch(): string;
type Postgres =
  | { url: string; stop: () => Promise<void>; restart: (() => Promise<void>) | null }
  | { url: null; reason: string };
export function startPostgres(scratch: string): Promise<Postgres>;
export function startOwnPostgres(
  scratch: string,
  prepare?: (data: string, owner: string | null) => string,
): Promise<Postgres>;
export function fetchNodeVersions(cache: string): { binaries: Record<string, string>; reason?: string };
export function installSmallModel(cache: string): { python: string } | { python: null; reason: string };
export function installPeers(cache: string): { python: string } | { python: null; reason: string };
export function buildLiveKit(cache: string): { path: string } | { path: null; reason: string };
