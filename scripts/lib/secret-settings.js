// Settings that may hold a password or key, for code that runs before the settings can be read. A test
// compares the two.
export const secretSettings = [
  'DATABASE_URL',
  'REDIS_URL',
  'S3_ENDPOINT',
  'S3_ACCESS_KEY_ID',
  'S3_SECRET_ACCESS_KEY',
  'LLM_BASE_URL',
  'LLM_API_KEY',
  'ANTHROPIC_API_KEY',
  'STT_BASE_URL',
  'STT_API_KEY',
  'TTS_BASE_URL',
  'TTS_API_KEY',
  'OPENAI_API_KEY',
  'SPEECH_API_KEY',
  'LIVEKIT_URL',
  'LIVEKIT_API_KEY',
  'LIVEKIT_API_SECRET',
  'SMTP_URL',
  'OIDC_CLIENT_SECRET',
  'OTEL_EXPORTER_OTLP_ENDPOINT',
];
