import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../support/free-port.ts';
import { RoomCustomer } from '../../support/room-customers.ts';
import { tokenFor } from '../../support/room-peers.ts';
import type { RunningRooms } from '../../support/room-servers.ts';
import { RoomCall } from '../rooms-agent.call.ts';
import { RoomCaller } from './ours.ts';
import { PeerProgram } from './program.ts';
import type { MeasuredSystem } from './system.ts';

const AGENT = fileURLToPath(new URL('./livekit_agent.py', import.meta.url));

/** @param python with its packages @param rooms a LiveKit server, which sends it into each room */
export const livekitAgents = (python: string, rooms: RunningRooms): MeasuredSystem => ({
  name: 'LiveKit Agents 1.8.9 in a room',
  channel: 'room',
  usesServices: true,
  async start({ url }) {
    const program = new PeerProgram(python, [AGENT, 'start', '--log-level', 'info'], {
      LIVEKIT_URL: rooms.url,
      LIVEKIT_API_KEY: rooms.apiKey,
      LIVEKIT_API_SECRET: rooms.apiSecret,
      PEER_SPEECH_URL: url,
      PEER_CHAT_URL: url,
      PEER_PORT: String(await freePort()),
    });
    await program.says('registered worker');
    let customers = 0;
    return {
      async call() {
        const identity = `customer-${++customers}`;
        const token = await tokenFor(rooms, { room: `peers ${process.pid} ${identity}` }, { identity });
        const call = new RoomCall(new RoomCustomer(rooms.url, token), identity);
        await call.agentListens(0);
        const caller = new RoomCaller(call);
        return {
          async ask(clip) {
            const answered = await caller.ask(clip);
            return { ...answered, takenAt: program.takenIn(answered) };
          },
          hangUp: () => caller.hangUp(),
        };
      },
      close: () => program.end(),
    };
  },
});
