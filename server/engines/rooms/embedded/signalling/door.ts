import type { RoomParticipant } from '#server/engines/rooms/contract';

/** Longest wait for the answer, which takes a database query. */
const PATIENCE_MS = 5_000;

/** The question whether a participant may enter got no answer. */
export class DoorUnanswered extends Error {
  override readonly name = 'DoorUnanswered';
}

/** A participant who wants to enter a room. */
export interface Arrival {
  id: number;
  room: string;
  participant: Pick<RoomParticipant, 'identity' | 'metadata'>;
}

interface Asked {
  resolve(isWelcome: boolean): void;
  reject(error: Error): void;
}

/** Asks the product, in another thread, who may enter. */
export class Door {
  readonly #tell: (arrival: Arrival) => void;
  readonly #asked = new Map<number, Asked>();
  #nextId = 0;

  constructor(tell: (arrival: Arrival) => void) {
    this.#tell = tell;
  }

  /** @throws DoorUnanswered */
  async ask(room: string, { identity, metadata }: Arrival['participant']): Promise<boolean> {
    const id = this.#nextId++;
    const late = setTimeout(() => this.answer(id, null), PATIENCE_MS);
    try {
      return await new Promise<boolean>((resolve, reject) => {
        this.#asked.set(id, { resolve, reject });
        this.#tell({ id, room, participant: { identity, metadata } });
      });
    } finally {
      clearTimeout(late);
      this.#asked.delete(id);
    }
  }

  /** @param isWelcome null: unknown */
  answer(id: number, isWelcome: boolean | null): void {
    const asked = this.#asked.get(id);
    if (isWelcome === null) asked?.reject(new DoorUnanswered('Nobody can say who may come in.'));
    else asked?.resolve(isWelcome);
  }
}
