/*
 * The only reader of `process.env`: the process's environment, and the parts that others get. It knows no
 * settings, so that the process of native engines need not load them all.
 */

/** Secrets that were removed from the environment, by name. */
const withheld: Record<string, string> = {};

/** The original environment, including removed secrets. */
export const startedWith = (): NodeJS.ProcessEnv => ({ ...process.env, ...withheld });

/**
 * Removes these variables from the environment, so that no library or child process finds them; `startedWith`
 * still has them. The operating system's copy (`/proc/<pid>/environ`) cannot be removed.
 */
export function withhold(names: readonly string[]): void {
  for (const name of names) {
    const value = process.env[name];
    if (value === undefined) continue;
    withheld[name] = value;
    delete process.env[name];
  }
}

/**
 * Variables that are not settings but that code needs: locations of files and certificates, language,
 * proxies, memory allocation.
 */
const FOR_ENGINES =
  /^(?:PATH|HOME|TMPDIR|TMP|TEMP|TZ|LANG|LC_\w+|SYSTEMROOT|WINDIR|LD_\w+|DYLD_\w+|SSL_CERT_(?:FILE|DIR)|NODE_EXTRA_CA_CERTS|(?:HTTPS?|ALL|NO)_PROXY|MALLOC_\w+|GLIBC_TUNABLES|OMP_\w+)$/i;

/** The environment for threads and child processes: no settings, and so no secrets. */
export const environmentOfEngines = (env: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv => ({
  // Otherwise Linux's C library keeps memory for each thread: 70 MB of 750 once all engines run, and none is
  // faster for it.
  MALLOC_ARENA_MAX: '1',
  ...Object.fromEntries(Object.entries(env).filter(([name]) => FOR_ENGINES.test(name))),
  // Otherwise LiveKit's library logs debugging notes, and ONNX Runtime sends usage data to Microsoft.
  NODE_ENV: 'production',
  ORT_DISABLE_TELEMETRY: '1',
});

/**
 * Variables that libraries read for servers of their own: Amazon's keys, collectors' tokens, PostgreSQL's
 * password.
 */
const FOR_LIBRARIES = /^(?:AWS_|OTEL_|PG[A-Z])/i;

/**
 * The environment for the npm client. An `.npmrc` may take its token from a variable of any name, so it gets
 * everything except variables meant for others.
 */
export const environmentOfNpm = (env: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !FOR_LIBRARIES.test(name)));
