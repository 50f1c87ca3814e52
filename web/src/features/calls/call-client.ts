import { MAX_MESSAGE_CHARACTERS } from '#shared/conversations';
import { AudioPlayer, type PlayerEvent } from '#web/lib/loudspeaker/audio-player';
import { CallChannel, type CallChannelOptions, type CallParts } from './channel/call-channel.ts';
import { Outbox, type OutboxOptions } from './channel/outbox.ts';
import { Floor } from './floor/floor.ts';
import { Loudspeaker } from './floor/loudspeaker.ts';
import type { TalkSettings } from './speech/ears.ts';
import type { Recording } from './speech/recording.ts';
import { Talk, type TalkOptions } from './speech/talk.ts';
import type { TalkMode } from './speech/talk-state.ts';
import { type CallAction, callReducer } from './state/call-reducer.ts';
import { type CallState, canSay, initialCallState } from './state/call-state.ts';

export interface CallOptions
  extends Omit<CallChannelOptions, 'getState' | 'dispatch' | 'parts'>,
    Pick<OutboxOptions, 'upload'> {
  /** Whether replies are spoken. */
  voice: boolean;
  /** The settings of recognition, and whether recordings are kept. */
  settings: () => TalkSettings & { keepRecordings: boolean };
  createPlayer?: (listener: (event: PlayerEvent) => void) => AudioPlayer;
  /** The microphone of a test. */
  microphone?: Pick<TalkOptions, 'open' | 'list' | 'dictate'>;
}

/** After this long without an answer the customer may write again. */
const PATIENCE_MS = 75_000;

/**
 * One call: connects channel, floor, loudspeaker and microphone and keeps their one state. No message is lost: each is
 * sent again under its id, after a reconnect too, until it is acknowledged.
 */
export class CallClient {
  readonly #parts: CallParts;
  readonly #channel: CallChannel;
  readonly #listeners = new Set<() => void>();
  #state: CallState = initialCallState;
  #patience: ReturnType<typeof setTimeout> | undefined;
  #closed = false;

  constructor(options: CallOptions) {
    const { user, target, upload, settings } = options;
    const getState = this.getState;
    const dispatch = (action: CallAction) => this.#dispatch(action);
    this.#channel = new CallChannel({ ...options, getState, dispatch, parts: () => this.#parts });
    const { realtime } = this.#channel;
    const createPlayer = options.createPlayer ?? ((listener) => new AudioPlayer(listener));
    const player = createPlayer((event) => {
      if (!this.#closed) floor.played(event);
    });
    const loudspeaker = new Loudspeaker(player, options.voice);
    const isVoiceOn = () => loudspeaker.isOn;
    const floor = new Floor({ loudspeaker, channel: realtime, getState, dispatch });
    const talk = new Talk({
      channel: realtime,
      dispatch,
      conversationId: () => (this.#state.ended ? null : this.#state.conversationId),
      settings,
      isVoiceOn,
      floor,
      say: (text, recording) => this.#sayAloud(text, recording),
      ...options.microphone,
    });
    const outbox = new Outbox({
      user,
      target,
      upload,
      getState,
      dispatch,
      isVoiceOn,
      say: (message) => realtime.say(message),
      isOnline: () => this.#channel.isOnline,
      keepsRecordings: () => settings().keepRecordings,
      ended: () => this.end(),
    });
    this.#parts = { loudspeaker, floor, talk, outbox };
  }

  readonly getState = (): CallState => this.#state;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Current loudness of the agent's voice, 0 to 1. */
  readonly level = (): number => this.#parts.loudspeaker.level();

  /** Current loudness of the customer's voice, 0 to 1. */
  readonly micLevel = (): number => this.#parts.talk.level();

  /** Sends a message; returns whether it was accepted. */
  say(text: string): boolean {
    if (!canSay(this.#state, text)) return false;
    // A written message stops the voice; the reply stays whole.
    this.#parts.floor.stop();
    this.#parts.loudspeaker.unlock();
    this.#parts.outbox.say(text);
    return true;
  }

  /** Turns the microphone on; call it from the person's own action. */
  startTalking(mode: TalkMode): void {
    this.#parts.loudspeaker.unlock();
    void this.#parts.talk.start(mode);
  }

  /** Turns the microphone off and keeps the spoken words. */
  finishTalking(): void {
    void this.#parts.talk.finish();
  }

  /** Turns the microphone off and discards words that are not yet a message. */
  cancelTalking(): void {
    this.#parts.talk.cancel();
  }

  /** Uses another microphone, now and from now on. */
  chooseMicrophone(deviceId: string): void {
    void this.#parts.talk.chooseDevice(deviceId);
  }

  /** Removes the notice about the microphone. */
  dismissTalkProblem(): void {
    this.#dispatch({ type: 'talk-problem-seen' });
  }

  /** Sends a refused or unanswered message again. */
  sayAgain(id: string): void {
    const entry = this.#state.entries.find((each) => each.kind === 'customer' && each.id === id);
    if (!entry || this.#state.waiting || this.#state.ended) return;
    this.#parts.loudspeaker.unlock();
    this.#parts.outbox.sayAgain(id, entry.text);
  }

  /** Interrupts the agent: the voice stops at once, and the transcript omits what was not played. */
  interrupt(): void {
    this.#parts.floor.interrupt();
  }

  /** Whether this reply can be played again. */
  canReplay(replyId: string): boolean {
    return this.#parts.loudspeaker.canReplay(replyId);
  }

  /** Plays a reply again from its beginning. */
  replay(replyId: string): void {
    this.#parts.floor.stop();
    this.#parts.loudspeaker.replay(replyId);
  }

  /** Turns the agent's voice on or off; off stops it at once. */
  setVoice(voice: boolean): void {
    this.#parts.loudspeaker.turn(voice);
    if (!voice) this.#parts.floor.stop();
  }

  /** Lets the browser make sound; call it from the person's own click. */
  allowSound(): void {
    this.#parts.loudspeaker.unlock();
  }

  /** Starts again after the start has failed. */
  retryStart(): void {
    void this.#channel.start();
  }

  /** Ends the call here: nothing more is sent or played. */
  end(): void {
    this.#parts.talk.cancel();
    this.#parts.floor.stop();
    this.#parts.loudspeaker.end();
    this.#dispatch({ type: 'ended' });
  }

  /** Releases the channel and the loudspeaker. The conversation itself stays open on the server. */
  close(): void {
    this.#closed = true;
    clearTimeout(this.#patience);
    this.#parts.floor.close();
    this.#parts.talk.close();
    this.#channel.close();
    void this.#parts.loudspeaker.close();
    this.#listeners.clear();
  }

  #dispatch(action: CallAction): void {
    if (this.#closed) return;
    const before = this.#state;
    this.#state = callReducer(before, action);
    if (this.#state === before) return;
    if (this.#state.waiting !== before.waiting) this.#watchPatience();
    for (const listener of this.#listeners) listener();
  }

  #watchPatience(): void {
    clearTimeout(this.#patience);
    if (this.#state.waiting)
      this.#patience = setTimeout(() => this.#dispatch({ type: 'waited-too-long' }), PATIENCE_MS);
  }

  /** Sends the words of a push to talk, even while an answer is still on its way. */
  #sayAloud(text: string, recording: Recording): void {
    if (this.#state.conversationId === null || this.#state.ended) return;
    this.#parts.floor.stop();
    this.#parts.outbox.say(text.trim().slice(0, MAX_MESSAGE_CHARACTERS), recording);
  }
}
