import type { SharedState } from '#server/engines/shared-state/contract';
import { FairTurns, type QueuedWork } from '#server/lib/fair-turns';

/** Pages that are read at once; a page of a slow server, and a sitemap, may take two minutes. */
const TURNS = { places: 4, placesPerAccount: 2, patientPlaces: 1 };

interface PagesLineOptions {
  read(work: QueuedWork, id: string): Promise<void>;
  /** A page is read by one instance at a time. */
  sharedState: Pick<SharedState, 'take'>;
  closing: AbortSignal;
  onFailure(error: unknown): void;
}

interface Page {
  work: QueuedWork;
  hasBegun: boolean;
  done: Promise<void>;
}

/** Web pages that wait to be read, a few at once. Accounts take turns. */
export class PagesLine {
  readonly #options: PagesLineOptions;
  readonly #turns = new FairTurns(TURNS);
  /** Of those that wait or are read, the newest by its id. */
  readonly #pages = new Map<string, Page>();
  readonly #unfinished = new Set<Promise<void>>();

  constructor(options: PagesLineOptions) {
    this.#options = options;
  }

  /** @returns once it was read, or could not be; never rejects */
  soon(work: QueuedWork, id: string): Promise<void> {
    const known = this.#pages.get(id);
    // Somebody who has it read again wants what it says from now on.
    if (known && (!known.hasBegun || work.isPatient)) {
      if (!work.isPatient) this.#turns.hurry(known.work);
      return known.done;
    }
    const page: Page = { work: { ...work }, hasBegun: false, done: Promise.resolve() };
    this.#pages.set(id, page);
    page.done = this.#readInTurn(page, id).finally(() => {
      this.#unfinished.delete(page.done);
      if (this.#pages.get(id) === page) this.#pages.delete(id);
    });
    this.#unfinished.add(page.done);
    return page.done;
  }

  /** What is under way; none rejects. */
  get running(): Promise<void>[] {
    return [...this.#unfinished];
  }

  async #readInTurn(page: Page, id: string): Promise<void> {
    const { closing, onFailure } = this.#options;
    const readNow = () => {
      page.hasBegun = true;
      return this.#readAlone(page.work, id).catch(onFailure);
    };
    // It rejects when the server closes: the next start takes the page up again.
    await this.#turns.run(page.work, readNow, closing).catch(() => {});
  }

  async #readAlone(work: QueuedWork, id: string): Promise<void> {
    const { sharedState, read } = this.#options;
    const seat = await sharedState.take(`document ${id}`, 1);
    if (!seat) return;
    try {
      await read(work, id);
    } finally {
      seat.release();
    }
  }
}
