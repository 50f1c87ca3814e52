import type { SpeechActivity, SpeechEnded, Transcript } from '#shared/realtime';
import { logProblem } from '#web/lib/log';
import {
  listMicrophones,
  type Microphone,
  MicrophoneError,
  type MicrophoneListener,
  openMicrophone,
  watchMicrophones,
} from '#web/lib/microphone/microphone';
import { keepMicrophoneChoice, readMicrophoneChoice } from '#web/lib/microphone/microphone-choice';
import { t } from '#web/texts/calls';
import type { Floor } from '../floor/floor.ts';
import { Ears, type EarsOptions } from './ears.ts';
import type { Recording } from './recording.ts';
import type { Samples } from './samples.ts';
import { SoundWatch } from './sound-watch.ts';
import type { TalkAction, TalkMode, TalkProblem } from './talk-state.ts';

export interface TalkOptions extends EarsOptions {
  dispatch: (action: TalkAction) => void;
  /** Pressing the button holds the floor; an open microphone takes it, and a missing one gives it back. */
  floor: Pick<Floor, 'hold' | 'interrupt' | 'release'>;
  /** Takes the words of a push to talk, with their sound. */
  say: (text: string, recording: Recording) => void;
  open?: typeof openMicrophone;
  list?: typeof listMicrophones;
}

/** One period with the microphone on. */
interface Session {
  readonly mode: TalkMode;
  readonly waiting: AbortController;
  /** Sound that arrived before the opening was over. */
  readonly early: Samples[];
  mic: Microphone | null;
  ears: Ears | null;
  readonly watch: SoundWatch;
  unwatch: () => void;
}

const NOTHING_UNDERSTOOD = t('talk.notUnderstood');
const LOST = t('talk.lostBefore');
const DROPPED = t('talk.lostPart');
const FULL = t('talk.longest');
const IDLE = t('talk.silent');

/**
 * The customer's microphone in a call. Push to talk: from `start` to `finish` is one message. Hands-free: the server
 * listens until `finish` and commits each turn itself.
 */
export class Talk {
  readonly #options: TalkOptions;
  #session: Session | null = null;
  #isOnline = true;

  constructor(options: TalkOptions) {
    this.#options = options;
  }

  /** Current loudness at the microphone, 0 to 1. */
  readonly level = (): number => {
    const session = this.#session;
    return session && !session.waiting.signal.aborted ? session.watch.loudness : 0;
  };

  get mode(): TalkMode | null {
    return this.#session?.mode ?? null;
  }

  /** Turns the microphone on, unless it is on already. */
  async start(mode: TalkMode): Promise<void> {
    if (this.#session || this.#options.conversationId() === null) return;
    const session: Session = {
      mode,
      waiting: new AbortController(),
      early: [],
      mic: null,
      ears: null,
      watch: new SoundWatch(),
      unwatch: () => {},
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
      // No recogniser is available.
      if (this.#session !== session) return;
      this.#options.dispatch({ type: 'mic-open', deviceId: mic.deviceId, at: performance.now() });
      for (const samples of session.early.splice(0)) this.#sound(session, samples);
      await this.#listDevices();
    } catch (error) {
      this.#failed(session, deviceProblem(error, mode));
    }
  }

  /** Turns the microphone off and keeps the spoken words. */
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
    if (session.mode === 'hands-free') await this.#hangUp(session, hint);
    else await this.#takeMessage(session, hint);
  }

  /** Turns the microphone off and discards words that are not yet a message. */
  cancel(): void {
    const session = this.#session;
    if (!session) return;
    this.#letGo(session);
    session.ears?.discard();
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
      this.#options.dispatch({ type: 'talk-hint', hint: t('talk.microphoneUnopened') });
    }
  }

  transcript(event: Transcript): void {
    this.#session?.ears?.transcript(event);
  }

  speechActivity(event: SpeechActivity): void {
    const ears = this.#session?.ears;
    if (!ears?.isServer) return;
    ears.speechActivity(event);
    this.#options.dispatch({ type: 'speaking', isSpeaking: event.isSpeaking });
  }

  /** A hands-free utterance is committed as a turn, or was refused. */
  committed(): void {
    if (this.#session?.mode === 'hands-free') this.#session.ears?.committed();
  }

  /** The server has stopped listening. */
  speechEnded(event: SpeechEnded): void {
    const session = this.#session;
    if (!session?.ears?.isServer) return;
    session.ears.ended(event);
    // The text is already being waited for.
    if (session.waiting.signal.aborted) return;
    const { mode, ears } = session;
    const { message, text } = event;
    if (ears.recording && text?.trim()) {
      this.#letGo(session);
      this.#options.say(text, ears.recording);
      this.#options.dispatch({ type: 'mic-off', hint: message });
    } else {
      this.#failed(session, { kind: 'server', message, mode });
    }
  }

  channelLost(): void {
    this.#isOnline = false;
    this.#session?.ears?.channelLost();
    this.#options.dispatch({ type: 'speaking', isSpeaking: false });
  }

  /** @param newMessages number of messages that the speech has become meanwhile */
  channelBack(newMessages: number): void {
    this.#isOnline = true;
    for (let n = 0; n < newMessages; n++) this.committed();
    this.#session?.ears?.channelBack();
  }

  /** Releases everything. */
  close(): void {
    const session = this.#session;
    if (!session) return;
    this.#letGo(session);
    session.ears?.discard();
  }

  /** Opens a device for this session; null if the session has ended meanwhile. */
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

  #listen(session: Session, { sampleRate }: Microphone): void {
    const { mode } = session;
    const { dispatch } = this.#options;
    session.ears = new Ears(this.#options, { mode, sampleRate }, this.#isOnline, {
      understood: (text) => dispatch({ type: 'understood', text }),
      failed: (message) => {
        if (!session.waiting.signal.aborted) this.#failed(session, { kind: 'server', message, mode });
      },
      dropped: () => dispatch({ type: 'talk-hint', hint: DROPPED }),
    });
  }

  #sound(session: Session, samples: Samples): void {
    const { mic, ears, watch, mode } = session;
    if (this.#session !== session || !mic) return;
    const wasMute = watch.isMute;
    watch.hear(samples, mic.sampleRate);
    const { dispatch } = this.#options;
    if (watch.isMute !== wasMute) dispatch({ type: 'mic-trouble', trouble: watch.isMute ? 'mute' : null });
    if (ears && !ears.isServer) dispatch({ type: 'speaking', isSpeaking: watch.isSpeech });
    if (ears && !ears.hear(samples)) void this.finish(FULL);
    if (mode === 'hands-free' && watch.isIdle) void this.finish(IDLE);
  }

  async #takeMessage(session: Session, hint: string | undefined): Promise<void> {
    const { ears, mode } = session;
    const text = (await ears?.understand()) ?? null;
    if (this.#session !== session) return;
    this.#letGo(session);
    const { dispatch, say } = this.#options;
    if (text && ears?.recording) {
      // The message replaces the forming one without a gap.
      say(text, ears.recording);
      dispatch({ type: 'mic-off', ...(hint ? { hint } : {}) });
    } else if (ears?.refusal) {
      dispatch({ type: 'mic-off', problem: { kind: 'server', message: ears.refusal, mode } });
    } else {
      dispatch({ type: 'mic-off', hint: text === null ? LOST : NOTHING_UNDERSTOOD });
    }
  }

  async #hangUp(session: Session, hint: string | undefined): Promise<void> {
    await session.ears?.hangUp();
    if (this.#session !== session) return;
    this.#letGo(session);
    this.#options.dispatch({ type: 'mic-off', ...(hint ? { hint } : {}) });
  }

  /** The device was unplugged: hands-free continues with another one, a push to talk keeps what it has. */
  async #deviceGone(session: Session, reason: 'unplugged' | 'denied'): Promise<void> {
    if (this.#session !== session || session.waiting.signal.aborted) return;
    const { mode } = session;
    const failure = reason === 'denied' ? 'denied' : 'unplugged';
    const problem: TalkProblem = { kind: 'device', failure, mode };
    if (mode === 'hands-free' && reason === 'unplugged') {
      try {
        const label = await this.#change(session, null);
        if (label !== null)
          this.#options.dispatch({
            type: 'talk-hint',
            hint: t('talk.otherMicrophone', { microphone: label }),
          });
        return;
      } catch (error) {
        logProblem('There is no other microphone.', error);
      }
    }
    await this.finish();
    if (this.#session === null) this.#options.dispatch({ type: 'mic-off', problem });
  }

  /** Continues with another microphone; returns its name, or null if the session has ended meanwhile. */
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

  /** A stream and a recording have one sample rate: another rate needs a new start. */
  async #listenAnew(session: Session, mic: Microphone): Promise<void> {
    const { ears } = session;
    session.ears = null;
    if (session.mode === 'push-to-talk') ears?.discard();
    else await ears?.hangUp();
    if (this.#session === session) this.#listen(session, mic);
  }

  #failed(session: Session, problem: TalkProblem): void {
    if (this.#session !== session) return;
    this.#letGo(session);
    session.ears?.discard();
    this.#giveBackFloor(session);
    this.#options.dispatch({ type: 'mic-off', problem });
    void this.#listDevices();
  }

  /** Nothing was said: the agent continues. */
  #giveBackFloor({ mode, mic }: Session): void {
    if (mode === 'push-to-talk' && !mic) this.#options.floor.release();
  }

  #letGo(session: Session): void {
    if (this.#session === session) this.#session = null;
    session.waiting.abort();
    session.unwatch();
    session.ears?.close();
    session.mic?.close();
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
