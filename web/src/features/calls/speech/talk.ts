import type { Preferences } from '#shared/preferences';
import type { SpeechActivity, SpeechEnded, Transcript } from '#shared/realtime';
import { logProblem } from '#web/lib/log';
import {
  listMicrophones,
  loudness,
  type Microphone,
  MicrophoneError,
  type MicrophoneListener,
  openMicrophone,
  watchMicrophones,
} from '#web/lib/microphone/microphone';
import { keepMicrophoneChoice, readMicrophoneChoice } from '#web/lib/microphone/microphone-choice';
import {
  type Dictation,
  hasBrowserRecognition,
  rememberBroken,
  startDictation,
} from '#web/lib/microphone/speech-recognition';
import type { Floor } from '../floor/floor.ts';
import { hasSound, Recording, type Samples } from './recording.ts';
import { type SpeechChannel, SpeechUplink } from './speech-uplink.ts';
import type { TalkAction, TalkMode, TalkProblem } from './talk-state.ts';

/** What decides who listens. */
export interface TalkSettings {
  recognition: Preferences['recognition'];
  /** Whether the server can listen. One that does not say is asked. */
  ears: 'ready' | 'coming' | 'failed';
  /** What the server's ears wait for or lack, as a sentence. */
  earsMessage: string | null;
}

export interface TalkOptions {
  channel: SpeechChannel;
  dispatch: (action: TalkAction) => void;
  conversationId: () => string | null;
  settings: () => TalkSettings;
  /** Whether replies to what is said hands-free are spoken. */
  isVoiceOn: () => boolean;
  /**
   * Who presses the button holds the floor, takes it once the microphone is open, or gives it back where there is none.
   */
  floor: Pick<Floor, 'hold' | 'interrupt' | 'release'>;
  /** Takes what was said by push to talk, with how it sounded. */
  say: (text: string, recording: Recording) => void;
  open?: typeof openMicrophone;
  list?: typeof listMicrophones;
  dictate?: typeof startDictation;
}

/** One time the microphone is on. */
interface Session {
  readonly mode: TalkMode;
  readonly waiting: AbortController;
  /** Sound that came before the opening was over. */
  readonly early: Samples[];
  mic: Microphone | null;
  recording: Recording | null;
  uplink: SpeechUplink | null;
  dictation: Dictation | null;
  /** What the server said when it stopped listening. */
  refusal: string | null;
  unwatch: () => void;
  soundlessSeconds: number;
  idleSeconds: number;
  heardFor: number;
}

const NOTHING_UNDERSTOOD = 'I did not catch that. Please try again, or type it.';
const LOST = 'The connection was lost before your words arrived. Please say it again.';
const DROPPED = 'The connection was away too long: part of what you said was lost. Please say it again.';
const FULL = 'That was the longest recording there can be, so it has been sent.';
const IDLE = 'Nobody has spoken for ten minutes, so the microphone was hung up.';
const NO_EARS = 'Nothing here can turn speech into text at the moment. Please type instead.';

/** A microphone that is on gives some noise; one that gives none for this long is switched off. */
const SOUNDLESS_SECONDS = 5;
const IDLE_SECONDS = 600;
/** Loudness that shows as speech where no server tells, and for how many seconds it goes on showing. */
const SPEECH_LOUDNESS = 0.45;
const SPEECH_SECONDS = 0.5;
/** How long understanding may take after the end: of a push to talk, more for each of its seconds; of hands-free. */
const UNDERSTANDING_MS = 20_000;
const UNDERSTANDING_MS_PER_SECOND = 500;
const HANGING_UP_MS = 6_000;

/**
 * The customer's voice in a call. Push to talk: from `start` to `finish` is one message, understood by the browser or,
 * where that cannot or may not, by the server, which then gets everything from the beginning. Hands-free: the server
 * listens until `finish` and takes each utterance as a message.
 */
export class Talk {
  readonly #options: TalkOptions;
  #session: Session | null = null;
  #loudness = 0;
  #isOnline = true;

  constructor(options: TalkOptions) {
    this.#options = options;
  }

  /** Loudness of what the microphone picks up at this moment, 0 to 1. */
  readonly level = (): number => this.#loudness;

  get mode(): TalkMode | null {
    return this.#session?.mode ?? null;
  }

  /** Turns the microphone on, unless it is. */
  async start(mode: TalkMode): Promise<void> {
    if (this.#session || this.#options.conversationId() === null) return;
    const session: Session = {
      mode,
      waiting: new AbortController(),
      early: [],
      mic: null,
      recording: null,
      uplink: null,
      dictation: null,
      refusal: null,
      unwatch: () => {},
      soundlessSeconds: 0,
      idleSeconds: 0,
      heardFor: 0,
    };
    this.#session = session;
    this.#options.dispatch({ type: 'mic-opening', mode });
    if (mode === 'push-to-talk') this.#options.floor.hold();
    try {
      const mic = await this.#open(session, readMicrophoneChoice());
      if (!mic) return;
      session.mic = mic;
      if (mode === 'push-to-talk') this.#options.floor.interrupt();
      session.unwatch = watchMicrophones(() => void this.#listDevices());
      this.#listen(session, mic);
      this.#options.dispatch({ type: 'mic-open', deviceId: mic.deviceId, at: performance.now() });
      for (const samples of session.early.splice(0)) this.#sound(session, samples);
      await this.#listDevices();
    } catch (error) {
      this.#failed(session, deviceProblem(error, mode));
    }
  }

  /** Turns the microphone off: what was said counts. */
  async finish(hint?: string): Promise<void> {
    const session = this.#session;
    if (!session || session.waiting.signal.aborted) return;
    if (!session.mic) {
      this.cancel();
      return;
    }
    session.waiting.abort();
    this.#options.dispatch({ type: 'mic-finishing' });
    session.unwatch();
    await session.mic.finish();
    this.#loudness = 0;
    if (session.mode === 'hands-free') await this.#hangUp(session, hint);
    else await this.#takeMessage(session, hint);
  }

  /** Turns the microphone off: what was not yet taken is forgotten. */
  cancel(): void {
    const session = this.#session;
    if (!session) return;
    this.#letGo(session);
    session.uplink?.discard();
    this.#giveBackFloor(session);
    this.#options.dispatch({ type: 'mic-off' });
  }

  /** Uses another microphone from now on. */
  async chooseDevice(deviceId: string): Promise<void> {
    keepMicrophoneChoice(deviceId);
    const session = this.#session;
    if (!session?.mic || session.waiting.signal.aborted) return;
    try {
      await this.#change(session, deviceId);
    } catch (error) {
      logProblem('Another microphone could not be opened.', error);
      this.#options.dispatch({ type: 'talk-hint', hint: 'That microphone could not be opened.' });
    }
  }

  transcript({ text, isFinal }: Transcript): void {
    const session = this.#session;
    if (!session?.uplink) return;
    this.#options.dispatch({ type: 'understood', text });
    if (isFinal && session.mode === 'hands-free') session.uplink.understood();
  }

  speechActivity({ isSpeaking }: SpeechActivity): void {
    if (isSpeaking) this.#session?.uplink?.speechBegan();
    if (this.#session?.uplink) this.#options.dispatch({ type: 'speaking', isSpeaking });
  }

  /** What was said hands-free is committed as a turn, or never will be. */
  committed(): void {
    if (this.#session?.mode !== 'hands-free') return;
    this.#session.uplink?.understood();
    this.#options.dispatch({ type: 'understood', text: '' });
  }

  /** The server listens no longer. */
  speechEnded({ message, text }: SpeechEnded): void {
    const session = this.#session;
    if (!session?.uplink) return;
    session.uplink.ended();
    // Somebody is waiting for the text already.
    if (session.waiting.signal.aborted) {
      session.refusal = message;
      return;
    }
    const { mode, recording } = session;
    if (mode === 'push-to-talk' && recording && text?.trim()) {
      this.#letGo(session);
      this.#options.say(text, recording);
      this.#options.dispatch({ type: 'mic-off', hint: message });
    } else {
      this.#failed(session, { kind: 'server', message, mode });
    }
  }

  channelLost(): void {
    this.#isOnline = false;
    this.#session?.uplink?.channelLost();
    this.#options.dispatch({ type: 'speaking', isSpeaking: false });
  }

  /** @param isCommitted whether what was being said has become a message meanwhile */
  channelBack(isCommitted: boolean): void {
    this.#isOnline = true;
    if (isCommitted) this.committed();
    this.#session?.uplink?.channelBack();
  }

  /** Lets go of everything. */
  close(): void {
    const session = this.#session;
    if (!session) return;
    this.#letGo(session);
    session.uplink?.discard();
  }

  /** Opens a device for this session; null when it is not wanted any more. */
  async #open(session: Session, deviceId: string | null): Promise<Microphone | null> {
    let opened: Microphone | null = null;
    const listener: MicrophoneListener = {
      sound: (samples) => {
        if (opened && session.mic === opened) this.#sound(session, samples);
        else if (!session.mic) session.early.push(samples);
      },
      ended: (reason) => void this.#deviceGone(session, reason),
      silenced: (isSilenced) => {
        if (this.#session === session)
          this.#options.dispatch({ type: 'mic-trouble', trouble: isSilenced ? 'silenced' : null });
      },
    };
    const open = this.#options.open ?? openMicrophone;
    opened = await open(listener, deviceId);
    if (this.#session === session && !session.waiting.signal.aborted) return opened;
    opened.close();
    return null;
  }

  /** Decides who listens, and lets them. */
  #listen(session: Session, mic: Microphone): void {
    if (session.mode === 'push-to-talk') session.recording = new Recording(mic.sampleRate);
    const { recognition } = this.#options.settings();
    if (session.mode === 'push-to-talk' && recognition === 'automatic' && hasBrowserRecognition()) {
      const dictate = this.#options.dictate ?? startDictation;
      session.dictation = dictate({
        heard: (text) => {
          if (this.#session === session) this.#options.dispatch({ type: 'understood', text });
        },
        failed: () => {
          if (this.#session !== session) return;
          rememberBroken();
          this.#letServerListen(session);
        },
      });
      return;
    }
    this.#letServerListen(session);
  }

  /** The server gets everything from the beginning. */
  #letServerListen(session: Session): void {
    const conversationId = this.#options.conversationId();
    const { mic, mode, recording } = session;
    const { ears, earsMessage } = this.#options.settings();
    if (!mic || conversationId === null) return;
    if (ears !== 'ready') {
      this.#failed(session, { kind: 'server', message: earsMessage ?? NO_EARS, mode });
      return;
    }
    session.uplink = new SpeechUplink(
      this.#options.channel,
      {
        conversationId,
        sampleRate: mic.sampleRate,
        mode,
        ...(this.#options.isVoiceOn() ? {} : { voice: false }),
      },
      {
        refused: (message) => {
          session.refusal = message;
          if (!session.waiting.signal.aborted) this.#failed(session, { kind: 'server', message, mode });
        },
        dropped: () => {
          if (this.#session === session) this.#options.dispatch({ type: 'talk-hint', hint: DROPPED });
        },
      },
      { isOnline: this.#isOnline, backlog: recording?.chunks ?? [] },
    );
  }

  #sound(session: Session, samples: Samples): void {
    if (this.#session !== session || !session.mic) return;
    const seconds = samples.length / session.mic.sampleRate;
    this.#loudness = loudness(samples);
    this.#watchSoundless(session, samples, seconds);
    if (session.dictation && !session.uplink) this.#watchLoudness(session, seconds);
    const isFull = session.recording !== null && !session.recording.add(samples);
    session.uplink?.push(samples);
    if (isFull) void this.finish(FULL);
    session.idleSeconds = this.#loudness > SPEECH_LOUDNESS ? 0 : session.idleSeconds + seconds;
    if (session.mode === 'hands-free' && session.idleSeconds > IDLE_SECONDS) void this.finish(IDLE);
  }

  #watchSoundless(session: Session, samples: Samples, seconds: number): void {
    const wasMute = session.soundlessSeconds > SOUNDLESS_SECONDS;
    session.soundlessSeconds = hasSound(samples) ? 0 : session.soundlessSeconds + seconds;
    const isMute = session.soundlessSeconds > SOUNDLESS_SECONDS;
    if (isMute !== wasMute) this.#options.dispatch({ type: 'mic-trouble', trouble: isMute ? 'mute' : null });
  }

  /** Shows that somebody is heard, where the browser listens and does not tell. */
  #watchLoudness(session: Session, seconds: number): void {
    session.heardFor = this.#loudness > SPEECH_LOUDNESS ? SPEECH_SECONDS : session.heardFor - seconds;
    this.#options.dispatch({ type: 'speaking', isSpeaking: session.heardFor > 0 });
  }

  async #takeMessage(session: Session, hint: string | undefined): Promise<void> {
    const text = await this.#understand(session);
    if (this.#session !== session) return;
    this.#letGo(session);
    const { recording, refusal, mode } = session;
    if (text && recording) {
      // The message stands in the conversation in the same moment as the forming one goes.
      this.#options.say(text, recording);
      this.#options.dispatch({ type: 'mic-off', ...(hint ? { hint } : {}) });
    } else if (refusal !== null) {
      this.#options.dispatch({ type: 'mic-off', problem: { kind: 'server', message: refusal, mode } });
    } else {
      this.#options.dispatch({ type: 'mic-off', hint: text === null ? LOST : NOTHING_UNDERSTOOD });
    }
  }

  /** What was said from the beginning to the end; '' for nothing, null when it could not be brought to the server. */
  async #understand(session: Session): Promise<string | null> {
    const { dictation, recording } = session;
    if (dictation) {
      const text = (await dictation.finish()).trim();
      if (text && !session.uplink) return text;
      if (this.#session !== session) return null;
      const canServer = recording?.hasSound && this.#options.settings().ears === 'ready';
      if (!session.uplink && !canServer) return text;
      if (!session.uplink) this.#letServerListen(session);
    }
    const patienceMs = UNDERSTANDING_MS + (recording?.seconds ?? 0) * UNDERSTANDING_MS_PER_SECOND;
    const text = await session.uplink?.end(AbortSignal.timeout(patienceMs));
    // The browser heard nothing where there was something.
    if (dictation && text?.trim()) rememberBroken();
    return text?.trim() ?? null;
  }

  async #hangUp(session: Session, hint: string | undefined): Promise<void> {
    await session.uplink?.end(AbortSignal.timeout(HANGING_UP_MS));
    if (this.#session !== session) return;
    this.#letGo(session);
    this.#options.dispatch({ type: 'mic-off', ...(hint ? { hint } : {}) });
  }

  /** Unplugged in the middle: hands-free goes on with another one, a push to talk with what it has. */
  async #deviceGone(session: Session, reason: 'unplugged' | 'denied'): Promise<void> {
    if (this.#session !== session || session.waiting.signal.aborted) return;
    const { mode } = session;
    const failure = reason === 'denied' ? 'denied' : 'unplugged';
    const problem: TalkProblem = { kind: 'device', failure, mode };
    if (mode === 'hands-free' && reason === 'unplugged') {
      try {
        const label = await this.#change(session, null);
        const hint = `The microphone was unplugged. You are heard through “${label}” now.`;
        if (label !== null) this.#options.dispatch({ type: 'talk-hint', hint });
        return;
      } catch (error) {
        logProblem('There is no other microphone.', error);
      }
    }
    await this.finish();
    if (this.#session === null) this.#options.dispatch({ type: 'mic-off', problem });
  }

  /** Goes on with another microphone; answers its name, or null when nobody wants it any more. */
  async #change(session: Session, deviceId: string | null): Promise<string | null> {
    const before = session.mic;
    const mic = await this.#open(session, deviceId);
    if (!mic || !before) return null;
    before.close();
    session.mic = mic;
    this.#options.dispatch({ type: 'mic-open', deviceId: mic.deviceId, at: performance.now() });
    if (mic.sampleRate !== before.sampleRate) await this.#listenAnew(session, mic);
    await this.#listDevices();
    return mic.label;
  }

  /** A stream and a recording have one rate: another one is a new beginning. */
  async #listenAnew(session: Session, mic: Microphone): Promise<void> {
    const { uplink, dictation } = session;
    session.uplink = null;
    session.dictation = null;
    dictation?.close();
    if (session.mode === 'push-to-talk') uplink?.discard();
    else await uplink?.end(AbortSignal.timeout(HANGING_UP_MS));
    if (this.#session === session) this.#listen(session, mic);
  }

  #failed(session: Session, problem: TalkProblem): void {
    if (this.#session !== session) return;
    this.#letGo(session);
    session.uplink?.discard();
    this.#giveBackFloor(session);
    this.#options.dispatch({ type: 'mic-off', problem });
    void this.#listDevices();
  }

  /** Nothing has been said: the agent goes on. */
  #giveBackFloor({ mode, mic }: Session): void {
    if (mode === 'push-to-talk' && !mic) this.#options.floor.release();
  }

  #letGo(session: Session): void {
    if (this.#session === session) this.#session = null;
    session.waiting.abort();
    session.unwatch();
    session.dictation?.close();
    session.mic?.close();
    this.#loudness = 0;
  }

  async #listDevices(): Promise<void> {
    const list = this.#options.list ?? listMicrophones;
    this.#options.dispatch({ type: 'mic-devices', devices: await list() });
  }
}

function deviceProblem(error: unknown, mode: TalkMode): TalkProblem {
  if (!(error instanceof MicrophoneError)) logProblem('The microphone could not be opened.', error);
  const failure = error instanceof MicrophoneError ? error.failure : 'unsupported';
  return { kind: 'device', failure, mode };
}
