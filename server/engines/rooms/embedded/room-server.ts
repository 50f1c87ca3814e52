import type { MayEnter } from '#server/engines/rooms/contract';
import { prepareTransports } from './media/transport.ts';
import { type UdpOptions, UdpPorts } from './media/udp-ports.ts';
import { Rooms, type RoomsEvent } from './signalling/rooms.ts';
import { SignalServer } from './signalling/signal-server.ts';
import { type Keys, Tokens } from './signalling/tokens.ts';

interface RoomServerOptions extends UdpOptions {
  keys: Keys;
  /** TCP port for signalling; null: any. */
  port: number | null;
  /** Asked before a participant enters; default: every valid token may. */
  mayEnter?: MayEnter;
  onEvent(event: RoomsEvent): void;
  /** Called with unexpected errors. */
  onFailure(error: unknown): void;
}

/** The room server: signalling on a TCP port of loopback, media on UDP ports of every address. */
export class RoomServer {
  readonly rooms: Rooms;
  readonly port: number;
  readonly #udp: UdpPorts;
  readonly #signals: SignalServer;

  private constructor(parts: { rooms: Rooms; port: number; udp: UdpPorts; signals: SignalServer }) {
    this.rooms = parts.rooms;
    this.port = parts.port;
    this.#udp = parts.udp;
    this.#signals = parts.signals;
  }

  /** @throws if no port can be listened on */
  static async start(options: RoomServerOptions): Promise<RoomServer> {
    const [udp] = await Promise.all([UdpPorts.open(options), prepareTransports()]);
    const rooms = new Rooms(options.onEvent);
    const signals = new SignalServer({
      rooms,
      udp,
      tokens: new Tokens(options.keys),
      mayEnter: options.mayEnter ?? (async () => true),
      onFailure: options.onFailure,
    });
    try {
      return new RoomServer({ rooms, port: await signals.listen(options.port ?? 0), udp, signals });
    } catch (error) {
      await udp.close();
      throw error;
    }
  }

  async close(): Promise<void> {
    this.rooms.closeAll();
    await this.#signals.close();
    await this.#udp.close();
  }
}
