/**
 * How the embedded PostgreSQL starts: every commit waits for the disk (PGlite's own `-F` turns that off), with
 * small buffers, since the operating system caches the same files.
 * `fdatasync`, PostgreSQL's default on Linux, does nothing in PGlite's file system, so it must be `fsync`.
 * @param defaults PGlite's start parameters
 */
export function startParameters(defaults: readonly string[]): string[] {
  return [
    ...defaults.filter((parameter) => parameter !== '-F'),
    ...['wal_sync_method=fsync', 'shared_buffers=16MB'].flatMap((setting) => ['-c', setting]),
  ];
}
