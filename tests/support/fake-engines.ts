import { createFakeActions } from '#server/engines/actions/fake';
import { createFakeDocuments } from '#server/engines/documents/fake';
import { createFakeEncoder, soundOfText } from '#server/engines/encoding/fake';
import type { Engines } from '#server/engines/index';
import { createFakeOutside } from '#server/engines/outside/fake';
import { createFakeParticipants } from '#server/engines/participants/fake';
import { createFakeReading } from '#server/engines/reading/fake';
import { createFakeRecognition } from '#server/engines/recognition/fake';
import { createFakeRooms } from '#server/engines/rooms/fake';
import { createFakeSentiment } from '#server/engines/sentiment/fake';
import { MemoryState } from '#server/engines/shared-state/memory';
import { createFakeMediaStore } from '#server/engines/storage/fake';
import type { SynthesisEngine } from '#server/engines/synthesis/contract';
import { createTurnJudgement } from '#server/engines/turn-judgement/index';
import { createFakeVoiceActivity } from '#server/engines/voice-activity/fake';
import { fakeEngineControls } from './fake-engine-controls.ts';

/** A voice that is always ready and silent: 10 ms per character. */
export const silentVoice = (): SynthesisEngine => ({
  name: 'Silent voice',
  status: () => ({ state: 'ready', message: 'The voice is ready.' }),
  async *synthesize({ text, signal }) {
    signal?.throwIfAborted();
    yield { text, ...soundOfText(text, text.length * 10) };
  },
  async close() {},
});

/** The only existing address, unless a test adds others. */
export const A_PAGE = 'https://shop.example/returns';

/**
 * A fake of every engine, except those given; turns are judged by the real rules, which are plain functions.
 */
export const fakeEngines = (engines: Partial<Engines> = {}): Engines => ({
  sharedState: new MemoryState(),
  synthesis: silentVoice(),
  encoder: createFakeEncoder(),
  reading: createFakeReading(),
  models: () => [],
  sentiment: createFakeSentiment(),
  recognition: createFakeRecognition(),
  voiceActivity: createFakeVoiceActivity(),
  turnJudgement: createTurnJudgement(),
  rooms: createFakeRooms(),
  participants: createFakeParticipants(),
  mediaStore: createFakeMediaStore(),
  antivirus: null,
  mail: null,
  identity: null,
  documents: createFakeDocuments(),
  outside: createFakeOutside({ [A_PAGE]: '<h1>Returns</h1><p>A lamp can be sent back within 45 days.</p>' }),
  actions: createFakeActions(),
  controls: fakeEngineControls(),
  ...engines,
});
