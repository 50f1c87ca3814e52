import type { MicrophoneDevice, MicrophoneFailure } from '#web/lib/microphone/microphone';

export type TalkMode = 'push-to-talk' | 'hands-free';

/** Why the microphone is off although the customer wanted to speak: the device, or a sentence of the server's. */
export type TalkProblem =
  | { kind: 'device'; failure: MicrophoneFailure | 'unplugged'; mode: TalkMode }
  | { kind: 'server'; message: string; mode: TalkMode };

/** The customer's side of a call: the microphone, and the recognised words. */
export interface TalkState {
  /** The use of the microphone; null while it is off. */
  mode: TalkMode | null;
  /**
   * `opening`: the browser asks or the device starts. `open`: it records. `finishing`: it is off, the last words are
   * being understood.
   */
  phase: 'off' | 'opening' | 'open' | 'finishing';
  /** When it began to record, on the page's own clock in milliseconds. */
  since: number | null;
  /** Whether speech is detected. */
  isSpeaking: boolean;
  /** The words recognised so far; their message replaces them. */
  text: string;
  /** `silenced`: something mutes the sound. `mute`: there is no sound at all. */
  trouble: 'silenced' | 'mute' | null;
  /** The microphones to choose from, and the one in use. */
  devices: readonly MicrophoneDevice[];
  deviceId: string | null;
  problem: TalkProblem | null;
  /** A sentence about the last words, such as that nothing was understood. */
  hint: string | null;
}

export const initialTalkState: TalkState = {
  mode: null,
  phase: 'off',
  since: null,
  isSpeaking: false,
  text: '',
  trouble: null,
  devices: [],
  deviceId: null,
  problem: null,
  hint: null,
};

export type TalkAction =
  | { type: 'mic-opening'; mode: TalkMode }
  | { type: 'mic-open'; deviceId: string; at: number }
  | { type: 'mic-finishing' }
  | { type: 'mic-off'; problem?: TalkProblem; hint?: string }
  | { type: 'mic-devices'; devices: readonly MicrophoneDevice[] }
  | { type: 'mic-trouble'; trouble: TalkState['trouble'] }
  | { type: 'speaking'; isSpeaking: boolean }
  /** `text` replaces the earlier recognised words. */
  | { type: 'understood'; text: string }
  | { type: 'talk-hint'; hint: string | null }
  | { type: 'talk-problem-seen' };

/** The customer's side after an action. Pure. */
export function talkReducer(state: TalkState, action: TalkAction): TalkState {
  switch (action.type) {
    case 'mic-opening':
      return {
        ...initialTalkState,
        devices: state.devices,
        deviceId: state.deviceId,
        mode: action.mode,
        phase: 'opening',
      };
    case 'mic-open':
      return { ...state, phase: 'open', deviceId: action.deviceId, since: action.at, trouble: null };
    case 'mic-finishing':
      return { ...state, phase: 'finishing', isSpeaking: false, trouble: null };
    case 'mic-off':
      return {
        ...initialTalkState,
        devices: state.devices,
        deviceId: state.deviceId,
        problem: action.problem ?? null,
        hint: action.hint ?? null,
      };
    case 'mic-devices':
      return { ...state, devices: action.devices };
    case 'mic-trouble':
      return state.trouble === action.trouble ? state : { ...state, trouble: action.trouble };
    case 'speaking':
      if (state.isSpeaking === action.isSpeaking || state.phase !== 'open') return state;
      return { ...state, isSpeaking: action.isSpeaking, hint: action.isSpeaking ? null : state.hint };
    case 'understood':
      return state.text === action.text || state.mode === null ? state : { ...state, text: action.text };
    case 'talk-hint':
      return state.hint === action.hint ? state : { ...state, hint: action.hint };
    case 'talk-problem-seen':
      return { ...state, problem: null, hint: null };
  }
}
