import type { LanguagePack } from '#server/languages/contract';
import { packOf } from '#server/languages/index';
import type { ReadMessage } from '#server/languages/messages';
import { answersForAnother, consentTo, waitingForYes } from '../actions/consent.ts';
import { MAX_MISSES } from '../actions/reply.ts';
import type { CustomerTurn } from '../contract.ts';
import { SURE } from '../knowledge/confidence.ts';
import type { Knowing } from '../knowledge/find.ts';
import { dangerOf } from '../manners/danger.ts';
import { handoverReply } from '../manners/handover.ts';
import { actMeant } from '../manners/meant.ts';
import { voiceOf } from '../manners/reply.ts';
import { type DialogueState, stateFrom } from '../manners/state.ts';

/** A yes, or a quotation, may rest on what was found from here on: half as sure as an answer of the embedded reader's own. */
export const KNOWN = SURE / 2;

/** A turn as it is understood before a model is asked. */
export interface TurnRead {
  /** What is known of the agent's language, looked up once a turn. */
  pack: LanguagePack;
  message: ReadMessage;
  voice: ReturnType<typeof voiceOf>;
  state: DialogueState;
  /** The action that waits for a yes. */
  waiting: ReturnType<typeof waitingForYes>;
  /** Something else is asked while it waits. */
  isAside: boolean;
  /** Answers in a row that were none. */
  misses: number;
  isFarewell: boolean;
  /** The embedded reader answers it. */
  isReaders: boolean;
}

/** @throws the signal's reason */
export async function readTurn(knowing: Knowing, turn: CustomerTurn, signal: AbortSignal): Promise<TurnRead> {
  const pack = packOf(turn.agent.language);
  const message = pack.messages.read(turn.text);
  const voice = voiceOf(turn);
  const state = stateFrom(turn.history);
  const waiting = waitingForYes(turn, state.pending);
  const isAside = message.needs.length > 0 && !message.isStatement;
  // Of what is remarked, what it means may be none of the business's: a moment is waited for, a farewell met.
  const meant = message.isStatement
    ? await actMeant({ knowing, turn, state, message, language: pack, signal }, [
        { confidence: KNOWN, isUnknown: false },
      ])
    : null;
  const does = (act: 'wait' | 'goodbye') =>
    meant === act || (message.needs.length === 0 && message.acts.includes(act));
  const misses = waiting ? waiting.pending.misses + (isAside ? 0 : 1) : 0;
  // In danger everybody is answered alike, and an attack reaches no model. What was read back is done, or not, by the
  // customer's word alone, and what they leave to be reached by is kept and read back by the same code as without a model.
  const isReaders =
    (await dangerOf(knowing, turn, message, signal)) !== null ||
    message.acts.includes('injection') ||
    does('wait') ||
    misses >= MAX_MISSES ||
    answersForAnother(turn, pack) ||
    (state.pending?.is === 'action' && consentTo(turn, state.pending, pack) !== null) ||
    handoverReply({ turn, state, language: pack, message, voice }) !== null;
  const isFarewell = does('goodbye') && !message.acts.includes('yes');
  return { pack, message, voice, state, waiting, isAside, misses, isFarewell, isReaders };
}
