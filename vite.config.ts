import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import compile from 'icu-minify/compile';
import { defineConfig, type Plugin, transformWithOxc } from 'vite';
import { html } from './web/src/texts/en/html.ts';

const backend = process.env.SIGMA_DEV_SERVER ?? 'http://127.0.0.1:3000';

/** The one font file every page needs is asked for with the page, not after its style sheet has been read. */
function preloadTypeface(): Plugin {
  return {
    name: 'preload-typeface',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle }) {
        const file = Object.keys(bundle ?? {}).find((name) => /geist-latin-wght-normal.*\.woff2$/.test(name));
        return file
          ? [
              {
                tag: 'link',
                attrs: { rel: 'preload', as: 'font', type: 'font/woff2', href: `/${file}`, crossorigin: '' },
                injectTo: 'head',
              },
            ]
          : [];
      },
    },
  };
}

/**
 * LiveKit's client from the sources that ship beside its bundle: as modules it can be cut into chunks, and nothing in
 * it is translated for the browsers of 2015. A field without a value is a declaration there, as in LiveKit's own build.
 */
function liveKitFromSources(): Plugin {
  return {
    name: 'livekit-from-sources',
    apply: 'build',
    enforce: 'pre',
    resolveId: (id) =>
      id === 'livekit-client'
        ? fileURLToPath(new URL('./node_modules/livekit-client/src/index.ts', import.meta.url))
        : null,
    transform: (code, id) =>
      /livekit-client\/src\/.*\.ts$/.test(id)
        ? transformWithOxc(code, id, {
            typescript: { removeClassFieldsWithoutInitializer: true },
            assumptions: { setPublicClassFields: true },
          })
        : null,
  };
}

/**
 * Compiles the page's texts, so that their parser stays here: the page gets their parts and what puts them together.
 * `npm run dev` and the tests parse them where they run.
 */
function compileTexts(): Plugin {
  return {
    name: 'compile-texts',
    apply: 'build',
    enforce: 'pre',
    resolveId: {
      order: 'pre',
      handler(id, importer) {
        return id === 'use-intl/format-message'
          ? this.resolve('use-intl/format-message/format-only', importer, { skipSelf: true })
          : null;
      },
    },
    async transform(code, id) {
      if (!/\/web\/src\/texts\/[a-z-]+\/(?!agent-examples)[\w-]+\.ts$/.test(id)) return null;
      const { code: script } = await transformWithOxc(code, id);
      const texts: Record<string, unknown> = await import(
        `data:text/javascript,${encodeURIComponent(script)}`
      );
      const compiled = Object.entries(texts).map(
        ([name, text]) => `export const ${name} = ${JSON.stringify(compileText(text))};`,
      );
      return { code: compiled.join('\n'), map: null };
    },
  };
}

const compileText = (text: unknown): unknown =>
  typeof text === 'string'
    ? compile(text)
    : Object.fromEntries(Object.entries(text ?? {}).map(([key, below]) => [key, compileText(below)]));

/** Puts the texts of `index.html` where it names them: `{{description}}`. */
function fillIndexHtml(): Plugin {
  const texts = new Map<string, string>(Object.entries(html));
  return {
    name: 'fill-index-html',
    transformIndexHtml: {
      order: 'pre',
      handler: (page) =>
        page.replaceAll(/\{\{(\w+)\}\}/g, (_slot, name: string) => {
          const text = texts.get(name);
          if (text === undefined) throw new Error(`index.html has no text called ${name}.`);
          return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
        }),
    },
  };
}

/** Lays a compressed copy beside every text file, which the server sends as it is: nothing is compressed per request. */
function precompress(): Plugin {
  const worthIt = /\.(js|css|html|svg|json)$/;
  return {
    name: 'precompress',
    apply: 'build',
    async writeBundle({ dir }) {
      if (!dir) return;
      for (const file of await readdir(dir, { recursive: true })) {
        if (!worthIt.test(file)) continue;
        const path = join(dir, file);
        const text = await readFile(path);
        await writeFile(`${path}.gz`, await promisify(gzip)(text, { level: 9 }));
        await writeFile(`${path}.br`, await promisify(brotliCompress)(text));
      }
    },
  };
}

export default defineConfig({
  root: fileURLToPath(new URL('./web', import.meta.url)),
  plugins: [
    react(),
    tailwindcss(),
    liveKitFromSources(),
    compileTexts(),
    fillIndexHtml(),
    preloadTypeface(),
    precompress(),
  ],
  resolve: {
    conditions: ['sigma-source', 'module', 'browser', 'development|production'],
    alias: { '#web': fileURLToPath(new URL('./web/src', import.meta.url)) },
  },
  build: {
    outDir: fileURLToPath(new URL('./dist/web', import.meta.url)),
    emptyOutDir: true,
    sourcemap: false,
    // Inlined files would be data: addresses, which the server's content security policy refuses.
    assetsInlineLimit: 0,
    // Every browser that can play a call knows modulepreload.
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: { codeSplitting: { groups: [{ name: 'livekit', test: /\/livekit-client\/src\// }] } },
    },
  },
  server: {
    port: 5173,
    proxy: {
      '/api': backend,
      '/health': backend,
      '/ready': backend,
      '/socket.io': { target: backend, ws: true },
    },
  },
});
