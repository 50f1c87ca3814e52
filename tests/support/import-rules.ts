import { type FileImports, isForTests, isProduct } from './read-imports.ts';

/*
 * "Who may import whom" of ARCHITECTURE.md, as code. Code for tests and scripts may import anything: it is
 * not part of the running product.
 */

/**
 * A part of the product, and the other parts it may import. A file belongs to the first part whose pattern
 * matches.
 */
interface Part {
  name: string;
  files: RegExp;
  may: readonly string[];
}

const parts: readonly Part[] = [
  { name: 'shared', files: /^shared\//, may: [] },
  // Programs and composition.
  {
    name: 'app',
    files: /^server\/app\//,
    may: [
      ...['speech server', 'http', 'realtime', 'features', 'events', 'database', 'dialogue', 'listening'],
      ...['engines', 'telemetry', 'settings', 'threads', 'lib', 'shared'],
    ],
  },
  // Events, written by repositories and read by subscriptions, which are beside their features.
  { name: 'events', files: /^server\/events\//, may: ['database', 'engines', 'lib', 'shared'] },
  // Recognition and voice for other programs; uses only HTTP parts of the product.
  {
    name: 'speech server',
    files: /^server\/speech-server\//,
    may: ['http', 'engines', 'audio', 'telemetry', 'threads', 'lib', 'shared'],
  },
  // Commands that an operator runs beside the server.
  {
    name: 'commands',
    files: /^server\/commands\//,
    may: ['app', 'features', 'engines', 'database', 'telemetry', 'settings', 'lib', 'shared'],
  },
  {
    name: 'features',
    files: /^server\/features\//,
    may: [
      ...['realtime', 'dialogue', 'listening', 'engines', 'events', 'languages', 'database', 'audio'],
      ...['telemetry', 'settings', 'lib', 'shared'],
    ],
  },
  {
    name: 'http',
    files: /^server\/http\//,
    may: ['engines', 'database', 'telemetry', 'settings', 'threads', 'lib', 'shared'],
  },
  { name: 'realtime', files: /^server\/realtime\//, may: ['telemetry', 'lib', 'shared'] },
  {
    name: 'dialogue',
    files: /^server\/dialogue\//,
    may: ['engines', 'languages', 'audio', 'telemetry', 'threads', 'lib', 'shared'],
  },
  // Turn-taking. It knows nothing of a turn's content.
  { name: 'listening', files: /^server\/listening\//, may: ['engines', 'languages', 'lib', 'shared'] },
  {
    name: 'engines',
    files: /^server\/engines\//,
    may: ['languages', 'audio', 'settings', 'telemetry', 'threads', 'lib', 'shared'],
  },
  // A leaf: everyone asks for English words, and the pack imports nobody.
  { name: 'languages', files: /^server\/languages\//, may: ['shared'] },
  { name: 'audio', files: /^server\/audio\//, may: [] },
  { name: 'database', files: /^server\/database\//, may: ['telemetry', 'threads', 'lib', 'shared'] },
  { name: 'settings', files: /^server\/settings\//, may: ['telemetry', 'lib', 'shared'] },
  { name: 'telemetry', files: /^server\/telemetry\//, may: ['threads', 'lib', 'shared'] },
  { name: 'threads', files: /^server\/threads\//, may: ['lib', 'shared'] },
  // A leaf: small modules with self-explanatory names.
  { name: 'lib', files: /^server\/lib\//, may: ['shared'] },
  {
    name: 'web app',
    files: /^web\/src\/(?:app\/|[\w-]+$)/,
    may: ['web features', 'web ui', 'web lib', 'web texts', 'shared'],
  },
  { name: 'web features', files: /^web\/src\/features\//, may: ['web ui', 'web lib', 'web texts', 'shared'] },
  { name: 'web ui', files: /^web\/src\/ui\//, may: ['web lib', 'web texts', 'shared'] },
  { name: 'web lib', files: /^web\/src\/lib\//, may: ['web texts', 'shared'] },
  // A leaf: everyone asks for texts, and the texts import nobody.
  { name: 'web texts', files: /^web\/src\/texts\//, may: ['shared'] },
];

/** Packages limited to certain folders of the server. A package not listed here may not be used in it. */
const packages: Record<string, RegExp> = {
  zod: /./,
  uuid: /./,
  pino: /./,
  'drizzle-orm': /^server\/database\/|\/repository$/,
  pg: /^server\/database\//,
  '@electric-sql/pglite': /^server\/database\/embedded\//,
  fastify: /^server\/(?:http\/|speech-server\/|app\/)|\/routes$/,
  'fastify-type-provider-zod': /^server\/http\/|\/routes$/,
  '@fastify/multipart':
    /^server\/(?:speech-server\/transcriptions|features\/(?:conversations\/recordings|documents)\/(?:routes|upload-form))$/,
  '@fastify/cors': /^server\/http\//,
  '@fastify/helmet': /^server\/http\//,
  '@fastify/static': /^server\/http\//,
  '@fastify/swagger': /^server\/http\//,
  '@fastify/swagger-ui': /^server\/http\//,
  'socket.io': /^server\/(?:realtime\/|engines\/shared-state\/contract$)/,
  'socket.io-parser': /^server\/realtime\/packets$/,
  'secure-json-parse': /^server\/http\/read-json$/,
  'rate-limiter-flexible':
    /^server\/(?:lib\/(?:rate|network)-limits$|http\/|realtime\/|features\/accounts\/|engines\/shared-state\/redis$)/,
  redis: /^server\/engines\/shared-state\/redis-connection$/,
  '@socket.io/redis-adapter': /^server\/engines\/shared-state\/redis$/,
  '@node-rs/argon2': /^server\/features\/accounts\/passwords$/,
  '@zxcvbn-ts/language-common': /^server\/features\/accounts\/common-passwords$/,
  otpauth: /^server\/features\/accounts\/second-factor\/one-time-codes$/,
  'openid-client': /^server\/engines\/identity\//,
  nodemailer: /^server\/engines\/mail\//,
  stemmer: /^server\/languages\//,
  re2js: /^server\/lib\/linear-(?:pattern|source)$/,
  'markdown-it': /^server\/dialogue\/passages\/blocks$/,
  parse5: /^server\/(?:dialogue\/passages\/blocks|engines\/documents\/read-html|lib\/shown-html)$/,
  unpdf: /^server\/engines\/documents\/counted-pdf$/,
  mammoth: /^server\/engines\/documents\/read-docx$/,
  'csv-parse': /^server\/engines\/documents\/read-csv$/,
  'libphonenumber-js': /^server\/dialogue\/manners\/(?:emergency-numbers|phone-groups)$/,
  'html-tag-names': /^server\/dialogue\/passages\/source$/,
  // Vendors: each behind the contract of one capability.
  'sherpa-onnx-node': /^server\/engines\/synthesis\//,
  'wasm-media-encoders': /^server\/engines\/encoding\//,
  '@ai-sdk/anthropic': /^server\/engines\/language\//,
  '@ai-sdk/openai-compatible': /^server\/engines\/language\//,
  '@ai-sdk/provider': /^server\/engines\/language\//,
  'onnxruntime-node':
    /^server\/engines\/(?:reading\/|silero-frames$|recognition\/moonshine-model$|synthesis\/(?:piper-model|onnx-cut\.test)$)/,
  '@bufbuild/protobuf': /^server\/engines\/synthesis\/onnx-/,
  'lru-cache': /^server\/(?:lib\/linear-pattern$|engines\/(?:synthesis|recognition)\/)/,
  'llama-tokenizer-js': /^server\/engines\/(?:weights|recognition)\//,
  'npm-registry-fetch': /^server\/engines\/weights\//,
  '@aws-sdk/client-s3': /^server\/engines\/storage\//,
  '@livekit/protocol': /^server\/engines\/rooms\//,
  'livekit-server-sdk': /^server\/engines\/rooms\//,
  '@opentelemetry/api': /^server\/telemetry\/opentelemetry$/,
  '@opentelemetry/exporter-trace-otlp-http': /^server\/telemetry\/opentelemetry$/,
  '@opentelemetry/resources': /^server\/telemetry\/opentelemetry$/,
  '@opentelemetry/sdk-trace-base': /^server\/telemetry\/opentelemetry$/,
  'prom-client': /^server\/telemetry\/prometheus$/,
  werift: /^server\/engines\/rooms\/embedded\/media\//,
  ws: /^server\/engines\/rooms\/embedded\/signalling\//,
  '@livekit/rtc-node': /^server\/engines\/participants\//,
  '@modelcontextprotocol/sdk': /^server\/engines\/actions\//,
  'ipaddr.js': /^server\/(?:lib\/(?:near|networks)$|engines\/outside\/)/,
  tar: /^server\/(?:engines\/weights\/|features\/export\/tar-stream$|commands\/backup-file$|database\/embedded\/new-directory(?:\.worker)?$)/,
};

/**
 * Permitted browser storage: the session's token, choices, data sealed by the server, and, sealed, what
 * people write.
 */
const browserStorage =
  /^web\/src\/(?:lib\/(?:tab-owner|sealed-storage|theme|use-stored-flag|server\/session|microphone\/(?:microphone-choice|speech-recognition))|features\/accounts\/federation\/attempt)\.ts$/;

/** @returns one sentence for every violation, sorted; empty if all rules hold */
export function brokenImportRules(files: readonly FileImports[]): string[] {
  return files
    .filter(({ path }) => isProduct(path))
    .flatMap((file) => [
      ...environment(file),
      ...storage(file),
      ...file.imports.flatMap((target) => rulesOf(file.path, target)),
    ])
    .sort();
}

function environment({ path, readsEnvironment }: FileImports): string[] {
  return path.startsWith('server/') && path !== 'server/lib/environment.ts' && readsEnvironment
    ? [`${path} reads process.env: only server/lib/environment.ts does, everything else is told.`]
    : [];
}

function storage({ path, usesStorage }: FileImports): string[] {
  return path.startsWith('web/') && usesStorage && !browserStorage.test(path)
    ? [`${path} uses the browser's storage: what people write goes through web/src/lib/sealed-storage.ts.`]
    : [];
}

function rulesOf(path: string, { target, isPackage }: { target: string; isPackage: boolean }): string[] {
  const from = path.replace(/\.tsx?$/, '');
  if (isPackage) return packageRules(path, from, target);
  const fromPart = partOf(from);
  const toPart = partOf(target);
  const broken = (why: string) => [`${path} imports ${target}: ${why}`];

  if (isForTests(target)) return broken('the product uses nothing that is made for tests.');
  if (!fromPart)
    return broken(`this file belongs to no part of the house; say in tests/support/import-rules.ts which.`);
  if (!toPart) return broken('that file belongs to no part of the house.');
  if (fromPart !== toPart && !fromPart.may.includes(toPart.name))
    return broken(
      side(from) !== side(target) && toPart.name !== 'shared'
        ? 'web and server meet only in shared.'
        : `${fromPart.name} may import ${[fromPart.name, ...fromPart.may].join(', ')}, not ${toPart.name}.`,
    );
  return insideRules(from, target).flatMap(broken);
}

function insideRules(from: string, target: string): string[] {
  const rules: [boolean, string][] = [
    [
      target.startsWith('server/database/') &&
        /^server\/(?:features|http)\//.test(from) &&
        !isRepository(from),
      'only a repository.ts sees the database.',
    ],
    [
      /\/(?:routes|socket)$/.test(from) && isRepository(target),
      'routes and sockets ask their service, never a repository.',
    ],
    [
      featureOf(from) !== null &&
        featureOf(target) !== null &&
        featureOf(from) !== featureOf(target) &&
        !target.endsWith('/service') &&
        !isCommonToChannels(from, target),
      'a feature reaches another one only through its service.ts.',
    ],
    [
      capabilityOf(target) !== null &&
        capabilityOf(from) !== capabilityOf(target) &&
        !/^server\/(?:app\/main|commands\/doctor|engines\/(?:index|speech))$/.test(from) &&
        !target.endsWith('/contract'),
      'an engine is seen from outside only through its contract.ts.',
    ],
    [
      from.startsWith('server/features/') &&
        target.startsWith('server/dialogue/') &&
        target !== 'server/dialogue/contract',
      'features see the dialogue only through its contract.ts.',
    ],
    [
      from.startsWith('server/features/') &&
        target.startsWith('server/realtime/') &&
        target !== 'server/realtime/feature',
      'features see the real-time channel only through its feature.ts.',
    ],
    [
      packOf(target) !== null && packOf(from) !== packOf(target) && from !== 'server/languages/index',
      'a language is chosen by languages/index.ts; nobody else knows which there are.',
    ],
    [
      webFeatureOf(from) !== null &&
        webFeatureOf(target) !== null &&
        webFeatureOf(from) !== webFeatureOf(target),
      'web features never import each other; pages compose them.',
    ],
  ];
  return rules.flatMap(([isBroken, why]) => (isBroken ? [why] : []));
}

function packageRules(path: string, from: string, target: string): string[] {
  const broken = (why: string) => [`${path} imports ${target}: ${why}`];
  if (target.startsWith('node:'))
    return side(from) === 'server' ? [] : broken(`Node's modules exist on the server only.`);
  if (from.startsWith('shared/'))
    return target === 'zod' ? [] : broken('shared imports zod and nothing else.');
  if (side(from) !== 'server') return [];
  const allowed = packages[target];
  if (!allowed)
    return broken('no rule in tests/support/import-rules.ts says which folder may use this package.');
  return allowed.test(from)
    ? []
    : broken('this package is used elsewhere only: see tests/support/import-rules.ts.');
}

const partOf = (path: string) => parts.find(({ files }) => files.test(path)) ?? null;
const side = (path: string) => path.split('/')[0] ?? '';
const isRepository = (path: string) => path.endsWith('/repository');
/** Each channel is a feature of its own. */
const featureOf = (path: string) => /^server\/features\/((?:channels\/)?[\w-]+)\//.exec(path)?.[1] ?? null;
/** Floor and turns are shared by all channels, and the floor builds on turns. */
const isCommonToChannels = (from: string, target: string) =>
  /^server\/features\/(?:channels|floor)\//.test(from) && /^server\/features\/(?:floor|turns)\//.test(target);
const webFeatureOf = (path: string) => /^web\/src\/features\/([\w-]+)\//.exec(path)?.[1] ?? null;
const packOf = (path: string) => /^server\/languages\/([\w-]+)\//.exec(path)?.[1] ?? null;
const capabilityOf = (path: string) => /^server\/engines\/([\w-]+)\//.exec(path)?.[1] ?? null;
