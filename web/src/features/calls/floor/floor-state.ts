import type { PlayerEvent } from '#web/lib/loudspeaker/audio-player';
import type { TalkState } from '../speech/talk-state.ts';

/** The state between the customer's words and the last sound of the reply to them. */
export interface FloorState {
  /** A committed turn of the customer has neither a reply nor a failure yet. */
  waiting: boolean;
  /** The agent reports that it is preparing a reply. */
  typing: boolean;
  /** The reply to be played, from before its first sound to after its last. */
  voicing: string | null;
  /** The sentence being played. */
  speaking: { replyId: string; index: number } | null;
  /** The agent's voice pauses for the customer. */
  held: boolean;
  /** The browser makes no sound before the person touches the page. */
  soundBlocked: boolean;
}

export const initialFloorState: FloorState = {
  waiting: false,
  typing: false,
  voicing: null,
  speaking: null,
  held: false,
  soundBlocked: false,
};

export type FloorAction = PlayerEvent | { type: 'typing'; typing: boolean } | { type: 'held'; held: boolean };

/**
 * The phase of a turn:
 *     candidate → taken → speaking ⇄ held
 * - `candidate`: the customer seems to be speaking.
 * - `taken`: their words are being understood, or are committed and being answered. The reply is not playing yet.
 * - `speaking`: the reply is playing.
 * - `held`: the customer speaks over it, and it pauses. A back-channel releases it; other speech interrupts it, or
 *   cancels a reply of which nothing was played.
 * - `open`: both are silent, and either may begin.
 */
export type FloorPhase = 'open' | 'candidate' | 'taken' | 'speaking' | 'held';

export function floorPhase(floor: FloorState, { phase, mode, isSpeaking }: TalkState): FloorPhase {
  if (floor.held && floor.voicing !== null) return 'held';
  if (floor.speaking) return 'speaking';
  if (phase === 'open' && isSpeaking) return 'candidate';
  if (phase === 'finishing') return 'taken';
  // A customer who presses the button to talk has the floor, whatever is still on its way.
  if (phase === 'open' && mode === 'push-to-talk') return 'open';
  // Speaking continues while a sentence is still being made or decoded.
  const isPreparing = floor.voicing !== null && !floor.soundBlocked;
  return floor.waiting || floor.typing || isPreparing ? 'taken' : 'open';
}

/** The floor after an action, within any larger state. Pure. */
export function floorReducer<S extends FloorState>(state: S, action: FloorAction): S {
  switch (action.type) {
    case 'typing':
      return { ...state, typing: action.typing };
    case 'held':
      return state.held === action.held ? state : { ...state, held: action.held };
    case 'reply-started':
      return { ...state, voicing: action.replyId };
    case 'sentence-started':
      return { ...state, speaking: { replyId: action.replyId, index: action.index } };
    case 'sentence-ended':
      return state.speaking?.replyId === action.replyId && state.speaking.index === action.index
        ? { ...state, speaking: null }
        : state;
    case 'reply-ended':
      return {
        ...state,
        voicing: state.voicing === action.replyId ? null : state.voicing,
        speaking: state.speaking?.replyId === action.replyId ? null : state.speaking,
      };
    case 'sound-blocked':
      return { ...state, soundBlocked: action.blocked };
  }
}
