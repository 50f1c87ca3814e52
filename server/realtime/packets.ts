import type { Socket } from 'socket.io';
import { Decoder, Encoder, PacketType } from 'socket.io-parser';
import { invalidInput } from '#server/lib/errors';
import { JsonLook, MAX_JSON_DEPTH } from '#server/lib/json-bounds';
import { refusal } from '#shared/refusals/refusal';
import type { PacketBounds } from './feature.ts';
import type { CountBytes } from './inflow.ts';

/** Most events are a few ids and numbers. */
const USUAL: PacketBounds = { bytes: 16_000, attachments: 0 };
/** An agent's information and fifty prompts are far below these limits. */
const JSON_BOUNDS = { depth: MAX_JSON_DEPTH, values: 2_000 };

/** Replaces the payload of an event that was refused before parsing. */
export class RefusedPacket {
  readonly reason: unknown;
  constructor(reason: unknown) {
    this.reason = reason;
  }
}

/** The limits of a connection's packets. */
interface Measure {
  /** Limits of a known event; undefined for any other. */
  boundsOf(event: string): PacketBounds | undefined;
  /** Counts the bytes of a packet that would be parsed; null: nothing is counted. */
  count: CountBytes | null;
  /** Called for input that is not a packet, or that cannot be refused by an answer. */
  onBroken(reason: unknown): void;
}

/**
 * Socket.IO's decoder with checks before parsing: the packet's length for its event, the account's limits,
 * and the amount of structure. A refused packet continues as its event with a `RefusedPacket`, so that its
 * sender gets the reason.
 */
class BoundedDecoder extends Decoder {
  #measure: Measure | null = null;
  /** Packets are decided in order. */
  #turn = Promise.resolve();
  /** Binary attachments still to come for a refused event. */
  #dropped = 0;
  #isOver = false;

  measureBy(measure: Measure): void {
    this.#measure = measure;
  }

  override add(packet: unknown): void {
    const measure = this.#measure;
    if (!measure) {
      // A sign-in: its length is limited where bytes come in.
      if (typeof packet === 'string') mustBeFlat(packet);
      super.add(packet);
      return;
    }
    this.#turn = this.#turn
      .then(() => this.#take(packet, measure))
      .catch((reason: unknown) => {
        if (!this.#isOver) measure.onBroken(reason);
      });
  }

  async #take(packet: unknown, measure: Measure): Promise<void> {
    if (this.#isOver) return;
    if (typeof packet !== 'string') {
      if (this.#dropped > 0) this.#dropped--;
      else super.add(packet);
      return;
    }
    this.#dropped = 0;
    const event = announced(packet);
    const bounds = (event && measure.boundsOf(event.name)) ?? USUAL;
    try {
      const bytes = Buffer.byteLength(packet);
      await measure.count?.(bytes);
      if (bytes > bounds.bytes) throw invalidInput(refusal('common.event-too-large', { max: bounds.bytes }));
      if (event && event.attachments > bounds.attachments) throw invalidInput('common.event-attachments');
      mustBeFlat(packet);
    } catch (reason) {
      if (!event) throw reason;
      this.#dropped = event.attachments;
      const data = [event.name, new RefusedPacket(reason)];
      super.emitReserved('decoded', { type: PacketType.EVENT, nsp: '/', id: event.id, data });
      return;
    }
    if (!this.#isOver) super.add(packet);
  }

  override destroy(): void {
    this.#isOver = true;
    super.destroy();
  }
}

/** Socket.IO's parser option. */
export const boundedParser = { Encoder, Decoder: BoundedDecoder };

/** Sets the limits of a connection's packets from now on. */
export function measurePackets({ client }: Pick<Socket, 'client'>, measure: Measure): void {
  const decoder: unknown = Reflect.get(client, 'decoder');
  if (!(decoder instanceof BoundedDecoder)) throw new Error('Socket.IO decodes packets in another way.');
  decoder.measureBy(measure);
}

/** @throws AppError */
function mustBeFlat(packet: string): void {
  const tooMuch = new JsonLook(JSON_BOUNDS).add(Buffer.from(packet));
  if (tooMuch !== null) throw invalidInput(tooMuch);
}

interface Announced {
  name: string;
  /** Id of the requested acknowledgement. */
  id: number | undefined;
  attachments: number;
}

/** Reads the beginning of an event packet: type, attachments, id, and a list with the name first. */
function announced(packet: string): Announced | null {
  const [, attachments, id, name] = EVENT.exec(packet) ?? [];
  if (name === undefined) return null;
  return { name, id: id ? Number(id) : undefined, attachments: Number(attachments ?? 0) };
}
const EVENT = /^(?:2|5(\d{1,9})-)(\d{0,15})\["([^"\\]{1,60})"[,\]]/;
