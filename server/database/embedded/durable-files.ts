import { fsyncSync, renameSync } from 'node:fs';
import { NodeFS } from '@electric-sql/pglite/nodefs';
import { codeOf } from '#server/lib/error-code';

type Init = NodeFS['init'];

/** The parts of Emscripten's NODEFS that are patched; they have no published types. */
interface FileNode {
  name: string;
}
interface NodeFileSystem {
  realPath(node: FileNode): string;
  stream_ops: { fsync?: (stream: { nfd?: number }) => number };
  node_ops: { rename: (node: FileNode, directory: FileNode, name: string) => void };
}
/** By hand: zod would cost the database's thread 13 MB and a tenth of a second. */
const isFileSystem = (value: unknown): value is NodeFileSystem =>
  isObject(value) &&
  'realPath' in value &&
  typeof value.realPath === 'function' &&
  'stream_ops' in value &&
  isObject(value.stream_ops) &&
  'node_ops' in value &&
  isObject(value.node_ops) &&
  'rename' in value.node_ops &&
  typeof value.node_ops.rename === 'function';
const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** WASI's number for "bad file descriptor", which PostgreSQL tolerates when it syncs a directory. */
const EBADF = 8;

interface DurableFileEvents {
  /** Called after every successful fsync; tests count them. */
  onSync(): void;
  /** The disk refused an fsync: data written since the last one may be lost, so nothing may continue. */
  onSyncFailed(error: unknown): never;
}

/**
 * The files of the embedded PostgreSQL, with two guarantees that its stock file system lacks: an fsync
 * reaches the disk, and a rename replaces its target atomically, so that a process killed meanwhile leaves
 * either the old file or the new one. Installed before the first file is opened, so crash recovery is
 * durable, too.
 */
export class DurableFiles extends NodeFS {
  readonly #events: DurableFileEvents;

  constructor(directory: string, events: DurableFileEvents) {
    super(directory);
    this.#events = events;
  }

  override async init(...args: Parameters<Init>): ReturnType<Init> {
    const { emscriptenOpts } = await super.init(...args);
    return {
      emscriptenOpts: {
        ...emscriptenOpts,
        preRun: [(module) => this.#mend(module.FS.filesystems.NODEFS), ...(emscriptenOpts.preRun ?? [])],
      },
    };
  }

  #mend(files: unknown): void {
    if (!isFileSystem(files)) throw new Error('The embedded database has an unknown file system.');
    files.stream_ops.fsync = (stream) => {
      if (stream.nfd === undefined) return EBADF;
      try {
        fsyncSync(stream.nfd);
      } catch (error) {
        // Some systems refuse to sync a directory.
        const code = codeOf(error);
        if (code === 'EPERM' || code === 'EINVAL' || code === 'EBADF') return EBADF;
        this.#events.onSyncFailed(error);
      }
      this.#events.onSync();
      return 0;
    };
    const unlinkThenRename = files.node_ops.rename;
    files.node_ops.rename = (node, directory, name) => {
      try {
        renameSync(files.realPath(node), `${files.realPath(directory)}/${name}`);
        node.name = name;
      } catch {
        // Windows cannot replace an open file: use the two steps of the stock file system.
        unlinkThenRename(node, directory, name);
      }
    };
  }
}
