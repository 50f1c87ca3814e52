import { logProblem } from '#web/lib/log';
import workletUrl from './microphone-worklet.ts?worker&url';

/** The sample rate of speech recognition; a browser that cannot deliver it uses its own. */
const WISHED_RATE = 16_000;
const CHUNK_SECONDS = 0.048;
/** Samples that an audio thread renders at a time. */
const QUANTUM = 128;
/** Longest wait for the last samples when the microphone is released. */
const FLUSH_MS = 150;
/** Loudness, in decibels below full scale, shown as nothing and as full. */
const QUIET_DB = -58;
const LOUD_DB = -14;

/**
 * Why no microphone is available. `denied`: the person or the system forbids it. `none`: there is none.
 * `in-use`: another app holds it. `insecure`: the page's address is not secure. `unsupported`: the browser
 * cannot.
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
  /**
   * The next sound: 16-bit samples of one channel at the microphone's rate, about 48 ms; the last may be
   * shorter.
   */
  sound(samples: Int16Array<ArrayBuffer>): void;
  /** The device is lost: it was unplugged, or the permission was withdrawn. */
  ended(reason: 'unplugged' | 'denied'): void;
  /** A phone call, another app or a switch mutes its sound, or unmutes it. */
  silenced(isSilenced: boolean): void;
}

export interface Microphone {
  /** Hz. */
  readonly sampleRate: number;
  readonly deviceId: string;
  readonly label: string;
  /** Releases it after its last samples were delivered. */
  finish(): Promise<void>;
  close(): void;
}

export interface MicrophoneDevice {
  deviceId: string;
  label: string;
}

/**
 * Opens a microphone; the browser may ask the person first.
 * @param deviceId the preferred device, if present
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

/** The connected microphones; their names are known once one was allowed. Never rejects. */
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

/** Calls back whenever a microphone is connected or removed, until the returned function is called. */
export function watchMicrophones(changed: () => void): () => void {
  const devices = mediaDevices();
  devices?.addEventListener('devicechange', changed);
  return () => devices?.removeEventListener('devicechange', changed);
}

/** Whether the microphone may be opened without asking. A browser that cannot tell would ask. */
export async function isMicrophoneAllowed(): Promise<boolean> {
  return (await permission()) === 'granted';
}

/** Perceived loudness of samples: 0 is a quiet room, 1 is loud speech. */
export function loudness(samples: Int16Array): number {
  let sum = 0;
  for (const sample of samples) sum += sample * sample;
  const rms = Math.sqrt(sum / Math.max(1, samples.length)) / 32_768;
  const decibels = 20 * Math.log10(Math.max(rms, 1e-6));
  return Math.max(0, Math.min(1, (decibels - QUIET_DB) / (LOUD_DB - QUIET_DB)));
}

/** Undefined on insecure pages, although TypeScript says otherwise. */
function mediaDevices(): MediaDevices | undefined {
  return navigator.mediaDevices;
}

async function permission(): Promise<PermissionState | null> {
  try {
    return (await navigator.permissions.query({ name: 'microphone' })).state;
  } catch {
    // Not every browser can tell.
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
      // The chosen microphone is not connected: use any other.
      if (failureOf(error) !== 'none') throw new MicrophoneError(failureOf(error), error);
    }
  }
  try {
    return await devices.getUserMedia({ audio: wanted });
  } catch (error) {
    throw new MicrophoneError(failureOf(error), error);
  }
}

/**
 * Error names of getUserMedia (Media Capture and Streams, section 10.3), including those of older browsers.
 */
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

/** Delivers the samples of a stream. */
interface Tap {
  sampleRate: number;
  /** Resolves when everything recorded so far was delivered. */
  flush(): Promise<void>;
  close(): void;
}

/**
 * Uses the preferred rate if the browser converts (a third of the bytes to send), otherwise the device's own.
 */
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
  // Some systems remove a device from the list without ending its track.
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
    // Removes the browser's recording indicator.
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
