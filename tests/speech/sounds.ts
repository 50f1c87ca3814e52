import { resample } from '#server/audio/resampler';
import { seededRandom } from '#server/lib/seeded-random';
import { CLIP_RATE } from './speech-set.ts';

const samplesIn = (ms: number) => Math.round((ms * CLIP_RATE) / 1_000);
const empty = (ms: number) => new Float32Array(samplesIn(ms));

export const silence = (ms: number): Float32Array => empty(ms);

/** @param rms root mean square, 0 to 1 */
export function whiteNoise(ms: number, seed: number, rms = 0.03): Float32Array {
  const random = seededRandom(seed);
  return levelled(
    empty(ms).map(() => random() * 2 - 1),
    rms,
  );
}

/** From 8 kHz down to 16 Hz; microphones record no lower noise. */
const OCTAVES = 10;

/** Equal power in every octave from 16 Hz up, like rain or a fan: generators that each change half as often (Voss–McCartney). */
export function pinkNoise(ms: number, seed: number, rms = 0.03): Float32Array {
  const random = seededRandom(seed);
  const rows = Array.from({ length: OCTAVES }, () => random() * 2 - 1);
  return levelled(
    empty(ms).map((_, index) => {
      rows[Math.min(OCTAVES - 1, Math.clz32(index & -index) ^ 31)] = random() * 2 - 1;
      return rows.reduce((sum, row) => sum + row, random() * 2 - 1);
    }),
    rms,
  );
}

/** A quiet room and a microphone without speech: about -66 dB, a little more of it low. */
export const roomTone = (ms: number, seed: number): Float32Array => pinkNoise(ms, seed, 0.0005);

/** Mains hum with harmonics. */
export function hum(ms: number, rms = 0.03): Float32Array {
  return levelled(
    empty(ms).map((_, index) =>
      [1, 0.5, 0.6, 0.2, 0.3].reduce(
        (sum, gain, harmonic) =>
          sum + gain * Math.sin((2 * Math.PI * 50 * (harmonic + 1) * index) / CLIP_RATE),
        0,
      ),
    ),
    rms,
  );
}

/** Chords of plucked strings, one every 0.6 s (Karplus–Strong). */
export function tune(ms: number, seed: number, rms = 0.05): Float32Array {
  const random = seededRandom(seed);
  const sound = empty(ms);
  for (let start = 0; start < sound.length; start += samplesIn(600))
    for (const semitones of [0, 4, 7]) {
      const root = [0, 5, 7, 9][Math.floor(random() * 4)] ?? 0;
      const period = Math.round(CLIP_RATE / (196 * 2 ** ((semitones + root) / 12)));
      const string = Float32Array.from({ length: period }, () => random() * 2 - 1);
      for (let at = start; at < sound.length && at < start + samplesIn(1_200); at++) {
        const place = (at - start) % period;
        const now = string[place] ?? 0;
        sound[at] = (sound[at] ?? 0) + now;
        string[place] = 0.498 * (now + (string[(place + 1) % period] ?? 0));
      }
    }
  return levelled(sound, rms);
}

/** A keyboard: two short clicks a key (down, up), some five keys a second, each different. */
export function keyClicks(ms: number, seed: number, peak = 0.25): Float32Array {
  const random = seededRandom(seed);
  const sound = empty(ms);
  const click = (at: number, loudness: number) => {
    const pitch = 1_500 + random() * 3_000;
    const length = samplesIn(12 + random() * 10);
    for (let index = 0; index < length && at + index < sound.length; index++)
      sound[at + index] =
        (sound[at + index] ?? 0) +
        loudness *
          Math.exp((-5 * index) / length) *
          (0.6 * (random() * 2 - 1) + 0.4 * Math.sin((2 * Math.PI * pitch * index) / CLIP_RATE));
  };
  for (let at = samplesIn(80); at < sound.length; at += samplesIn(110 + random() * 170)) {
    click(at, peak * (0.5 + 0.5 * random()));
    click(at + samplesIn(60 + random() * 30), peak * 0.4);
  }
  return sound;
}

/** A door that slams: a thud below 120 Hz, a crack, and the room's echo. */
export function doorSlam(seed: number, peak = 0.8): Float32Array {
  const random = seededRandom(seed);
  const pitch = 55 + random() * 40;
  const sound = empty(700).map((_, index) => {
    const seconds = index / CLIP_RATE;
    const thud = Math.sin(2 * Math.PI * pitch * seconds) * Math.exp(-9 * seconds);
    const crack = (random() * 2 - 1) * Math.exp(-45 * seconds);
    return thud + 0.7 * crack + 0.1 * (random() * 2 - 1) * Math.exp(-7 * seconds);
  });
  const loudest = peakOf(sound);
  return sound.map((sample) => (sample * peak) / loudest);
}

/** One after the other. */
export function joined(...parts: readonly Float32Array[]): Float32Array {
  const whole = new Float32Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** `over` laid over `under` from `atMs`; as long as `under`. */
export function mixed(under: Float32Array, over: Float32Array, atMs = 0): Float32Array {
  const sound = under.slice();
  const start = samplesIn(atMs);
  for (let index = 0; index < over.length && start + index < sound.length; index++)
    sound[start + index] = (sound[start + index] ?? 0) + (over[index] ?? 0);
  return sound;
}

/** Speech with noise at this distance in loudness, both measured during speech, as signal-to-noise ratios are. */
export function inNoise(speech: Float32Array, noise: Float32Array, decibels: number): Float32Array {
  const gain = activeLevel(speech) / levelOf(noise) / 10 ** (decibels / 20);
  const whole = speech.map((sample, index) => sample + (noise[index % noise.length] ?? 0) * gain);
  const loudest = peakOf(whole);
  return loudest > 0.98 ? whole.map((sample) => (sample * 0.98) / loudest) : whole;
}

/** Several voices at once, equally loud, of the given length. */
export function babble(voices: readonly Float32Array[], ms: number): Float32Array {
  const sound = empty(ms);
  voices.forEach((voice, number) => {
    const gain = 0.03 / activeLevel(voice);
    const shift = Math.floor((voice.length * number) / voices.length);
    for (let index = 0; index < sound.length; index++)
      sound[index] = (sound[index] ?? 0) + (voice[(index + shift) % voice.length] ?? 0) * gain;
  });
  return sound;
}

/** A telephone's sound: 300 to 3,400 Hz, sampled at 8 kHz with 8 bits a sample (G.711's μ-law) and converted back. */
export function overTelephone(speech: Float32Array): Float32Array {
  const line = resample(filtered(speech, bandPass(300, 3_400)), CLIP_RATE, 8_000).map(throughMuLaw);
  return resample(line, 8_000, CLIP_RATE);
}

/**
 * The agent's voice at the customer's microphone: the loudspeaker has no bass, the room adds a few echoes, and all of
 * it is this many decibels quieter than the voice itself. `delayMs` is the way through the air and the device's
 * buffers.
 */
export function fromLoudspeaker(voice: Float32Array, decibels: number, delayMs = 60): Float32Array {
  const small = filtered(voice, bandPass(250, 6_500));
  const room = joined(small, silence(400));
  const reflections: readonly (readonly [ms: number, gain: number])[] = [
    [0, 1],
    [11, -0.45],
    [23, 0.33],
    [41, -0.25],
    [67, 0.18],
    [97, 0.13],
    [150, -0.08],
  ];
  let heard: Float32Array = new Float32Array(room.length);
  for (const [ms, gain] of reflections)
    heard = mixed(
      heard,
      small.map((sample) => sample * gain),
      ms,
    );
  const gain = (activeLevel(voice) * 10 ** (decibels / 20)) / activeLevel(heard);
  return joined(
    silence(delayMs),
    heard.map((sample) => sample * gain),
  );
}

/** Root mean square. */
export const levelOf = (sound: Float32Array): number =>
  Math.sqrt(sound.reduce((sum, sample) => sum + sample * sample, 0) / Math.max(1, sound.length));

/** Root mean square of the 10 ms frames within 20 dB of the loudest: of the speech, without its pauses. */
export function activeLevel(sound: Float32Array): number {
  const frame = CLIP_RATE / 100;
  const levels = Array.from({ length: Math.floor(sound.length / frame) }, (_, index) =>
    levelOf(sound.subarray(index * frame, (index + 1) * frame)),
  );
  const loudest = levels.reduce((most, level) => Math.max(most, level), 0);
  const active = levels.filter((level) => level > loudest / 10);
  return Math.sqrt(active.reduce((sum, level) => sum + level * level, 1e-12) / Math.max(1, active.length));
}

export const louder = (sound: Float32Array, decibels: number): Float32Array =>
  sound.map((sample) => sample * 10 ** (decibels / 20));

function levelled(sound: Float32Array, rms: number): Float32Array {
  const gain = rms / (levelOf(sound) || 1);
  return sound.map((sample) => sample * gain);
}

const peakOf = (sound: Float32Array) =>
  sound.reduce((most, sample) => Math.max(most, Math.abs(sample)), 1e-9);

function throughMuLaw(sample: number): number {
  const mu = 255;
  const bounded = Math.max(-1, Math.min(1, sample));
  const packed = (Math.sign(bounded) * Math.log1p(mu * Math.abs(bounded))) / Math.log1p(mu);
  const byte = Math.round(packed * 127) / 127;
  return (Math.sign(byte) * ((1 + mu) ** Math.abs(byte) - 1)) / mu;
}

function bandPass(fromHz: number, toHz: number): Float32Array {
  const high = lowPass(toHz / CLIP_RATE);
  const low = lowPass(fromHz / CLIP_RATE);
  return high.map((value, index) => value - (low[index] ?? 0));
}

/** A windowed sinc (Blackman). @param cutoff in cycles per sample */
function lowPass(cutoff: number): Float32Array {
  const halfLength = 96;
  const length = 2 * halfLength + 1;
  const kernel = Float32Array.from({ length }, (_, index) => {
    const place = index - halfLength;
    const sinc = place === 0 ? 2 * cutoff : Math.sin(2 * Math.PI * cutoff * place) / (Math.PI * place);
    const turn = (2 * Math.PI * index) / (length - 1);
    return sinc * (0.42 - 0.5 * Math.cos(turn) + 0.08 * Math.cos(2 * turn));
  });
  const sum = kernel.reduce((total, value) => total + value, 0);
  return kernel.map((value) => value / sum);
}

/** Convolution that keeps time and length. */
function filtered(sound: Float32Array, kernel: Float32Array): Float32Array {
  const half = (kernel.length - 1) / 2;
  return sound.map((_, index) => {
    let sum = 0;
    for (let tap = 0; tap < kernel.length; tap++)
      sum += (kernel[tap] ?? 0) * (sound[index + half - tap] ?? 0);
    return sum;
  });
}
