// `npm run sbom -- [file]`: writes the product's components as CycloneDX, from the lock file alone, to the
// file or to sbom.cdx.json. Plain JavaScript with Node's own modules: needs no installed dependency.
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { npm, root } from './lib/prepare.js';

const target = resolve(process.argv[2] ?? join(root, 'sbom.cdx.json'));
const workshop = mkdtempSync(join(tmpdir(), 'sigma-sbom-'));
try {
  copyFileSync(join(root, 'package.json'), join(workshop, 'package.json'));
  writeFileSync(join(workshop, 'package-lock.json'), JSON.stringify(withoutBundled(lockFile())));
  const [command, args] = npm(['sbom', '--sbom-format=cyclonedx', '--package-lock-only']);
  const { status, stdout, stderr } = spawnSync(command, args, {
    cwd: workshop,
    encoding: 'utf8',
    maxBuffer: 64_000_000,
    shell: command.endsWith('.cmd'),
  });
  if (status !== 0) {
    process.stderr.write(`npm could not list the packages:\n${stderr}`);
    process.exitCode = 1;
  } else {
    writeFileSync(target, stdout);
    process.stdout.write(`${target}: ${JSON.parse(stdout).components.length} packages\n`);
  }
} finally {
  rmSync(workshop, { recursive: true });
}

function lockFile() {
  return JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
}

/**
 * Removes bundled dependencies, which are part of their package. Otherwise npm looks for them beside the
 * package, finds other versions there, and fails.
 */
function withoutBundled(lock) {
  for (const entry of Object.values(lock.packages))
    for (const name of entry.bundleDependencies ?? []) delete entry.dependencies?.[name];
  return lock;
}
