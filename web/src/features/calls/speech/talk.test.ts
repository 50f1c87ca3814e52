import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { BargeIn, SpeechAck, SpeechEnd, SpeechStart } from '#shared/realtime';
import { settle } from '#web/lib/loudspeaker/fake-sound-context';
import { MicrophoneError } from '#web/lib/microphone/microphone';
import type { TalkSettings } from './ears.ts';
import { chunkOfSound, FakeMicrophone } from './fake-microphone.ts';
import type { Recording } from './recording.ts';
import { Talk } from './talk.ts';
import { initialTalkState, type TalkState, talkReducer } from './talk-state.ts';

let microphone: FakeMicrophone;
let settings: TalkSettings;
let state: TalkState;
let said: { text: string; seconds: number }[];
let floor: BargeIn['phase'][];
let starts: SpeechStart[];
let ends: SpeechEnd[];
let sentSamples: number;
let startAck: () => Promise<SpeechAck>;
let endAck: () => Promise<SpeechAck>;
let talk: Talk;
const transcript = (text: string, isFinal = false) =>
  talk.transcript({ conversationId: 'call-1', text, isFinal });

beforeEach(() => {
  vi.spyOn(console, 'warn').mockReturnValue();
  microphone = new FakeMicrophone();
  settings = { recognition: 'server', ears: 'ready', earsMessage: null };
  state = initialTalkState;
  said = [];
  floor = [];
  starts = [];
  ends = [];
  sentSamples = 0;
  startAck = async () => ({ ok: true });
  endAck = async () => ({ ok: true, text: 'Where is my parcel?' });
  talk = new Talk({
    channel: {
      speechStart: (payload) => {
        starts.push(payload);
        return startAck();
      },
      speechAudio: async (_index, audio) => {
        sentSamples += audio.byteLength / 2;
        return { ok: true };
      },
      speechEnd: (payload) => {
        ends.push(payload);
        return endAck();
      },
    },
    dispatch: (action) => {
      state = talkReducer(state, action);
    },
    conversationId: () => 'call-1',
    settings: () => settings,
    isVoiceOn: () => true,
    floor: {
      hold: () => floor.push('hold'),
      release: () => floor.push('release'),
      interrupt: () => floor.push('interrupt'),
    },
    say: (text: string, recording: Recording) => said.push({ text, seconds: recording.seconds }),
    ...microphone.asOptions(),
  });
});

/** Gives the browser a recogniser of its own. */
function browserListens(): void {
  settings.recognition = 'automatic';
  vi.stubGlobal('SpeechRecognition', class {});
}

describe('push to talk', () => {
  it('gives what the server understood as a message with its recording', async () => {
    await talk.start('push-to-talk');
    expect(state).toMatchObject({ mode: 'push-to-talk', phase: 'open', deviceId: 'built-in' });
    expect(starts).toEqual([{ conversationId: 'call-1', sampleRate: 16_000, mode: 'push-to-talk' }]);
    for (let chunk = 0; chunk < 20; chunk++) microphone.sound();
    transcript('Where is');
    expect(state.text).toBe('Where is');
    await talk.finish();
    expect(said).toEqual([{ text: 'Where is my parcel?', seconds: expect.closeTo(0.96) }]);
    expect(sentSamples).toBe(20 * 768);
    expect(state).toMatchObject({ mode: null, phase: 'off', text: '', problem: null, hint: null });
    expect(microphone.open).toBe(0);
  });

  it('pauses the agent at once, and takes the floor when the microphone is open', async () => {
    let allow = () => {};
    microphone.asking = new Promise((resolve) => {
      allow = resolve;
    });
    const started = talk.start('push-to-talk');
    expect(floor).toEqual(['hold']);
    allow();
    await started;
    expect(floor).toEqual(['hold', 'interrupt']);
  });

  it('says gently that nothing was understood, and sends nothing', async () => {
    endAck = async () => ({ ok: true, text: '' });
    await talk.start('push-to-talk');
    microphone.sound();
    await talk.finish();
    expect(said).toEqual([]);
    expect(state.hint).toBe('I did not catch that. Please try again, or type it.');
  });

  it('can be discarded', async () => {
    await talk.start('push-to-talk');
    microphone.sound();
    talk.cancel();
    expect(ends).toEqual([{ conversationId: 'call-1', discard: true }]);
    expect([said, microphone.open, state.phase]).toEqual([[], 0, 'off']);
  });

  it('lets go of a microphone that opens after it is not wanted any more', async () => {
    let allow = () => {};
    microphone.asking = new Promise((resolve) => {
      allow = resolve;
    });
    const started = talk.start('push-to-talk');
    await talk.finish();
    expect(state.phase).toBe('off');
    allow();
    await started;
    expect(microphone.open).toBe(0);
    expect(floor).toEqual(['hold', 'release']);
  });

  it('ends by itself after five minutes and sends what was said', async () => {
    await talk.start('push-to-talk');
    for (let second = 0; second < 301; second++) microphone.sound(chunkOfSound(16_000));
    await expect.poll(() => state.phase).toBe('off');
    expect(said).toEqual([{ text: 'Where is my parcel?', seconds: 300 }]);
    expect(state.hint).toMatch(/longest length/);
  });

  it('uses what the server had understood when it stops listening', async () => {
    await talk.start('push-to-talk');
    microphone.sound();
    talk.speechEnded({
      conversationId: 'call-1',
      message: 'That was long enough.',
      code: 'conflict',
      retryable: true,
      text: 'Half of it',
    });
    expect(said).toMatchObject([{ text: 'Half of it' }]);
    expect(state).toMatchObject({ phase: 'off', hint: 'That was long enough.' });
  });

  it('shows why the server refuses to listen', async () => {
    startAck = async () => ({
      ok: false,
      error: { message: 'Too many microphones.', code: 'conflict', retryable: true },
    });
    await talk.start('push-to-talk');
    await settle();
    expect(state).toMatchObject({
      phase: 'off',
      problem: { kind: 'server', message: 'Too many microphones.' },
    });
    expect(microphone.open).toBe(0);
  });

  it('says what the ears wait for', async () => {
    settings = { recognition: 'server', ears: 'coming', earsMessage: 'Still being fetched (40 %).' };
    await talk.start('push-to-talk');
    expect(state).toMatchObject({ phase: 'off', problem: { message: 'Still being fetched (40 %).' } });
  });
});

describe('the browser that listens itself', () => {
  it('is preferred, shows words as they come, and sends no sound away from the recording', async () => {
    browserListens();
    await talk.start('push-to-talk');
    microphone.sound();
    microphone.dictation?.recognized('Where is');
    expect(state).toMatchObject({ text: 'Where is', isSpeaking: true });
    microphone.dictated = 'Where is my order?';
    await talk.finish();
    expect(said).toMatchObject([{ text: 'Where is my order?' }]);
    expect([starts, microphone.openDictations]).toEqual([[], 0]);
  });

  it('is never asked where speech shall stay on the server', async () => {
    browserListens();
    settings.recognition = 'server';
    await talk.start('push-to-talk');
    expect([microphone.dictation, starts.length]).toEqual([null, 1]);
  });

  it('gives way to the server when it fails: that gets everything from the beginning', async () => {
    browserListens();
    await talk.start('push-to-talk');
    for (let chunk = 0; chunk < 5; chunk++) microphone.sound();
    microphone.dictation?.failed();
    for (let chunk = 0; chunk < 5; chunk++) microphone.sound();
    await talk.finish();
    expect(sentSamples).toBe(10 * 768);
    expect(said).toMatchObject([{ text: 'Where is my parcel?' }]);
    await talk.start('push-to-talk');
    expect(microphone.openDictations).toBe(0);
    expect(starts).toHaveLength(2);
  });

  it('that heard nothing is checked by the server, and not asked again', async () => {
    browserListens();
    await talk.start('push-to-talk');
    for (let chunk = 0; chunk < 5; chunk++) microphone.sound();
    await talk.finish();
    expect(said).toMatchObject([{ text: 'Where is my parcel?' }]);
    microphone.dictation = null;
    await talk.start('push-to-talk');
    expect(microphone.dictation).toBeNull();
  });

  it('is asked again after real silence', async () => {
    browserListens();
    endAck = async () => ({ ok: true, text: '' });
    await talk.start('push-to-talk');
    microphone.sound();
    await talk.finish();
    expect(state.hint).toMatch(/did not catch/);
    microphone.dictation = null;
    await talk.start('push-to-talk');
    expect(microphone.dictation).not.toBeNull();
  });

  it('is not needed hands-free', async () => {
    browserListens();
    await talk.start('hands-free');
    expect([microphone.dictation, starts[0]?.mode]).toEqual([null, 'hands-free']);
  });
});

describe('hands-free', () => {
  it('shows what is heard, and clears it when it has become a message', async () => {
    await talk.start('hands-free');
    expect(floor).toEqual([]);
    talk.speechActivity({ conversationId: 'call-1', isSpeaking: true });
    transcript('When do you');
    expect(state).toMatchObject({ isSpeaking: true, text: 'When do you' });
    talk.speechActivity({ conversationId: 'call-1', isSpeaking: false });
    transcript('When do you open?', true);
    expect(state).toMatchObject({ isSpeaking: false, text: 'When do you open?', phase: 'open' });
    talk.committed();
    expect(state).toMatchObject({ text: '', phase: 'open' });
    expect([said, microphone.open]).toEqual([[], 1]);
  });

  it('hangs up: what was being said still counts', async () => {
    await talk.start('hands-free');
    await talk.finish();
    expect(ends).toEqual([{ conversationId: 'call-1' }]);
    expect([state.phase, microphone.open]).toEqual(['off', 0]);
  });

  it('hangs up by itself when nobody has spoken for ten minutes', async () => {
    microphone.sampleRate = 8_000;
    await talk.start('hands-free');
    const minute = chunkOfSound(8_000 * 60, 20);
    for (let passed = 0; passed < 5; passed++) microphone.sound(minute);
    microphone.sound();
    for (let passed = 0; passed < 9; passed++) microphone.sound(minute);
    expect(state.phase).toBe('open');
    for (let passed = 0; passed < 4; passed++) microphone.sound(minute);
    await expect.poll(() => state.phase).toBe('off');
    expect(state.hint).toMatch(/not spoken for ten minutes/);
    expect(microphone.open).toBe(0);
  });

  it('goes on with another microphone when one is unplugged', async () => {
    microphone.devices.push({ deviceId: 'headset', label: 'Headset' });
    await talk.start('hands-free');
    microphone.unplug();
    await settle();
    expect(state).toMatchObject({ phase: 'open', mode: 'hands-free' });
    expect(state.hint).toMatch(/unplugged.*Built-in/);
    microphone.sound();
    expect(starts).toHaveLength(1);
    expect(sentSamples).toBe(768);
  });

  it('says that the last microphone was unplugged', async () => {
    await talk.start('hands-free');
    microphone.refusal = () => new MicrophoneError('none');
    microphone.unplug();
    await settle();
    expect(state.problem).toEqual({ kind: 'device', failure: 'unplugged', mode: 'hands-free' });
    expect(microphone.open).toBe(0);
  });

  it('begins again after a lost channel, unless what was said is a message by then', async () => {
    await talk.start('hands-free');
    transcript('When do you');
    talk.channelLost();
    talk.channelBack(1);
    expect(starts).toHaveLength(2);
    expect(state.text).toBe('');
  });

  it('says again after a lost channel what was understood and never became a message', async () => {
    await talk.start('hands-free');
    talk.speechActivity({ conversationId: 'call-1', isSpeaking: true });
    for (let chunk = 0; chunk < 40; chunk++) microphone.sound();
    await settle();
    const spoken = sentSamples;
    transcript('When do you open?', true);
    talk.channelLost();
    talk.channelBack(0);
    await settle();
    expect(sentSamples).toBe(2 * spoken);
    transcript('When do you open?', true);
    talk.committed();
    talk.channelLost();
    talk.channelBack(0);
    await settle();
    expect(sentSamples).toBe(2 * spoken);
  });

  it('begins when the channel is back, where it was away at the start', async () => {
    talk.channelLost();
    await talk.start('hands-free');
    expect(starts).toEqual([]);
    talk.channelBack(0);
    expect(starts).toHaveLength(1);
  });
});

describe('a device that is not there', () => {
  it.each(['denied', 'none', 'in-use', 'insecure', 'unsupported'] as const)(
    'is told: %s',
    async (failure) => {
      microphone.refusal = () => new MicrophoneError(failure);
      await talk.start('push-to-talk');
      expect(state).toMatchObject({
        phase: 'off',
        problem: { kind: 'device', failure, mode: 'push-to-talk' },
      });
      expect(floor).toEqual(['hold', 'release']);
    },
  );

  it('is told when the permission is taken back, and what was said still counts', async () => {
    await talk.start('push-to-talk');
    microphone.sound();
    microphone.unplug('denied');
    await settle();
    expect(said).toMatchObject([{ text: 'Where is my parcel?' }]);
    expect(state.problem).toMatchObject({ failure: 'denied' });
  });

  it('is told while a phone call has it', async () => {
    await talk.start('hands-free');
    microphone.silence(true);
    expect(state).toMatchObject({ phase: 'open', trouble: 'silenced' });
    microphone.silence(false);
    expect(state.trouble).toBeNull();
  });

  it('is told when it is switched off, until it sounds', async () => {
    await talk.start('hands-free');
    for (let second = 0; second < 6; second++) microphone.sound(chunkOfSound(16_000, 0));
    expect(state.trouble).toBe('mute');
    microphone.sound();
    expect(state.trouble).toBeNull();
  });
});

describe('choosing a microphone', () => {
  it('takes effect at once and is remembered', async () => {
    microphone.devices.push({ deviceId: 'headset', label: 'Headset' });
    await talk.start('hands-free');
    await talk.chooseDevice('headset');
    expect(state).toMatchObject({ deviceId: 'headset', phase: 'open' });
    expect([microphone.open, starts.length]).toEqual([1, 1]);
    talk.cancel();
    await talk.start('hands-free');
    expect(microphone.opened).toEqual([null, 'headset', 'headset']);
  });

  it('begins another stream where the other one has another rate', async () => {
    await talk.start('hands-free');
    microphone.sampleRate = 48_000;
    await talk.chooseDevice('headset');
    expect(starts.map(({ sampleRate }) => sampleRate)).toEqual([16_000, 48_000]);
  });

  it('keeps the present one where the other cannot be opened', async () => {
    await talk.start('hands-free');
    microphone.refusal = (deviceId) => (deviceId === 'headset' ? new MicrophoneError('in-use') : null);
    await talk.chooseDevice('headset');
    expect(state).toMatchObject({ phase: 'open', hint: 'The microphone could not be opened.' });
    microphone.sound();
    expect(sentSamples).toBe(768);
  });
});

it('lets go of everything when the page goes', async () => {
  browserListens();
  await talk.start('push-to-talk');
  talk.close();
  expect([microphone.open, microphone.openDictations]).toEqual([0, 0]);
});
