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

/** Confidence above which a yes, or a quotation, may rest on a result: half of a sure answer's. */
export const KNOWN = SURE / 2;

/** The understanding of a turn before a model is asked. */
export interface TurnRead {
  /** The pack of the agent's language, looked up once a turn. */
  pack: LanguagePack;
  message: ReadMessage;
  voice: ReturnType<typeof voiceOf>;
  state: DialogueState;
  /** The action that waits for a yes. */
  waiting: ReturnType<typeof waitingForYes>;
  /** Another question is asked while it waits. */
  isAside: boolean;
  /** Failed answers in a row. */
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
  // A remark may be unrelated to the business: a request for a moment, or a farewell.
  const meant = message.isStatement
    ? await actMeant({ knowing, turn, state, message, language: pack, signal }, [
        { confidence: KNOWN, isUnknown: false },
      ])
    : null;
  const does = (act: 'wait' | 'goodbye') =>
    meant === act || (message.needs.length === 0 && message.acts.includes(act));
  const misses = waiting ? waiting.pending.misses + (isAside ? 0 : 1) : 0;
  // In danger every customer gets the same answer, and an attack reaches no model. A confirmation is decided only by
  // the customer's own word, and contact details are handled by the same code as without a model.
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
