import type { Sound } from '#server/audio/sound';
import type { CustomerTurn, Dialogue, WholeReply } from '#server/dialogue/contract';
import { unavailable } from '#server/lib/errors';
import { accountOf, type Scope } from '#server/lib/scope';
import type { Citation, Outcome } from '#shared/conversations';
import type { SpokenAudio } from '#shared/realtime';
import type { CallLimits } from './limits.ts';
import type { CallModelUse } from './model-use.ts';
import { type SpokenSentence, speakInOrder } from './speak-in-order.ts';
import type { Voice } from './voice.ts';

/** A customer's turn that leaves no trace. Without a text it requests the agent's welcome. */
export interface RehearsedTurn extends Omit<CustomerTurn, 'text' | 'account' | 'models'> {
  /** The user who tries it. */
  scope: Scope;
  text?: string | undefined;
  /** `false`: text only. */
  voice?: boolean | undefined;
}

export interface RehearsedReply extends SpokenAudio {
  text: string;
  citations: Citation[];
  outcome: Outcome;
  /** To be passed with this reply in the history of the next turn. Never for a client. */
  state?: unknown;
}

/** A whole reply is sent at once, so all its sentences may be spoken ahead; more wait for the first. */
const LOOK_AHEAD = 6;

/**
 * Answers as a call would, with the same brain and voice, and stores nothing. The audio is missing if the voice is
 * absent or failed.
 * @throws EngineError, AppError unavailable on a timeout, or the signal's reason
 */
export async function rehearse(
  { scope, agent, history, text, voice: isSpoken = true }: RehearsedTurn,
  around: {
    dialogue: Dialogue;
    modelUse: CallModelUse | undefined;
    voice: Voice;
    limits: CallLimits;
    audioOf(speeches: readonly (Sound | null)[]): Promise<SpokenAudio>;
  },
  signal: AbortSignal,
): Promise<RehearsedReply> {
  const { dialogue, modelUse, voice, limits, audioOf } = around;
  signal.throwIfAborted();
  if (text === undefined) {
    const welcome = dialogue.greet(agent);
    const speech = isSpoken ? await voice.speakWithin(welcome, agent.language, limits.welcomeWaitMs) : null;
    return { text: welcome, citations: [], outcome: 'social', ...(await audioOf([speech])) };
  }
  const limit = new AbortController();
  const onAbort = () => limit.abort(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  const overdue = setTimeout(() => limit.abort(unavailable('calls.took-too-long')), limits.turnTimeoutMs);
  const sentences: SpokenSentence[] = [];
  const speaker = voice.forReply(agent.language, limit.signal);
  try {
    const models = modelUse?.allowance({ scope, conversationId: null, messageId: null });
    const turn = { account: accountOf(scope), agent, history, text, models };
    const whole = await speakInOrder<WholeReply>(dialogue.respond(turn, limit.signal), {
      say: (sentence) => (isSpoken ? speaker.say(sentence) : null),
      emit: (sentence) => void sentences.push(sentence),
      lookAhead: LOOK_AHEAD,
      signal: limit.signal,
    });
    if (!whole) throw new Error('The dialogue ended without a reply.');
    const { citations, outcome, state } = whole;
    const audio = await audioOf(sentences.map(({ speech }) => speech));
    return { text: whole.text, citations, outcome, state, ...audio };
  } finally {
    clearTimeout(overdue);
    signal.removeEventListener('abort', onAbort);
  }
}
