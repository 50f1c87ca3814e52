import { serveWorkerThread } from '#server/threads/worker-thread';
import { type ReadJson, readJson } from './read-json.ts';

export type JsonMethods = {
  read: (request: { body: Uint8Array }) => ReadJson | null;
};

const methods: JsonMethods = { read: ({ body }) => readJson(body) };

serveWorkerThread(methods);
