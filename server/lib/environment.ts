/*
 * What the process was started with, and what of it others get: the only reader of `process.env`. It knows no setting, so that the process of
 * the native engines need not read them all to know what its threads get.
 */

/** Secrets that were taken out of the environment, by their names. */
const withheld: Record<string, string> = {};

/** What the process was started with, with what was withheld since. */
export const startedWith = (): NodeJS.ProcessEnv => ({ ...process.env, ...withheld });

/**
 * Takes these out of the environment: no library of this process, and none of the programs it starts, finds them there. Whoever
 * asks `startedWith` does. What the operating system keeps of a start (`/proc/<pid>/environ`) no program can take back.
 */
export function withhold(names: readonly string[]): void {
  for (const name of names) {
    const value = process.env[name];
    if (value === undefined) continue;
    withheld[name] = value;
    delete process.env[name];
  }
}

/** What code looks for that is no setting: where files and certificates lie, the language, proxies, and how memory is got. */
const FOR_ENGINES =
  /^(?:PATH|HOME|TMPDIR|TMP|TEMP|TZ|LANG|LC_\w+|SYSTEMROOT|WINDIR|LD_\w+|DYLD_\w+|SSL_CERT_(?:FILE|DIR)|NODE_EXTRA_CA_CERTS|(?:HTTPS?|ALL|NO)_PROXY|MALLOC_\w+|GLIBC_TUNABLES|OMP_\w+)$/i;

/** The environment of threads, and of processes that this one starts: no setting, and with them no secret. */
export const environmentOfEngines = (env: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv => ({
  // The C library of Linux else keeps memory for each thread: 70 MB of 750 once all engines run, and none is quicker for it.
  MALLOC_ARENA_MAX: '1',
  ...Object.fromEntries(Object.entries(env).filter(([name]) => FOR_ENGINES.test(name))),
  // Otherwise LiveKit's library writes debugging notes, and ONNX Runtime tells Microsoft how it is used.
  NODE_ENV: 'production',
  ORT_DISABLE_TELEMETRY: '1',
});

/** What libraries of this process are given for servers of their own: keys of Amazon, tokens of collectors, PostgreSQL's password. */
const FOR_LIBRARIES = /^(?:AWS_|OTEL_|PG[A-Z])/i;

/**
 * The environment of the npm client. An `.npmrc` may take its token from a variable of any name, so it gets whatever is left
 * of the environment but what is meant for others.
 */
export const environmentOfNpm = (env: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !FOR_LIBRARIES.test(name)));
