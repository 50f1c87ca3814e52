import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ConfigError, readConfig } from './config.ts';

describe('readConfig', () => {
  it('needs no setting', () => {
    expect(readConfig({})).toMatchObject({
      port: 3000,
      host: '127.0.0.1',
      dataDir: resolve('data'),
      modelsDir: resolve('models'),
      databaseUrl: null,
      languageModel: null,
      corsOrigins: [],
      publicUrl: null,
      logLevel: 'info',
      rateLimit: true,
    });
  });

  it('takes a blank setting for an absent one, and trims', () => {
    expect(readConfig({ PORT: ' ', HOST: '', DATABASE_URL: '', LOG_LEVEL: ' debug ' })).toMatchObject({
      port: 3000,
      host: '127.0.0.1',
      databaseUrl: null,
      logLevel: 'debug',
    });
  });

  it('reads every setting', () => {
    expect(
      readConfig({
        PORT: '0',
        HOST: '0.0.0.0',
        DATABASE_URL: 'postgresql://sigma:secret@db/sigma',
        LLM_BASE_URL: 'http://127.0.0.1:11434/v1',
        LLM_MODEL: 'llama3.2',
        LLM_API_KEY: 'key',
        CORS_ORIGINS: 'https://a.example.com, http://localhost:5173',
        PUBLIC_URL: 'https://care.example.com',
        RATE_LIMIT: 'off',
      }),
    ).toMatchObject({
      port: 0,
      host: '0.0.0.0',
      databaseUrl: 'postgresql://sigma:secret@db/sigma',
      languageModel: { baseUrl: 'http://127.0.0.1:11434/v1', model: 'llama3.2', apiKey: 'key' },
      corsOrigins: ['https://a.example.com', 'http://localhost:5173'],
      publicUrl: 'https://care.example.com',
      rateLimit: false,
    });
  });

  it.each([
    ['PORT', 'eighty', 'The setting PORT=eighty is wrong: it must be a whole number from 0 to 65535.'],
    ['PORT', '65536', 'The setting PORT=65536 is wrong: it must be a whole number from 0 to 65535.'],
    ['PORT', '-1', 'The setting PORT=-1 is wrong: it must be a whole number from 0 to 65535.'],
    ['PORT', '1e3', 'The setting PORT=1e3 is wrong: it must be a whole number from 0 to 65535.'],
    ['RATE_LIMIT', 'yes', 'The setting RATE_LIMIT=yes is wrong: it must be on or off.'],
    [
      'PUBLIC_URL',
      'care.example.com',
      'The setting PUBLIC_URL=care.example.com is wrong: it must be an http(s) address such as https://care.example.com.',
    ],
    [
      'LOG_LEVEL',
      'loud',
      'The setting LOG_LEVEL=loud is wrong: it must be one of fatal, error, warn, info, debug, trace, silent.',
    ],
    [
      'CORS_ORIGINS',
      'https://a.example.com/',
      'The setting CORS_ORIGINS is wrong: "https://a.example.com/" is not an origin such as https://care.example.com.',
    ],
  ])('stops at %s=%s with one sentence that names it', (name, value, sentence) => {
    expect(() => readConfig({ [name]: value })).toThrow(new ConfigError(sentence));
  });

  it('asks for the name of the model that a language server shall use', () => {
    expect(() => readConfig({ LLM_BASE_URL: 'http://127.0.0.1:11434/v1' })).toThrow(
      'The setting LLM_MODEL is missing: LLM_BASE_URL needs the name of the model to ask for.',
    );
  });

  it.each(['DATABASE_URL', 'LLM_BASE_URL'])('does not repeat what stands in a wrong %s', (name) => {
    expect(() => readConfig({ [name]: 'mysql//user:hunter2@host' })).toThrow(
      expect.objectContaining({ message: expect.not.stringContaining('hunter2') }),
    );
  });
});
