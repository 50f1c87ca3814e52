import type { Preferences } from '#shared/preferences';
import type { SpeechActivity, SpeechEnded, Transcript } from '#shared/realtime';
import {
  type Dictation,
  hasBrowserRecognition,
  rememberBroken,
  startDictation,
} from '#web/lib/microphone/speech-recognition';
import { t } from '#web/texts/calls';
import { Recording } from './recording.ts';
import type { Samples } from './samples.ts';
import { type SpeechChannel, SpeechUplink } from './speech-uplink.ts';
import type { TalkMode } from './talk-state.ts';

/** The settings that choose the recogniser. */
export interface TalkSettings {
  recognition: Preferences['recognition'];
  /** Whether the server can listen. `ready` also if it does not say. */
  ears: 'ready' | 'coming' | 'failed';
  /** What the server's ears wait for or lack, as a sentence. */
  earsMessage: string | null;
}

export interface EarsOptions {
  channel: SpeechChannel;
  conversationId: () => string | null;
  settings: () => TalkSettings;
  /** Whether replies to hands-free speech are spoken. */
  isVoiceOn: () => boolean;
  dictate?: typeof startDictation;
}

interface EarsListener {
  /** The words recognised so far. */
  understood(text: string): void;
  /** Recognition is impossible, or has stopped; the sentence gives the reason. */
  failed(message: string): void;
  /** The channel was away too long: the beginning of the speech is lost. */
  dropped(): void;
}

const NO_EARS = t('talk.noEars');

/** Time limit for understanding after the end: longer for each second of a push to talk; of hands-free. */
const UNDERSTANDING_MS = 20_000;
const UNDERSTANDING_MS_PER_SECOND = 500;
const HANGING_UP_MS = 6_000;

/**
 * Chooses the recogniser of a microphone: the browser for a push to talk or, if that is impossible or not allowed, the
 * server, which then gets all sound from the beginning. Hands-free always uses the server.
 */
export class Ears {
  /** The sound of a push to talk. */
  readonly recording: Recording | null;
  readonly #options: EarsOptions;
  readonly #stream: { mode: TalkMode; sampleRate: number };
  readonly #listener: EarsListener;
  #uplink: SpeechUplink | null = null;
  #dictation: Dictation | null = null;
  #refusal: string | null = null;
  #isOnline: boolean;
  #isClosed = false;

  constructor(
    options: EarsOptions,
    stream: { mode: TalkMode; sampleRate: number },
    isOnline: boolean,
    listener: EarsListener,
  ) {
    this.#options = options;
    this.#stream = stream;
    this.#isOnline = isOnline;
    this.#listener = listener;
    this.recording = stream.mode === 'push-to-talk' ? new Recording(stream.sampleRate) : null;
    if (this.recording && options.settings().recognition === 'automatic' && hasBrowserRecognition())
      this.#letBrowserListen(options.dictate ?? startDictation);
    else this.#letServerListen();
  }

  /** Whether the server listens; the browser does not report whether it detects speech. */
  get isServer(): boolean {
    return this.#uplink !== null;
  }

  /** Why the server stopped listening, as a sentence. */
  get refusal(): string | null {
    return this.#refusal;
  }

  /** Takes sound; false once a push to talk has its greatest length. */
  hear(samples: Samples): boolean {
    const fits = this.recording?.add(samples) ?? true;
    this.#uplink?.push(samples);
    return fits;
  }

  /** All words from the beginning to the end; '' for none, null if the sound could not be sent to the server. */
  async understand(): Promise<string | null> {
    if (this.#dictation) {
      const text = (await this.#dictation.finish()).trim();
      if (text && !this.#uplink) return text;
      if (this.#isClosed) return null;
      const canServer = this.recording?.hasSound && this.#options.settings().ears === 'ready';
      if (!this.#uplink && !canServer) return text;
      if (!this.#uplink) this.#letServerListen();
    }
    const patienceMs = UNDERSTANDING_MS + (this.recording?.seconds ?? 0) * UNDERSTANDING_MS_PER_SECOND;
    const text = await this.#uplink?.end(AbortSignal.timeout(patienceMs));
    // The browser recognised nothing although there was sound.
    if (this.#dictation && text?.trim()) rememberBroken();
    return text?.trim() ?? null;
  }

  /** Ends hands-free and keeps the last words. */
  async hangUp(): Promise<void> {
    await this.#uplink?.end(AbortSignal.timeout(HANGING_UP_MS));
  }

  /** Stops all events. */
  close(): void {
    this.#isClosed = true;
    this.#dictation?.close();
  }

  /** Ends at once and discards words that are not yet a message. */
  discard(): void {
    this.close();
    this.#uplink?.discard();
  }

  transcript({ text, isFinal }: Transcript): void {
    if (!this.#uplink) return;
    this.#listener.understood(text);
    if (!isFinal || this.#stream.mode !== 'hands-free') return;
    // The transcript comes before it is stored: an instance that dies in between has lost it.
    if (text) this.#uplink.understoodWhole();
    else this.#uplink.wasNothing();
  }

  speechActivity({ isSpeaking }: SpeechActivity): void {
    if (isSpeaking) this.#uplink?.speechBegan();
  }

  /** A hands-free utterance is committed as a turn, or was refused. */
  committed(): void {
    this.#uplink?.understood();
    this.#listener.understood('');
  }

  /** The server has stopped listening. */
  ended({ message }: SpeechEnded): void {
    this.#uplink?.ended();
    this.#refusal = message;
  }

  channelLost(): void {
    this.#isOnline = false;
    this.#uplink?.channelLost();
  }

  channelBack(): void {
    this.#isOnline = true;
    this.#uplink?.channelBack();
  }

  #letBrowserListen(dictate: typeof startDictation): void {
    this.#dictation = dictate({
      recognized: (text) => {
        if (!this.#isClosed) this.#listener.understood(text);
      },
      failed: () => {
        if (this.#isClosed) return;
        rememberBroken();
        this.#letServerListen();
      },
    });
  }

  /** Sends all sound from the beginning to the server. */
  #letServerListen(): void {
    const { channel, conversationId, settings, isVoiceOn } = this.#options;
    const id = conversationId();
    const { ears, earsMessage } = settings();
    if (id === null) return;
    if (ears !== 'ready') {
      this.#refused(earsMessage ?? NO_EARS);
      return;
    }
    this.#uplink = new SpeechUplink(
      channel,
      { conversationId: id, ...this.#stream, ...(isVoiceOn() ? {} : { voice: false }) },
      {
        refused: (message) => this.#refused(message),
        dropped: () => {
          if (!this.#isClosed) this.#listener.dropped();
        },
      },
      { isOnline: this.#isOnline, backlog: this.recording?.chunks ?? [] },
    );
  }

  #refused(message: string): void {
    this.#refusal = message;
    this.#listener.failed(message);
  }
}
