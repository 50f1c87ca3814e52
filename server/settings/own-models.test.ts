import { describe, expect, it } from 'vitest';
import { readConfig } from './config.ts';
import { ConfigError } from './in-environment.ts';
import { listedModels, llamaBuilds, ownModelChoice, ownModelName } from './own-models.ts';

describe('the list of models for this machine', () => {
  it('names each file by an address that never means another one, with its size and checksum', () => {
    for (const { url, bytes, sha256 } of [...listedModels, ...Object.values(llamaBuilds)]) {
      expect(url).toMatch(
        /^https:\/\/(?:huggingface\.co\/[\w.-]+\/[\w.-]+\/resolve\/[\da-f]{40}\/[\w.-]+\.gguf|github\.com\/ggml-org\/llama\.cpp\/releases\/download\/b\d+\/[\w.-]+\.(?:tar\.gz|zip))$/,
      );
      expect(sha256).toMatch(/^[\da-f]{64}$/);
      expect(bytes).toBeGreaterThan(10_000_000);
    }
    const sums = [...listedModels, ...Object.values(llamaBuilds)].map(({ sha256 }) => sha256);
    expect(new Set(sums).size).toBe(sums.length);
  });
});

describe('a model of one’s own, as a setting', () => {
  it.each([
    ['qwen3-4b', 'listed', 'Qwen3 4B Instruct 2507'],
    ['https://models.example.com/a/Small%20one.gguf?token=1', 'address', 'Small one'],
    ['mine.gguf', 'file', 'mine'],
    ['/srv/models/mine.GGUF', 'file', 'mine'],
  ])('%s is one that is %s', (said, kind, name) => {
    const choice = ownModelChoice(said);
    expect([choice?.kind, choice && ownModelName(choice)]).toEqual([kind, name]);
  });

  it.each([
    'qwen9-1t',
    'https://models.example.com/page.html',
    'https://me:pw@models.example.com/a.gguf',
    'notes.txt',
  ])('%s is none', (said) => {
    expect(() => readConfig({ LLM_OWN_MODEL: said })).toThrow(
      /^The setting LLM_OWN_MODEL=.* is wrong: it must be one of qwen2\.5-1\.5b,/,
    );
  });

  it('is asked first, is checked strictly, and costs nothing', () => {
    const { languageModels, modelUse } = readConfig({
      LLM_OWN_MODEL: 'qwen3-4b',
      LLM_BASE_URL: 'http://127.0.0.1:11434/v1',
      LLM_MODEL: 'llama3.2',
      LLM_INPUT_PRICE: '1',
      LLM_OUTPUT_PRICE: '2',
    });
    expect(languageModels.map(({ kind, checking }) => [kind, checking])).toEqual([
      ['own', 'strict'],
      ['openai', 'doubtful'],
    ]);
    expect(modelUse.prices.map(({ model }) => model)).toEqual(['llama3.2']);
  });

  it('comes in the open only where its checksum is known, or from near by', () => {
    const LLM_OWN_MODEL = 'http://models.example.com/a.gguf';
    expect(() => readConfig({ LLM_OWN_MODEL })).toThrow(ConfigError);
    expect(readConfig({ LLM_OWN_MODEL, LLM_OWN_SHA256: 'A'.repeat(64) }).languageModels).toMatchObject([
      { sha256: 'a'.repeat(64) },
    ]);
    expect(readConfig({ LLM_OWN_MODEL: 'http://10.0.0.7/a.gguf' }).languageModels).toHaveLength(1);
  });
});
