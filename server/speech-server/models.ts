import { AppError, invalidInput } from '#server/lib/errors';
import { refusal } from '#shared/refusals/refusal';

/** By the names of its own, and by those that OpenAI's clients ask for where nobody says otherwise. */
const HEARING = ['moonshine', 'whisper-1'] as const;
const SPEAKING = ['piper', 'tts-1'] as const;
const VOICES = ['sigma', 'alloy'] as const;

/** As `GET /v1/models` answers. */
export const modelList = {
  object: 'list' as const,
  data: [...HEARING, ...SPEAKING].map((id) => ({
    id,
    object: 'model' as const,
    created: 0,
    owned_by: 'sigma',
  })),
};

/** @throws AppError (404) for any other model */
export const mustHear = (model: string): void => mustBe(model, HEARING);
/** @throws AppError (404) for any other model */
export const mustSpeak = (model: string): void => mustBe(model, SPEAKING);

function mustBe(model: string, known: readonly string[]): void {
  if (known.includes(model)) return;
  const reason = refusal('speech.model-unknown', { model: known[0] ?? '' });
  throw new AppError('not-found', 404, reason, { fields: { model: reason } });
}

/** @throws AppError for any other voice */
export function mustKnowVoice(voice: string): void {
  if (VOICES.some((known) => known === voice)) return;
  throw invalidInput(refusal('speech.voice-unknown', { voice: VOICES[0] }), 'voice');
}

/** Both models know English alone. @param language ISO 639-1 or BCP 47 @throws AppError for another one */
export function mustBeEnglish(language: string | undefined): void {
  if (!language || /^en(?:$|-|glish$)/i.test(language)) return;
  throw invalidInput('speech.english-alone', 'language');
}
