import { createSocket, type RemoteInfo, type Socket } from 'node:dgram';
import { networkInterfaces } from 'node:os';
import { isStun, readBindingRequest } from './stun.ts';

/** An address of this server to which media can be sent. */
export interface HostCandidate {
  address: string;
  port: number;
}

/** The way back to a peer: one of our sockets and the packet's sender address. */
export interface Route {
  send(packet: Buffer): void;
  readonly remote: { address: string; port: number };
}

/**
 * Receives packets for an ICE fragment. A route belongs to the peer that answered a binding request from it.
 */
export interface MediaPeer {
  /** @returns whether it was for this peer, with a valid signature */
  onBindingRequest(request: NonNullable<ReturnType<typeof readBindingRequest>>, route: Route): boolean;
  onPacket(packet: Buffer, route: Route): void;
}

export interface UdpOptions {
  /** Range of ports, inclusive; null: any. */
  ports: { min: number; max: number } | null;
  /** This server's public address, if a router or cloud translates it one to one. */
  externalAddress: string | null;
  /** Addresses to listen on; default: this machine's own. */
  addresses?: readonly string[];
}

/** Interfaces come and go with cables, networks and tunnels; the shortest interval between checks. */
const REFRESH_MS = 5_000;
const MAX_ADDRESSES = 16;
/**
 * Most routes to one peer on each of our addresses; the oldest is dropped. A client has one for each of its
 * own addresses.
 */
const MAX_ROUTES = 32;
/** Room for audio bursts and video key frames of many people. */
const SOCKET_BUFFER_BYTES = 4 * 1024 * 1024;

interface Port {
  address: string;
  socket: Socket;
  port: number;
  peers: Map<string, { peer: MediaPeer; route: Route }>;
}

/**
 * The UDP side of the room server: one socket per address of this machine serves all peers. A packet's peer
 * is known by its sender address, which is known from the ICE fragment of an earlier binding request.
 */
export class UdpPorts {
  readonly #options: UdpOptions;
  readonly #ports = new Map<string, Port>();
  readonly #fragments = new Map<string, MediaPeer>();
  #refreshedAt = 0;
  #refreshing: Promise<void> | null = null;
  #closed = false;

  private constructor(options: UdpOptions) {
    this.#options = options;
  }

  /** @throws if no address can be listened on */
  static async open(options: UdpOptions): Promise<UdpPorts> {
    const ports = new UdpPorts(options);
    await ports.refresh();
    if (ports.#ports.size === 0) {
      const { ports: range } = options;
      throw new Error(
        range
          ? `No UDP port from ${range.min} to ${range.max} is free.`
          : 'No UDP port can be opened on this machine.',
      );
    }
    return ports;
  }

  get candidates(): HostCandidate[] {
    const own = [...this.#ports.values()].map(({ address, port }) => ({ address, port }));
    const { externalAddress } = this.#options;
    if (!externalAddress) return own;
    const reachable = own.filter(({ address }) => !address.startsWith('127.') && !address.includes(':'));
    const from = reachable.length > 0 ? reachable : own;
    return [...new Set(from.map(({ port }) => port))]
      .map((port) => ({ address: externalAddress, port }))
      .concat(own);
  }

  get size(): number {
    return this.#ports.size;
  }

  register(fragment: string, peer: MediaPeer): void {
    this.#fragments.set(fragment, peer);
  }

  unregister(fragment: string): void {
    this.#fragments.delete(fragment);
  }

  /** Removes a peer with all its fragments and routes. */
  forget(peer: MediaPeer): void {
    for (const [fragment, known] of this.#fragments) if (known === peer) this.#fragments.delete(fragment);
    for (const { peers } of this.#ports.values())
      for (const [key, known] of peers) if (known.peer === peer) peers.delete(key);
  }

  /** Opens sockets on new addresses and closes those whose address is gone. Cheap if nothing changed. */
  refresh(): Promise<void> {
    if (this.#refreshing) return this.#refreshing;
    if (Date.now() - this.#refreshedAt < REFRESH_MS) return Promise.resolve();
    this.#refreshing = this.#follow().finally(() => {
      this.#refreshedAt = Date.now();
      this.#refreshing = null;
    });
    return this.#refreshing;
  }

  async #follow(): Promise<void> {
    const wanted = new Set(this.#options.addresses ?? ownAddresses());
    for (const [address, port] of this.#ports) {
      if (wanted.has(address)) continue;
      this.#ports.delete(address);
      port.socket.close();
    }
    for (const address of wanted) {
      if (this.#closed || this.#ports.has(address)) continue;
      const port = await this.#listen(address);
      if (!port) continue;
      if (this.#closed) port.socket.close();
      else this.#ports.set(address, port);
    }
  }

  /** Prefers the same port on every address, so that one firewall rule is enough. */
  async #listen(address: string): Promise<Port | null> {
    const preferred = [...this.#ports.values()].map(({ port }) => port);
    const { ports: range } = this.#options;
    const ports = range
      ? [...preferred, ...Array.from({ length: range.max - range.min + 1 }, (_, n) => range.min + n)]
      : [...preferred, 0];
    for (const port of new Set(ports)) {
      const socket = await bind(address, port);
      if (socket) return this.#serve(address, socket);
    }
    return null;
  }

  #serve(address: string, socket: Socket): Port {
    const port: Port = { address, socket, port: socket.address().port, peers: new Map() };
    socket.on('message', (packet, from) => this.#take(port, packet, from));
    // The network is gone; the next refresh closes the socket.
    socket.on('error', () => {});
    return port;
  }

  #take(port: Port, packet: Buffer, from: RemoteInfo): void {
    const key = `${from.address}|${from.port}`;
    if (!isStun(packet)) {
      const known = port.peers.get(key);
      known?.peer.onPacket(packet, known.route);
      return;
    }
    const request = readBindingRequest(packet);
    const peer = request ? this.#fragments.get(request.localFragment) : undefined;
    if (!request || !peer) return;
    const known = port.peers.get(key);
    const route =
      known?.peer === peer
        ? known.route
        : {
            remote: { address: from.address, port: from.port },
            send: (bytes: Buffer) => port.socket.send(bytes, from.port, from.address, ignoreSendError),
          };
    if (!peer.onBindingRequest(request, route) || known?.peer === peer) return;
    port.peers.set(key, { peer, route });
    const routes = [...port.peers].filter(([, other]) => other.peer === peer);
    if (routes.length > MAX_ROUTES) port.peers.delete(routes[0]?.[0] ?? key);
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#refreshing;
    const closing = [...this.#ports.values()].map(
      ({ socket }) => new Promise<void>((resolve) => socket.close(() => resolve())),
    );
    this.#ports.clear();
    this.#fragments.clear();
    await Promise.all(closing);
  }
}

/** A failed send is a lost packet, which every receiver tolerates. */
const ignoreSendError = () => {};

function bind(address: string, port: number): Promise<Socket | null> {
  return new Promise((resolve) => {
    const socket = createSocket({
      type: address.includes(':') ? 'udp6' : 'udp4',
      // Addresses are numeric already; resolving each would cost more than sending.
      lookup: (host, _options, done) => done(null, host, host.includes(':') ? 6 : 4),
    });
    const failed = () => {
      socket.close();
      resolve(null);
    };
    socket.once('error', failed);
    socket.bind({ address, port, exclusive: true }, () => {
      socket.off('error', failed);
      enlargeBuffers(socket);
      resolve(socket);
    });
  });
}

function enlargeBuffers(socket: Socket): void {
  try {
    socket.setRecvBufferSize(SOCKET_BUFFER_BYTES);
    socket.setSendBufferSize(SOCKET_BUFFER_BYTES);
  } catch {
    // Some systems limit buffer sizes; their default must do.
  }
}

/** 127.0.0.1 for a browser on this machine, and every address that others can reach. */
function ownAddresses(): string[] {
  const others = Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .filter(({ internal, family, address }) => !internal && !(family === 'IPv6' && /^fe80/i.test(address)))
    .map(({ address }) => address);
  return [...new Set(['127.0.0.1', ...others])].slice(0, MAX_ADDRESSES);
}
