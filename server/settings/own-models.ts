/*
 * Language models that run on the server's own machine: open models as files, and builds of llama.cpp, which
 * runs them, for each platform. None of it is part of the program: it is fetched when an owner asks for it,
 * by exact revision and checksum. Sizes and checksums are those stated by Hugging Face and GitHub; several
 * public projects that pin the same files have the same.
 */

/** A file in the list, and its publisher. */
interface Published {
  url: string;
  bytes: number;
  /** Hexadecimal. */
  sha256: string;
}

export interface ListedModel extends Published {
  /** Its value of the setting LLM_OWN_MODEL. */
  id: string;
  name: string;
  license: string;
  /** How it differs from the others, in one sentence. */
  about: string;
  /** Active weights per token, in billions, which determine its speed. */
  activeBillions: number;
  /** Bytes of memory per token of context: two times layers, key heads, their width, two bytes each. */
  bytesPerToken: number;
}

const HUGGING_FACE = 'https://huggingface.co';

/** From smallest to largest. Four bits per weight. */
export const listedModels: readonly ListedModel[] = [
  {
    id: 'qwen2.5-1.5b',
    name: 'Qwen2.5 1.5B Instruct',
    license: 'Apache-2.0',
    about: '1.5 billion weights: the least memory, and the simplest answers.',
    url: `${HUGGING_FACE}/Qwen/Qwen2.5-1.5B-Instruct-GGUF/resolve/91cad51170dc346986eccefdc2dd33a9da36ead9/qwen2.5-1.5b-instruct-q4_k_m.gguf`,
    bytes: 1_117_320_736,
    sha256: '6a1a2eb6d15622bf3c96857206351ba97e1af16c30d7a74ee38970e434e9407e',
    activeBillions: 1.5,
    bytesPerToken: 2 * 28 * 2 * 128 * 2,
  },
  {
    id: 'qwen3-4b',
    name: 'Qwen3 4B Instruct 2507',
    license: 'Apache-2.0',
    about: '4 billion weights, and many languages.',
    url: `${HUGGING_FACE}/bartowski/Qwen_Qwen3-4B-Instruct-2507-GGUF/resolve/ae44f08e1392f39c0e474af10c3ff8355c8b6688/Qwen_Qwen3-4B-Instruct-2507-Q4_K_M.gguf`,
    bytes: 2_497_280_736,
    sha256: '2fde00ce69dd4899c70d020845e2638353015bba0fdf161b3eb965f2bca4464e',
    activeBillions: 4,
    bytesPerToken: 2 * 36 * 8 * 128 * 2,
  },
  {
    id: 'qwen3-8b',
    name: 'Qwen3 8B',
    license: 'Apache-2.0',
    about: '8 billion weights, and many languages. It is told not to think before it speaks.',
    url: `${HUGGING_FACE}/Qwen/Qwen3-8B-GGUF/resolve/7c41481f57cb95916b40956ab2f0b139b296d974/Qwen3-8B-Q4_K_M.gguf`,
    bytes: 5_027_783_488,
    sha256: 'd98cdcbd03e17ce47681435b5150e34c1417f50b5c0019dd560e4882c5745785',
    activeBillions: 8.2,
    bytesPerToken: 2 * 36 * 8 * 128 * 2,
  },
  {
    id: 'qwen3-30b',
    name: 'Qwen3 30B-A3B Instruct 2507',
    license: 'Apache-2.0',
    about: '30 billion weights, of which each word needs a tenth: quick for its size, with much memory.',
    url: `${HUGGING_FACE}/bartowski/Qwen_Qwen3-30B-A3B-Instruct-2507-GGUF/resolve/6c6e8692f43e4ca663f7ece8229a1361090d3a4c/Qwen_Qwen3-30B-A3B-Instruct-2507-Q4_K_M.gguf`,
    bytes: 18_632_183_808,
    sha256: '382b4f5a164d200f93790ee0e339fae12852896d23485cfb203ce868fea33a95',
    activeBillions: 3.3,
    bytesPerToken: 2 * 48 * 4 * 128 * 2,
  },
];

/** The build of llama.cpp: 0.5.0 of 2026-09-23. */
export const LLAMA_BUILD = 'b11146';
const built = (name: string, bytes: number, sha256: string): Published => ({
  url: `https://github.com/ggml-org/llama.cpp/releases/download/${LLAMA_BUILD}/llama-${LLAMA_BUILD}-bin-${name}`,
  bytes,
  sha256,
});

/** By platform and architecture, as named by Node.js. The macOS builds use the GPU, the others the CPU. */
export const llamaBuilds: Readonly<Record<string, Published>> = {
  'linux-x64': built(
    'ubuntu-x64.tar.gz',
    16_998_357,
    'c150306eb16b5ab696f76a8bdf810c35fd98a24e82158742e6fa28f420ff8410',
  ),
  'linux-arm64': built(
    'ubuntu-arm64.tar.gz',
    13_598_346,
    '4aeda6fe68831547e49b7fa87607383ca5352b3d72ca5f70d52ed265f58c131f',
  ),
  'darwin-arm64': built(
    'macos-arm64.tar.gz',
    11_189_714,
    '1ad3f9eff80edb9dbef4259ad564d1720612ef7eea48fa4afed0e54f5f3d5711',
  ),
  'darwin-x64': built(
    'macos-x64.tar.gz',
    11_237_237,
    '305f0e3a17d2c01eb205cd0a62128357f1ec3b55329cb084d94e5ec0115d7a3b',
  ),
  'win32-x64': built(
    'win-cpu-x64.zip',
    18_560_055,
    '14cf1303ca9ac3abd94816850532f9f9a69ac66fbaca3776fc6f9061c2fac1d1',
  ),
};

const FILE = /^[^/\\]+\.gguf$/i;

/**
 * Values of LLM_OWN_MODEL: a model of the list, the address of a file, or an existing file (its path, or its
 * name in MODELS_DIR/language).
 */
export type OwnModelChoice =
  | { kind: 'listed'; model: ListedModel }
  | { kind: 'address'; url: string; name: string }
  | { kind: 'file'; path: string; name: string };

/** @returns null if it is none of them */
export function ownModelChoice(said: string): OwnModelChoice | null {
  const model = listedModels.find(({ id }) => id === said);
  if (model) return { kind: 'listed', model };
  if (/^https?:/i.test(said)) {
    if (!URL.canParse(said)) return null;
    const { pathname, username, password } = new URL(said);
    if (username || password) return null;
    const name = decodedName(pathname);
    return FILE.test(name) ? { kind: 'address', url: said, name } : null;
  }
  const name = said.split(/[/\\]/).at(-1) ?? '';
  return FILE.test(name) ? { kind: 'file', path: said, name } : null;
}

export const ownModelName = (choice: OwnModelChoice): string =>
  choice.kind === 'listed' ? choice.model.name : choice.name.replace(/\.gguf$/i, '');

function decodedName(path: string): string {
  const name = path.split('/').at(-1) ?? '';
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
