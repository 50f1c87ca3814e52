import type { User } from '#shared/accounts';
import { MAX_MESSAGE_CHARACTERS } from '#shared/conversations';
import type {
  AiResponse,
  AiResponseChunk,
  BargeIn,
  ConversationStarted,
  ConversationUpdated,
  MessageStored,
  RealtimeError,
  StartConversation,
} from '#shared/realtime';
import { randomId } from '#web/lib/id';
import { logProblem } from '#web/lib/log';
import { AudioPlayer, type Heard, type PlayerEvent } from '#web/lib/loudspeaker/audio-player';
import type { Realtime, RealtimeListener } from '#web/lib/server/socket';
import { MessageDelivery } from './channel/message-delivery.ts';
import { keepUnsent, readUnsent } from './channel/unsent.ts';
import { CallVoice } from './floor/loudspeaker.ts';
import type { Recording } from './speech/recording.ts';
import { Talk, type TalkOptions, type TalkSettings } from './speech/talk.ts';
import type { TalkMode } from './speech/talk-state.ts';
import { type CallAction, callReducer } from './state/call-reducer.ts';
import {
  type AgentEntry,
  type CallState,
  canSay,
  initialCallState,
  unansweredEntry,
} from './state/call-state.ts';

/** Whom a call is with. */
export type CallTarget =
  | { kind: 'simulator' }
  | { kind: 'agent'; agentId: string; agentInfo: NonNullable<StartConversation['agentInfo']> };

export interface CallOptions {
  user: User;
  target: CallTarget;
  /** An open conversation to go on with. */
  conversationId: string | null;
  /** Opens the real-time channel. */
  connect: (listener: RealtimeListener) => Realtime;
  /** The server no longer knows the session. */
  onSignedOut: () => void;
  /** The conversation has another title, label or outcome, or the customer left how to reach them. */
  onUpdated: (event: ConversationUpdated) => void;
  /** Whether replies are spoken. */
  voice: boolean;
  /** Who listens, and whether recordings are kept. */
  settings: () => TalkSettings & { keepRecordings: boolean };
  /** Brings the recording of a message that is about to be sent to the server. */
  upload: (conversationId: string, recording: File, transcript: string) => Promise<unknown>;
  createPlayer?: (listener: (event: PlayerEvent) => void) => AudioPlayer;
  /** The microphone of a test. */
  microphone?: Pick<TalkOptions, 'open' | 'list' | 'dictate'>;
}

/** After this long without an answer the person may write again. */
const PATIENCE_MS = 75_000;
/** `release` or `interrupt` follows a `hold` sooner than this, unless something is wrong: then the agent goes on. */
const HELD_AT_MOST_MS = 10_000;

/**
 * One call: joins the real-time channel with the loudspeaker and keeps the state of both.
 * Nothing said is lost: a message goes out again under its id, after a reconnect too, until it is acknowledged.
 */
export class CallClient {
  readonly #options: CallOptions;
  readonly #realtime: Realtime;
  readonly #voice: CallVoice;
  readonly #talk: Talk;
  readonly #delivery: MessageDelivery;
  readonly #listeners = new Set<() => void>();
  #state: CallState = initialCallState;
  #resumable: string | null;
  #starting = false;
  #online = false;
  #patience: ReturnType<typeof setTimeout> | undefined;
  #held: ReturnType<typeof setTimeout> | undefined;
  /** Replies whose turn to be heard has come. */
  readonly #begun = new Set<string>();
  /** The reply the server believes to be heard. */
  #audible: string | null = null;
  #closed = false;

  constructor(options: CallOptions) {
    this.#options = options;
    this.#resumable = options.conversationId;
    const createPlayer = options.createPlayer ?? ((listener) => new AudioPlayer(listener));
    this.#voice = new CallVoice(
      createPlayer((event) => this.#heard(event)),
      options.voice,
    );
    this.#realtime = options.connect(this.#listener());
    this.#delivery = new MessageDelivery({
      realtime: this.#realtime,
      isOnline: () => this.#online && !this.#closed,
      keepsRecordings: () => options.settings().keepRecordings,
      upload: options.upload,
      stored: (id) => this.#dispatch({ type: 'stored', id }),
      refused: (id, problem) => this.#dispatch({ type: 'refused', id, problem }),
      ended: () => this.end(),
    });
    this.#talk = new Talk({
      channel: this.#realtime,
      dispatch: (action) => this.#dispatch(action),
      conversationId: () => (this.#state.ended ? null : this.#state.conversationId),
      settings: options.settings,
      isVoiceOn: () => this.#voice.isOn,
      floor: (phase) => this.#floor(phase),
      say: (text, recording) => this.#sayAloud(text, recording),
      ...options.microphone,
    });
  }

  readonly getState = (): CallState => this.#state;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Loudness of the agent's voice at this moment, 0 to 1. */
  readonly level = (): number => this.#voice.level();

  /** Loudness of the customer's voice at this moment, 0 to 1. */
  readonly micLevel = (): number => this.#talk.level();

  /** Sends a message; says whether it was taken. */
  say(text: string): boolean {
    const { conversationId } = this.#state;
    if (conversationId === null || !canSay(this.#state, text)) return false;
    // Who writes has read enough: the voice falls silent, the reply stays whole.
    this.#silence();
    this.#voice.unlock();
    this.#deliver(this.#keep(conversationId, text), text.trim());
    return true;
  }

  /** Turns the microphone on; to be called from the person's own action. */
  startTalking(mode: TalkMode): void {
    this.#voice.unlock();
    void this.#talk.start(mode);
  }

  /** Turns the microphone off: what was said counts. */
  finishTalking(): void {
    void this.#talk.finish();
  }

  /** Turns the microphone off: what was not yet taken is forgotten. */
  cancelTalking(): void {
    this.#talk.cancel();
  }

  /** Uses another microphone, now and from now on. */
  chooseMicrophone(deviceId: string): void {
    void this.#talk.chooseDevice(deviceId);
  }

  /** What was wrong with the microphone has been read. */
  dismissTalkProblem(): void {
    this.#dispatch({ type: 'talk-problem-seen' });
  }

  /** Sends a message again that was refused or not answered. */
  sayAgain(id: string): void {
    const entry = this.#state.entries.find((each) => each.kind === 'customer' && each.id === id);
    if (!entry || this.#state.waiting || this.#state.ended) return;
    this.#voice.unlock();
    this.#dispatch({ type: 'saying-again', id });
    this.#deliver(id, entry.text);
  }

  /** Cuts the agent off: the voice stops at once, and what was not heard is not in the transcript. */
  interrupt(): void {
    const toCome = this.#replyToCome();
    const heard = this.#silence();
    const { conversationId } = this.#state;
    const reply = heard ? this.#reply(heard.replyId) : toCome;
    if (!conversationId || !reply || reply.interrupted) return;
    // A welcome, a reply read back and one heard again are not being made: there is nothing to cut.
    if (reply.messageId === reply.id || this.#voice.wasReplayed(reply.id)) return;
    const whole = reply.messageId === null ? null : reply.text;
    this.#dispatch({ type: 'interrupted', replyId: reply.id, interrupted: true });
    this.#realtime
      .interrupt({ conversationId, responseId: reply.id, heardMs: heard?.heardMs ?? 0 })
      .then((ack) => {
        if (!ack.ok || ack.message === undefined) return;
        const { message } = ack;
        this.#dispatch({
          type: 'interrupted',
          replyId: reply.id,
          interrupted: message !== whole,
          text: message,
        });
      })
      .catch((error: unknown) => logProblem('The server was not told of the interruption.', error));
  }

  /** Whether this reply can be heard again. */
  canReplay(replyId: string): boolean {
    return this.#voice.canReplay(replyId);
  }

  /** Speaks a reply again from its beginning. */
  replay(replyId: string): void {
    this.#silence();
    this.#voice.replay(replyId);
  }

  /** Turns the agent's voice on or off; off falls silent at once. */
  setVoice(voice: boolean): void {
    this.#voice.turn(voice);
    if (!voice) this.#silence();
  }

  /** Lets the browser make sound; to be called from the person's own click. */
  allowSound(): void {
    this.#voice.unlock();
  }

  /** Starts again after the start had failed. */
  retryStart(): void {
    void this.#start();
  }

  /** The call is over here: nothing more is said or heard. */
  end(): void {
    this.#talk.cancel();
    this.#silence();
    this.#voice.end();
    this.#dispatch({ type: 'ended' });
  }

  /** Lets go of the channel and the loudspeaker. The conversation itself stays open on the server. */
  close(): void {
    this.#closed = true;
    clearTimeout(this.#patience);
    clearTimeout(this.#held);
    this.#talk.close();
    this.#realtime.close();
    void this.#voice.close();
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

  #listener(): RealtimeListener {
    return {
      connected: () => {
        this.#online = true;
        this.#dispatch({ type: 'connected' });
        void this.#start();
      },
      lost: () => {
        this.#online = false;
        // What was under way is lost with the channel. The server says it again as text.
        this.#voice.finishWithWhatIsHere(this.#replyIds());
        this.#goOn();
        this.#talk.channelLost();
        this.#dispatch({ type: 'connection-lost' });
      },
      signedOut: () => this.#options.onSignedOut(),
      started: (event) => this.#started(event),
      chunk: (event) => this.#chunk(event),
      response: (event) => this.#response(event),
      typing: (typing) => this.#dispatch({ type: 'typing', typing }),
      error: (event) => this.#error(event),
      askedToStart: () => void this.#start(),
      messageStored: (event) => this.#messageStored(event),
      conversationUpdated: (event) => {
        if (event.conversationId !== this.#state.conversationId) return;
        this.#dispatch({ type: 'updated', event });
        this.#options.onUpdated(event);
      },
      transcript: (event) => {
        if (event.conversationId === this.#state.conversationId) this.#talk.transcript(event);
      },
      speechActivity: (event) => {
        if (event.conversationId === this.#state.conversationId) this.#talk.speechActivity(event);
      },
      bargeIn: (event) => {
        if (event.conversationId === this.#state.conversationId) this.#floor(event.phase);
      },
      speechEnded: (event) => {
        if (event.conversationId === this.#state.conversationId) this.#talk.speechEnded(event);
      },
    };
  }

  /** What was said hands-free comes back as a message; so does what somebody wrote in another tab. */
  #messageStored({ conversationId, message }: MessageStored): void {
    if (conversationId !== this.#state.conversationId) return;
    if (this.#talk.mode !== 'hands-free') {
      this.#dispatch({ type: 'said-elsewhere', message });
      return;
    }
    // Who speaks has heard enough: what was said before is not heard after it.
    this.#silence();
    this.#dispatch({ type: 'said-hands-free', message });
    this.#talk.taken();
  }

  /** Who has the floor, when the customer speaks over the agent. */
  #floor(phase: BargeIn['phase']): void {
    switch (phase) {
      case 'hold':
        this.#voice.hold();
        this.#dispatch({ type: 'held', held: true });
        clearTimeout(this.#held);
        this.#held = setTimeout(() => this.#goOn(), HELD_AT_MOST_MS);
        break;
      case 'release':
        this.#goOn();
        break;
      case 'interrupt':
        this.interrupt();
    }
  }

  /** It was a "mhm": the agent goes on where it was. */
  #goOn(): void {
    clearTimeout(this.#held);
    this.#voice.release();
    this.#dispatch({ type: 'held', held: false });
  }

  /** Takes what was said by push to talk. It is not held back by an answer that is still on its way. */
  #sayAloud(text: string, recording: Recording): void {
    const { conversationId, ended } = this.#state;
    if (conversationId === null || ended) return;
    this.#silence();
    const said = text.trim().slice(0, MAX_MESSAGE_CHARACTERS);
    const id = this.#keep(conversationId, said, true);
    this.#deliver(id, said, recording);
  }

  /** Shows a message as under way, and keeps it until it has arrived; answers its id. */
  #keep(conversationId: string, text: string, isSpoken = false): string {
    const message = { id: randomId(), text: text.trim(), at: new Date().toISOString() };
    keepUnsent(conversationId, message);
    this.#dispatch({ type: 'said', ...message, isSpoken });
    return message.id;
  }

  /** Whom every event of this call names. */
  #addressee(): Pick<StartConversation, 'isCallSimulator' | 'agentId' | 'agentInfo'> {
    const { target } = this.#options;
    return target.kind === 'simulator'
      ? { isCallSimulator: true }
      : { isCallSimulator: false, agentId: target.agentId, agentInfo: target.agentInfo };
  }

  /** Starts the conversation, or goes on with it after a reconnect; one at a time. */
  async #start(): Promise<void> {
    if (this.#starting || this.#closed || this.#state.ended) return;
    this.#starting = true;
    const goingOn = this.#state.conversationId ?? this.#resumable;
    try {
      const ack = await this.#realtime.start({
        userId: this.#options.user._id,
        ...this.#addressee(),
        ...(goingOn ? { conversationId: goingOn } : {}),
        ...(this.#voice.isOn ? {} : { voice: false }),
      });
      this.#starting = false;
      if (!ack.ok) this.#startRefused(ack.error, goingOn);
    } catch (error) {
      this.#starting = false;
      // A lost channel starts again by itself; a server that does not acknowledge may have started all the same.
      if (this.#online && this.#state.conversationId === null)
        this.#dispatch({ type: 'start-failed', problem: 'The call could not be started. Please try again.' });
      logProblem('The call was not started.', error);
    }
  }

  #startRefused(error: RealtimeError, goingOn: string | null): void {
    const gone = error.code === 'not-found' || error.code === 'conversation-ended';
    if (error.code === 'unauthenticated') {
      this.#options.onSignedOut();
    } else if (!goingOn || !gone) {
      this.#dispatch({ type: 'start-failed', problem: error.message });
    } else if (this.#state.conversationId !== null) {
      // In the middle of a call that is over.
      this.#talk.cancel();
      this.#dispatch({ type: 'ended' });
    } else {
      // After a reload a new call is what was wanted.
      this.#resumable = null;
      this.#dispatch({ type: 'starting-over' });
      void this.#start();
    }
  }

  #started(event: ConversationStarted): void {
    const ownBefore = this.#countOwn();
    this.#dispatch({ type: 'started', event, at: new Date().toISOString() });
    // What was being said when the channel was lost has become a message, or it is said again.
    this.#talk.channelBack(this.#countOwn() > ownBefore);
    const unsent = readUnsent(event.conversationId);
    if (unsent && !this.#state.entries.some((entry) => entry.id === unsent.id))
      this.#dispatch({ type: 'said', ...unsent });
    const welcome = event.welcomeMessage;
    if (welcome) this.#voice.takeWhole(welcome._id, welcome);
    if (this.#audible !== null) this.#tellPlayback(this.#audible);
    this.#flush({ answeredElsewhere: event.answering === true });
  }

  /** Sends what the server has not acknowledged, and asks again for an answer that went missing. */
  #flush({ answeredElsewhere }: { answeredElsewhere: boolean }): void {
    for (const entry of this.#state.entries)
      if (entry.kind === 'customer' && entry.delivery === 'sending') this.#deliver(entry.id, entry.text);
    const unanswered = unansweredEntry(this.#state);
    if (!unanswered || answeredElsewhere) return;
    this.#dispatch({ type: 'saying-again', id: unanswered.id });
    this.#deliver(unanswered.id, unanswered.text);
  }

  /** Sends a message until it is acknowledged; a lost channel leaves that to the next reconnect. */
  #deliver(id: string, message: string, recording?: Recording): void {
    const { conversationId } = this.#state;
    if (conversationId === null) return;
    const { target, user } = this.#options;
    const payload = {
      conversationId,
      message,
      ...(target.kind === 'simulator' ? {} : { userId: user._id }),
      ...this.#addressee(),
      clientMessageId: id,
      ...(this.#voice.isOn ? {} : { voice: false }),
    };
    void this.#delivery.deliver(payload, recording);
  }

  #chunk(event: AiResponseChunk): void {
    if (event.conversationId !== this.#state.conversationId) return;
    this.#dispatch({ type: 'chunk', event, at: new Date().toISOString() });
    this.#voice.takeSentence(event.responseId, event.index, event.audioData, event.isLast);
  }

  #response(event: AiResponse): void {
    if (event.conversationId !== this.#state.conversationId) return;
    this.#dispatch({ type: 'response', event });
    this.#voice.takeWhole(event.responseId, event);
  }

  #error(event: RealtimeError): void {
    if (event.code === 'unauthenticated') {
      this.#options.onSignedOut();
      return;
    }
    const { clientMessageId: id, text, message: problem } = event;
    if (id !== undefined && text !== undefined) {
      this.#dispatch({ type: 'not-taken', id, text, problem, at: new Date().toISOString() });
      this.#talk.taken();
    }
    this.#dispatch({ type: 'error', event });
  }

  #reply(id: string): AgentEntry | null {
    for (const entry of this.#state.entries) if (entry.kind === 'agent' && entry.id === id) return entry;
    return null;
  }

  #replyIds(): string[] {
    return this.#state.entries.flatMap((entry) => (entry.kind === 'agent' ? [entry.id] : []));
  }

  /** The newest reply, when it is still being made or was kept back for who goes on speaking. */
  #replyToCome(): AgentEntry | null {
    const last = this.#state.entries.at(-1);
    if (last?.kind !== 'agent') return null;
    return last.messageId === null || (this.#state.held && !this.#begun.has(last.id)) ? last : null;
  }

  #countOwn(): number {
    return this.#state.entries.filter((entry) => entry.kind === 'customer').length;
  }

  /** Falls silent now and for whatever is still on its way. */
  #silence(): Heard | null {
    const heard = this.#voice.silence(this.#replyIds());
    this.#goOn();
    return heard;
  }

  /** Tells the server what is heard, so that it knows when somebody speaks over it. */
  #tellPlayback(responseId: string | null): void {
    this.#audible = responseId;
    const { conversationId } = this.#state;
    if (conversationId !== null && !this.#closed) this.#realtime.playback({ conversationId, responseId });
  }

  #heard(event: PlayerEvent): void {
    switch (event.type) {
      case 'sentence-started':
        if (this.#audible !== event.replyId) this.#tellPlayback(event.replyId);
        this.#dispatch(event);
        break;
      case 'sentence-ended':
        this.#dispatch(event);
        break;
      case 'reply-started':
        this.#begun.add(event.replyId);
        this.#dispatch({ type: 'speech-started', replyId: event.replyId });
        break;
      case 'reply-ended':
        if (this.#audible === event.replyId) this.#tellPlayback(null);
        this.#dispatch({ type: 'speech-ended', replyId: event.replyId });
        break;
      case 'blocked':
        this.#dispatch({ type: 'sound-blocked', blocked: event.blocked });
    }
  }
}
