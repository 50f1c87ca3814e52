import { expect, it } from 'vitest';
import { ConfigError } from './in-environment.ts';
import { withStored } from './stored-settings.ts';

const ollama = { LLM_BASE_URL: 'http://127.0.0.1:11434/v1', LLM_MODEL: 'llama3.2' };

it('takes what owners saved as settings', () => {
  const { config, problems } = withStored(
    { language: ollama, voice: { TTS_BASE_URL: 'http://10.0.0.7/v1' } },
    {},
  );
  expect(config.languageModels).toMatchObject([{ baseUrl: ollama.LLM_BASE_URL, model: 'llama3.2' }]);
  expect(config.speechSynthesis).toMatchObject({ baseUrl: 'http://10.0.0.7/v1', voice: 'alloy' });
  expect(problems).toEqual({});
});

it('lets the environment win, unless it is blank there', () => {
  const env = { LLM_MODEL: 'qwen', LLM_API_KEY: ' ' };
  const { config } = withStored({ language: { ...ollama, LLM_API_KEY: 'mine' } }, env);
  expect(config.languageModels).toMatchObject([{ model: 'qwen', apiKey: 'mine' }]);
});

it('leaves out what does not go with the environment, engine by engine, and says why', () => {
  const stored = {
    language: ollama,
    ears: { STT_BASE_URL: 'https://ears.example.com/v1' },
    rooms: null,
  };
  const { config, problems } = withStored(stored, { AUDIO_STAYS_HERE: 'on' });
  expect(config.languageModels).toHaveLength(1);
  expect(config.speechRecognition).toBeNull();
  expect(problems).toEqual({
    ears: expect.stringContaining('AUDIO_STAYS_HERE=on does not go with STT_BASE_URL'),
    rooms: 'What was saved here cannot be read any more. Save it again.',
  });
});

it('still refuses an environment that is wrong by itself', () => {
  expect(() => withStored({ language: ollama }, { PORT: 'x' })).toThrow(ConfigError);
});
