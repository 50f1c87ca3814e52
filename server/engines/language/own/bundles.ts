import { createHash } from 'node:crypto';
import { isAbsolute, join } from 'node:path';
import type { AddressedFile, Bundle } from '#server/engines/weights/contract';
import { withoutTrailingSlashes } from '#server/lib/trailing-slashes';
import type { OwnModelSettings } from '#server/settings/config';
import { LLAMA_BUILD, llamaBuilds, type OwnModelChoice } from '#server/settings/own-models';

const meanwhile = 'the next engine answers meanwhile';
const FOLDER = 'language';

/** The downloads of a model, and where they are stored. */
export function bundlesOf(
  settings: OwnModelSettings,
  modelsDir: string,
  platform: string,
): { llama: Bundle | null; model: Bundle | null; program: string; file: string } {
  const llama = settings.server === null ? llamaBundle(platform, settings.source) : null;
  const model = modelBundle(settings);
  const program =
    settings.server ??
    join(modelsDir, llama?.folder ?? '', platform.startsWith('win32') ? 'llama-server.exe' : 'llama-server');
  const file = model
    ? join(modelsDir, model.bundle.folder, model.file)
    : fileIn(modelsDir, settings.choice.kind === 'file' ? settings.choice.path : '');
  return { llama, model: model?.bundle ?? null, program, file };
}

/** The contents of a model's folder; null for a file that exists already. */
export const bundleOf = (choice: OwnModelChoice): Bundle | null =>
  modelBundle({ choice, sha256: null, source: null })?.bundle ?? null;

const fileIn = (modelsDir: string, path: string) => (isAbsolute(path) ? path : join(modelsDir, FOLDER, path));

function modelBundle({
  choice,
  sha256,
  source,
}: Pick<OwnModelSettings, 'choice' | 'sha256' | 'source'>): { bundle: Bundle; file: string } | null {
  if (choice.kind === 'file') return null;
  const isListed = choice.kind === 'listed';
  const url = isListed ? choice.model.url : choice.url;
  const file = isListed ? nameIn(url) : choice.name;
  const layout = { kind: 'whole' as const, to: file, begins: 'GGUF' };
  const pkg: AddressedFile = isListed
    ? { name: file, ...at(url, source), sha256: choice.model.sha256, bytes: choice.model.bytes, layout }
    : { name: file, url, from: new URL(url).hostname, sha256, bytes: null, layout };
  const label = `the model ${isListed ? choice.model.name : file.replace(/\.gguf$/i, '')}`;
  // Files of the same name at two addresses are two models.
  const folder = isListed ? choice.model.id : createHash('sha256').update(url).digest('hex').slice(0, 16);
  return { bundle: { label, meanwhile, folder: `${FOLDER}/${folder}`, packages: [pkg] }, file };
}

/** Files needed from an archive: the server, its libraries, and their licences. */
const NEEDED = /^(?:llama-server(?:\.exe)?|.+\.(?:dll|dylib|metal)|.+\.so(?:\.[\d.]+)?|LICENSE.*)$/;

/** @returns null if llama.cpp has no build for this platform */
function llamaBundle(platform: string, source: string | null): Bundle | null {
  const built = llamaBuilds[platform];
  if (!built) return null;
  const { url, bytes, sha256 } = built;
  const layout = { kind: 'archive' as const, files: NEEDED };
  return {
    label: 'the program llama.cpp',
    meanwhile,
    folder: `llama.cpp/${LLAMA_BUILD}-${platform}`,
    packages: [{ name: nameIn(url), ...at(url, source), sha256, bytes, layout }],
  };
}

const nameIn = (url: string) => new URL(url).pathname.split('/').at(-1) ?? '';

/** The address of a listed file, and the host it comes from. */
function at(url: string, source: string | null) {
  const address = source === null ? url : `${withoutTrailingSlashes(source)}/${nameIn(url)}`;
  return { url: address, from: new URL(address).hostname };
}
