import type { EngineControls } from '#server/engines/controls';
import { createFakeLanguage } from '#server/engines/language/fake';
import { Lately } from '#server/engines/lately';
import { createFakeRecognition } from '#server/engines/recognition/fake';
import { createFakeRooms } from '#server/engines/rooms/fake';
import { createFakeMediaStore } from '#server/engines/storage/fake';
import { createFakeSynthesis } from '#server/engines/synthesis/fake';
import { readConfig } from '#server/settings/config';

/** Controls that only record what is in use, and make fakes; never find a server. */
export function fakeEngineControls(changes: Partial<EngineControls> = {}): EngineControls {
  let inUse: EngineControls['inUse'] = readConfig({});
  return {
    get inUse() {
      return inUse;
    },
    change(config) {
      const { rooms, mediaBucket } = inUse;
      inUse = { ...config, rooms, mediaBucket };
    },
    lately: () => new Lately(),
    find: async () => [],
    ownModels: async () => ({ cores: 2, memory: 8e9, canRun: true, models: [] }),
    make: {
      models: ({ languageModels }) =>
        languageModels.map(({ model }) => ({ ...createFakeLanguage(() => 'Within 45 days.'), name: model })),
      recognition: () => createFakeRecognition({ otherwise: 'Hello!' }),
      synthesis: () => createFakeSynthesis(),
      rooms: async () => createFakeRooms(),
      storage: () => createFakeMediaStore(),
    },
    ...changes,
  };
}
