import { beforeEach, describe, expect, it, vi } from 'vitest';
import { settle } from '#web/lib/loudspeaker/fake-sound-context';
import {
  isMicrophoneAllowed,
  listMicrophones,
  loudness,
  type Microphone,
  MicrophoneError,
  openMicrophone,
} from './microphone.ts';

class FakeTrack extends EventTarget {
  label = 'Built-in';
  readyState = 'live';
  readonly #deviceId: string;
  constructor(deviceId: string) {
    super();
    this.#deviceId = deviceId;
  }
  getSettings() {
    return { deviceId: this.#deviceId };
  }
  stop() {
    this.readyState = 'ended';
  }
}

class FakeWorkletNode {
  static all: FakeWorkletNode[] = [];
  readonly options: { processorOptions: { chunkFrames: number } };
  readonly port = {
    onmessage: null as ((event: { data: ArrayBuffer }) => void) | null,
    postMessage: () => {
      if (this.answersFlush) this.post(this.left);
    },
  };
  answersFlush = true;
  left = 0;
  constructor(_context: unknown, _name: string, options: { processorOptions: { chunkFrames: number } }) {
    this.options = options;
    FakeWorkletNode.all.push(this);
  }
  /** The audio thread posts this many samples. */
  post(samples = this.options.processorOptions.chunkFrames) {
    this.port.onmessage?.({ data: new Int16Array(samples).fill(100).buffer });
  }
}

class FakeContext {
  static all: FakeContext[] = [];
  /** Firefox does not convert sample rates. */
  static converts = true;
  readonly sampleRate: number;
  state = 'running';
  isClosed = false;
  readonly audioWorklet = { addModule: vi.fn(async () => {}) };
  constructor({ sampleRate }: { sampleRate?: number } = {}) {
    this.sampleRate = sampleRate ?? 48_000;
    FakeContext.all.push(this);
  }
  createMediaStreamSource() {
    if (!FakeContext.converts && this.sampleRate !== 48_000) throw new DOMException('', 'NotSupportedError');
    return { connect: () => {}, disconnect: () => {} };
  }
  async resume() {}
  async close() {
    this.isClosed = true;
  }
}

class FakeDevices extends EventTarget {
  tracks: FakeTrack[] = [];
  asked: MediaTrackConstraints[] = [];
  refusal: ((constraints: MediaTrackConstraints) => string | null) | null = null;
  plugged = ['built-in', 'headset'];
  async getUserMedia({ audio }: { audio: MediaTrackConstraints }) {
    this.asked.push(audio);
    const refused = this.refusal?.(audio);
    if (refused) throw new DOMException('', refused);
    const wished = audio.deviceId;
    const exact = typeof wished === 'object' && 'exact' in wished ? String(wished.exact) : 'built-in';
    const track = new FakeTrack(exact);
    this.tracks.push(track);
    return { getAudioTracks: () => [track], getTracks: () => [track] };
  }
  async enumerateDevices() {
    return [
      ...this.plugged.map((deviceId) => ({ kind: 'audioinput', deviceId, label: `The ${deviceId}` })),
      { kind: 'audiooutput', deviceId: 'speaker', label: 'Speaker' },
      { kind: 'audioinput', deviceId: '', label: '' },
    ];
  }
}

let devices: FakeDevices;
let told: string[];
let permission: string;
const track = () => {
  const last = devices.tracks.at(-1);
  if (!last) throw new Error('None is open.');
  return last;
};
const worklet = () => {
  const last = FakeWorkletNode.all.at(-1);
  if (!last) throw new Error('None is open.');
  return last;
};
const open = (deviceId?: string): Promise<Microphone> =>
  openMicrophone(
    {
      sound: (samples) => told.push(`sound ${samples.length}`),
      ended: (reason) => told.push(`ended ${reason}`),
      silenced: (isSilenced) => told.push(`silenced ${isSilenced}`),
    },
    deviceId,
  );
const failureOf = (opening: Promise<unknown>) =>
  opening.then(
    () => 'none at all',
    (error: unknown) => (error instanceof MicrophoneError ? error.failure : String(error)),
  );

beforeEach(() => {
  vi.spyOn(console, 'warn').mockReturnValue();
  devices = new FakeDevices();
  told = [];
  permission = 'granted';
  FakeContext.all = [];
  FakeContext.converts = true;
  FakeWorkletNode.all = [];
  vi.stubGlobal('AudioContext', FakeContext);
  vi.stubGlobal('AudioWorkletNode', FakeWorkletNode);
  vi.stubGlobal('navigator', {
    mediaDevices: devices,
    permissions: { query: async () => ({ state: permission }) },
  });
});

describe('opening', () => {
  it('asks for one channel without echo and noise, and tells its sound in pieces of 48 ms', async () => {
    const microphone = await open();
    expect(devices.asked).toEqual([
      { echoCancellation: true, noiseSuppression: true, autoGainControl: true, channelCount: 1 },
    ]);
    expect(microphone).toMatchObject({ sampleRate: 16_000, deviceId: 'built-in', label: 'Built-in' });
    worklet().post();
    expect(told).toEqual(['sound 768']);
  });

  it('takes the rate of the device where the browser does not convert', async () => {
    FakeContext.converts = false;
    expect(await open()).toMatchObject({ sampleRate: 48_000 });
    expect(FakeContext.all.map((context) => context.isClosed)).toEqual([true, false]);
    worklet().post();
    expect(told).toEqual(['sound 2304']);
  });

  it('takes the chosen device, and any other when that is not there', async () => {
    expect(await open('headset')).toMatchObject({ deviceId: 'headset' });
    devices.refusal = (audio) => (audio.deviceId ? 'OverconstrainedError' : null);
    expect(await open('headset')).toMatchObject({ deviceId: 'built-in' });
  });

  it.each([
    ['NotAllowedError', 'denied'],
    ['SecurityError', 'denied'],
    ['NotFoundError', 'none'],
    ['NotReadableError', 'in-use'],
    ['AbortError', 'in-use'],
    ['TypeError', 'unsupported'],
  ])('tells %s as %s', async (name, failure) => {
    devices.refusal = () => name;
    expect(await failureOf(open())).toBe(failure);
    expect(await failureOf(open('headset'))).toBe(failure);
  });

  it('tells a page that is not secure from a browser that cannot', async () => {
    vi.stubGlobal('navigator', {});
    vi.stubGlobal('isSecureContext', false);
    expect(await failureOf(open())).toBe('insecure');
    vi.stubGlobal('isSecureContext', true);
    expect(await failureOf(open())).toBe('unsupported');
  });

  it('lets the device go when its sound cannot be had', async () => {
    vi.stubGlobal('AudioWorkletNode', undefined);
    expect(await failureOf(open())).toBe('unsupported');
    expect(track().readyState).toBe('ended');
    expect(FakeContext.all.every((context) => context.isClosed)).toBe(true);
  });
});

describe('letting go', () => {
  it('tells the last samples first', async () => {
    const microphone = await open();
    worklet().left = 100;
    await microphone.finish();
    worklet().post();
    expect(told).toEqual(['sound 100']);
    expect([track().readyState, FakeContext.all.at(-1)?.isClosed]).toEqual(['ended', true]);
  });

  it('does not wait for an audio thread that does not answer', async () => {
    vi.useFakeTimers();
    const microphone = await open();
    worklet().answersFlush = false;
    const finished = microphone.finish();
    await vi.advanceTimersByTimeAsync(150);
    await finished;
    expect(track().readyState).toBe('ended');
  });

  it('at once tells nothing more', async () => {
    const microphone = await open();
    const opened = track();
    microphone.close();
    worklet().post();
    opened.dispatchEvent(new Event('ended'));
    await settle();
    expect([told, opened.readyState]).toEqual([[], 'ended']);
  });
});

describe('what happens to a device', () => {
  it('unplugged or forbidden, it is gone', async () => {
    await open();
    track().dispatchEvent(new Event('ended'));
    await settle();
    permission = 'denied';
    await open();
    track().dispatchEvent(new Event('ended'));
    await settle();
    expect(told).toEqual(['ended unplugged', 'ended denied']);
  });

  it('is noticed where the system only drops it from the list', async () => {
    await open('headset');
    devices.plugged = ['built-in'];
    devices.dispatchEvent(new Event('devicechange'));
    await settle();
    expect(told).toEqual(['ended unplugged']);
    expect(FakeContext.all.at(-1)?.isClosed).toBe(true);
  });

  it('stays when another is plugged in', async () => {
    await open();
    devices.plugged.push('another');
    devices.dispatchEvent(new Event('devicechange'));
    await settle();
    expect(told).toEqual([]);
  });

  it('is silenced by a phone call, and comes back', async () => {
    await open();
    track().dispatchEvent(new Event('mute'));
    track().dispatchEvent(new Event('unmute'));
    expect(told).toEqual(['silenced true', 'silenced false']);
  });
});

it('lists the microphones that can be told apart', async () => {
  expect(await listMicrophones()).toEqual([
    { deviceId: 'built-in', label: 'The built-in' },
    { deviceId: 'headset', label: 'The headset' },
  ]);
  vi.stubGlobal('navigator', {});
  expect(await listMicrophones()).toEqual([]);
});

it('knows whether it may listen without asking', async () => {
  expect(await isMicrophoneAllowed()).toBe(true);
  permission = 'prompt';
  expect(await isMicrophoneAllowed()).toBe(false);
  vi.stubGlobal('navigator', {});
  expect(await isMicrophoneAllowed()).toBe(false);
});

it('measures loudness from a quiet room to speaking up', () => {
  const wave = (peak: number) => Int16Array.from({ length: 800 }, (_, index) => (index % 2 ? peak : -peak));
  expect(loudness(wave(0))).toBe(0);
  expect(loudness(wave(20))).toBe(0);
  expect(loudness(wave(1_500))).toBeGreaterThan(0.5);
  expect(loudness(wave(12_000))).toBe(1);
  expect(loudness(new Int16Array(0))).toBe(0);
});
