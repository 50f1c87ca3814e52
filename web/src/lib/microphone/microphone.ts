import { logProblem } from '#web/lib/log';
import workletUrl from './microphone-worklet.ts?worker&url';

/** The rate speech recognition works at; a browser that cannot deliver it gives its own. */
const WISHED_RATE = 16_000;
const CHUNK_SECONDS = 0.048;
/** An audio thread renders this many samples at a time. */
const QUANTUM = 128;
/** How long the last samples may take to arrive when the microphone is let go. */
const FLUSH_MS = 150;
/** Loudness, in decibels below full scale, that counts as nothing and as everything. */
const QUIET_DB = -58;
const LOUD_DB = -14;

/**
 * Why there is no microphone. `denied`: the person or the system forbids it. `none`: there is none. `in-use`: another
 * app holds it. `insecure`: the page's address is not secure. `unsupported`: the browser cannot.
 */
export type MicrophoneFailure = 'denied' | 'none' | 'in-use' | 'insecure' | 'unsupported';

export class MicrophoneError extends Error {
  override readonly name = 'MicrophoneError';
  readonly failure: MicrophoneFailure;

  constructor(failure: MicrophoneFailure, cause?: unknown) {
    super(`No microphone: ${failure}.`, { cause });
    this.failure = failure;
  }
}

export interface MicrophoneListener {
  /** The next sound: 16-bit samples of one channel at the microphone's rate, about 48 ms; the last may be shorter. */
  sound(samples: Int16Array<ArrayBuffer>): void;
  /** The device is gone for good: it was unplugged, or the permission was taken back. */
  ended(reason: 'unplugged' | 'denied'): void;
  /** A phone call, another app or a switch takes its sound away; gives it back, too. */
  silenced(isSilenced: boolean): void;
}

/** A microphone that is open. */
export interface Microphone {
  /** Hz. */
  readonly sampleRate: number;
  readonly deviceId: string;
  /** As its maker calls it. */
  readonly label: string;
  /** Lets it go after its last samples have been told. */
  finish(): Promise<void>;
  /** Lets it go at once. */
  close(): void;
}

export interface MicrophoneDevice {
  deviceId: string;
  label: string;
}

/**
 * Opens a microphone; the browser may ask the person first.
 * @param deviceId the one wished for, when it is there
 * @throws MicrophoneError
 */
export async function openMicrophone(
  listener: MicrophoneListener,
  deviceId: string | null = null,
): Promise<Microphone> {
  const stream = await openStream(deviceId);
  const track = stream.getAudioTracks()[0];
  let tap: Tap | null = null;
  try {
    if (!track) throw new MicrophoneError('none');
    tap = await tapStream(stream, (samples) => {
      if (samples.length > 0) listener.sound(samples);
    });
  } catch (error) {
    for (const each of stream.getTracks()) each.stop();
    if (error instanceof MicrophoneError) throw error;
    throw new MicrophoneError('unsupported', error);
  }
  return watch(track, tap, listener);
}

/** The microphones that are plugged in; their names are known once one of them has been allowed. Never rejects. */
export async function listMicrophones(): Promise<MicrophoneDevice[]> {
  try {
    const devices = (await mediaDevices()?.enumerateDevices()) ?? [];
    return devices
      .filter((device) => device.kind === 'audioinput' && device.deviceId !== '' && device.label !== '')
      .map(({ deviceId, label }) => ({ deviceId, label }));
  } catch (error) {
    logProblem('The microphones could not be listed.', error);
    return [];
  }
}

/** Calls back whenever a microphone is plugged in or out, until the returned function is called. */
export function watchMicrophones(changed: () => void): () => void {
  const devices = mediaDevices();
  devices?.addEventListener('devicechange', changed);
  return () => devices?.removeEventListener('devicechange', changed);
}

/** Whether the microphone may be opened without asking. A browser that does not tell asks. */
export async function isMicrophoneAllowed(): Promise<boolean> {
  return (await permission()) === 'granted';
}

/** Loudness of some samples as a person feels it: 0 is a quiet room, 1 is speaking up. */
export function loudness(samples: Int16Array): number {
  let sum = 0;
  for (const sample of samples) sum += sample * sample;
  const rms = Math.sqrt(sum / Math.max(1, samples.length)) / 32_768;
  const decibels = 20 * Math.log10(Math.max(rms, 1e-6));
  return Math.max(0, Math.min(1, (decibels - QUIET_DB) / (LOUD_DB - QUIET_DB)));
}

/** Browsers hide it on pages that are not secure, whatever TypeScript says. */
function mediaDevices(): MediaDevices | undefined {
  return navigator.mediaDevices;
}

async function permission(): Promise<PermissionState | null> {
  try {
    return (await navigator.permissions.query({ name: 'microphone' })).state;
  } catch {
    // Not every browser tells.
    return null;
  }
}

async function openStream(deviceId: string | null): Promise<MediaStream> {
  const devices = mediaDevices();
  if (!devices) throw new MicrophoneError(window.isSecureContext === false ? 'insecure' : 'unsupported');
  const wanted = { echoCancellation: true, noiseSuppression: true, autoGainControl: true, channelCount: 1 };
  if (deviceId !== null) {
    try {
      return await devices.getUserMedia({ audio: { ...wanted, deviceId: { exact: deviceId } } });
    } catch (error) {
      // The one chosen another day is not there today: any other will do.
      if (failureOf(error) !== 'none') throw new MicrophoneError(failureOf(error), error);
    }
  }
  try {
    return await devices.getUserMedia({ audio: wanted });
  } catch (error) {
    throw new MicrophoneError(failureOf(error), error);
  }
}

/** What getUserMedia rejects with (Media Capture and Streams, section 10.3), and the names older browsers use. */
function failureOf(error: unknown): MicrophoneFailure {
  switch (error instanceof Error ? error.name : '') {
    case 'NotAllowedError':
    case 'SecurityError':
    case 'PermissionDeniedError':
      return 'denied';
    case 'NotFoundError':
    case 'OverconstrainedError':
    case 'DevicesNotFoundError':
      return 'none';
    case 'NotReadableError':
    case 'AbortError':
    case 'TrackStartError':
      return 'in-use';
    default:
      return 'unsupported';
  }
}

/** Where the samples of a stream come out. */
interface Tap {
  sampleRate: number;
  /** Resolves when everything recorded so far has come out. */
  flush(): Promise<void>;
  close(): void;
}

/** At the wished rate where the browser converts (a third of the bytes to send), otherwise at its own. */
async function tapStream(
  stream: MediaStream,
  onSamples: (samples: Int16Array<ArrayBuffer>) => void,
): Promise<Tap> {
  let context = new AudioContext({ sampleRate: WISHED_RATE, latencyHint: 'interactive' });
  try {
    let source: MediaStreamAudioSourceNode;
    try {
      source = context.createMediaStreamSource(stream);
    } catch {
      // Firefox does not convert between the rates of a device and a context.
      closeContext(context);
      context = new AudioContext({ latencyHint: 'interactive' });
      source = context.createMediaStreamSource(stream);
    }
    await context.audioWorklet.addModule(workletUrl);
    const chunkFrames = Math.round((context.sampleRate * CHUNK_SECONDS) / QUANTUM) * QUANTUM;
    const node = new AudioWorkletNode(context, 'microphone', {
      numberOfInputs: 1,
      numberOfOutputs: 0,
      channelCount: 1,
      channelCountMode: 'explicit',
      processorOptions: { chunkFrames },
    });
    let flushed = () => {};
    node.port.onmessage = ({ data }: MessageEvent<ArrayBuffer>) => {
      const samples = new Int16Array(data);
      onSamples(samples);
      // Only a flush posts less than a whole chunk.
      if (samples.length < chunkFrames) flushed();
    };
    source.connect(node);
    if (context.state === 'suspended') await context.resume();
    return {
      sampleRate: context.sampleRate,
      flush: () =>
        new Promise((resolve) => {
          const timer = setTimeout(resolve, FLUSH_MS);
          flushed = () => {
            clearTimeout(timer);
            resolve();
          };
          node.port.postMessage('flush');
        }),
      close: () => {
        node.port.onmessage = null;
        source.disconnect();
        closeContext(context);
      },
    };
  } catch (error) {
    closeContext(context);
    throw error;
  }
}

function closeContext(context: AudioContext): void {
  context.close().catch((error: unknown) => logProblem('The audio input did not close.', error));
}

function watch(track: MediaStreamTrack, tap: Tap, listener: MicrophoneListener): Microphone {
  const deviceId = track.getSettings().deviceId ?? '';
  let isOpen = true;

  const onEnded = () => {
    if (!isOpen) return;
    close();
    void permission().then((state) => listener.ended(state === 'denied' ? 'denied' : 'unplugged'));
  };
  const onMute = () => listener.silenced(true);
  const onUnmute = () => listener.silenced(false);
  // Some systems drop a device from the list without ending its track.
  const onDevices = async () => {
    const devices = await listMicrophones();
    const isGone = devices.length > 0 && !devices.some((device) => device.deviceId === deviceId);
    if (deviceId !== '' && (isGone || track.readyState === 'ended')) onEnded();
  };
  track.addEventListener('ended', onEnded);
  track.addEventListener('mute', onMute);
  track.addEventListener('unmute', onUnmute);
  const unwatch = watchMicrophones(() => void onDevices());

  function close(): void {
    if (!isOpen) return;
    isOpen = false;
    track.removeEventListener('ended', onEnded);
    track.removeEventListener('mute', onMute);
    track.removeEventListener('unmute', onUnmute);
    unwatch();
    // Takes the browser's recording sign away.
    track.stop();
    tap.close();
  }

  return {
    sampleRate: tap.sampleRate,
    deviceId,
    label: track.label,
    finish: async () => {
      if (!isOpen) return;
      await tap.flush();
      close();
    },
    close,
  };
}
