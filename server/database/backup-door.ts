import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { chmod, rm } from 'node:fs/promises';
import { createConnection, createServer, type Socket } from 'node:net';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import type { Logger } from '#server/telemetry/logger';
import type { Upkeep } from './embedded/maintenance.ts';

/*
 * A backup of a running server works like PostgreSQL's own base backups: between `pg_backup_start` and
 * `pg_backup_stop` the files are copied while they are written, and the write-ahead log of that time repairs
 * the copy when it is opened. The backup's own process copies; the server only starts and ends the backup,
 * over a local socket that reveals no data.
 */

/**
 * The socket's address: in the data directory, which belongs to its owner, or on Windows a name derived from
 * it.
 */
const backupDoorOf = (dataDir: string): string =>
  process.platform === 'win32'
    ? `\\\\.\\pipe\\sigma-backup-${createHash('sha256').update(resolve(dataDir)).digest('hex').slice(0, 32)}`
    : join(resolve(dataDir), BACKUP_DOOR);

export const BACKUP_DOOR = 'backup.sock';

const begun = z.object({ begun: z.literal(true) });
const ended = z.object({ label: z.string() });
const refused = z.object({ refused: z.string() });

interface Queries {
  query(sql: string): Promise<{ rows: unknown[] }>;
}

interface DoorOptions {
  dataDir: string;
  database: Queries;
  upkeep: Pick<Upkeep, 'rest'>;
  logger: Logger | undefined;
}

/** Allows backups while the database is open. Does nothing if the system cannot create the socket. */
export async function openBackupDoor(options: DoorOptions): Promise<{ close(): Promise<void> }> {
  const { dataDir, logger } = options;
  const path = backupDoorOf(dataDir);
  const sockets = new Map<Socket, Promise<void>>();
  const server = createServer((socket) => {
    socket.on('error', () => socket.destroy());
    if (sockets.size > 0) return void socket.end(line({ refused: 'Another backup is just being made.' }));
    const served = serveBackup(socket, options)
      .catch((error: unknown) => {
        logger?.error({ err: error }, 'a backup failed');
        socket.end(line({ refused: 'The database could not be backed up: see the log of the server.' }));
      })
      .finally(() => sockets.delete(socket));
    sockets.set(socket, served);
  });
  try {
    // Left by a killed process; the directory lock is ours.
    if (process.platform !== 'win32') await rm(path, { force: true });
    server.listen(path);
    await once(server, 'listening');
    if (process.platform !== 'win32') await chmod(path, 0o600);
  } catch (error) {
    logger?.warn({ err: error }, 'backups can only be made while the server is stopped');
  }
  server.unref();
  server.on('error', (error) => logger?.warn({ err: error }, 'the backup socket failed'));
  return {
    async close() {
      const closed = server.listening ? once(server, 'close') : null;
      server.close();
      for (const socket of sockets.keys()) socket.destroy();
      await Promise.all(sockets.values());
      await closed;
    },
  };
}

/** One backup: from its connection to its end, no checkpoint removes log files that it needs. */
async function serveBackup(socket: Socket, { database, upkeep }: DoorOptions): Promise<void> {
  const gone = new Promise<void>((done) => socket.once('close', done));
  await upkeep.rest(gone);
  await database.query("select pg_backup_start('sigma', true)");
  socket.write(line({ begun: true }));
  await Promise.race([once(socket, 'data').catch(() => {}), gone]);
  const { rows } = await database.query('select labelfile as label from pg_backup_stop(false)');
  if (!socket.destroyed) socket.write(line(z.tuple([ended]).parse(rows)[0]));
  await gone;
}

const line = (answer: object) => `${JSON.stringify(answer)}\n`;

/** A backup in progress on a running server. */
export interface RunningBackup {
  /**
   * Call after the files are copied. @returns the label needed to open them; the log written so far belongs
   * to the backup
   */
  finish(): Promise<string>;
  /** Call after the log is copied. */
  close(): void;
}

/** The server refused or ended meanwhile; the message is a sentence. */
export class BackupRefused extends Error {
  override readonly name = 'BackupRefused';
}

/**
 * Asks the server that runs with this data directory for a backup.
 * @returns null if no server can be asked
 * @throws BackupRefused
 */
export async function beginBackup(dataDir: string): Promise<RunningBackup | null> {
  const socket = createConnection(backupDoorOf(dataDir));
  try {
    await once(socket, 'connect');
  } catch {
    return null;
  }
  // Later errors end the stream of lines, where they are noticed.
  socket.on('error', () => socket.destroy());
  const lines = createInterface({ input: socket, crlfDelay: Number.POSITIVE_INFINITY })[
    Symbol.asyncIterator
  ]();
  const answer = async <T>(schema: z.ZodType<T>): Promise<T> => {
    const { value, done } = await lines.next();
    if (done) throw new BackupRefused('Sigma ended while the backup was being made: run it again.');
    const parsed: unknown = JSON.parse(value);
    const no = refused.safeParse(parsed);
    if (no.success) throw new BackupRefused(no.data.refused);
    return schema.parse(parsed);
  };
  try {
    await answer(begun);
  } catch (error) {
    socket.destroy();
    throw error;
  }
  return {
    async finish() {
      socket.write('finish\n');
      return (await answer(ended)).label;
    },
    close: () => void socket.destroy(),
  };
}
