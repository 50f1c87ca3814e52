import type { SharedState } from '#server/engines/shared-state/contract';
import { FairTurns, type QueuedWork } from '#server/lib/fair-turns';

/** Pages read at once; a page of a slow server, or a sitemap, may take two minutes. */
const TURNS = { places: 4, placesPerAccount: 2, patientPlaces: 1 };

interface PagesLineOptions {
  read(work: QueuedWork, id: string): Promise<void>;
  /** Lets only one instance read a page at a time. */
  sharedState: Pick<SharedState, 'take'>;
  closing: AbortSignal;
  onFailure(error: unknown): void;
}

interface Page {
  work: QueuedWork;
  hasBegun: boolean;
  done: Promise<void>;
}

/** Queue of web pages to read, a few at once. Accounts take turns. */
export class PagesLine {
  readonly #options: PagesLineOptions;
  readonly #turns = new FairTurns(TURNS);
  /** The latest request for each waiting or running page, by document id. */
  readonly #pages = new Map<string, Page>();
  readonly #unfinished = new Set<Promise<void>>();

  constructor(options: PagesLineOptions) {
    this.#options = options;
  }

  /** @returns once the page was read, or reading failed; never rejects */
  soon(work: QueuedWork, id: string): Promise<void> {
    const known = this.#pages.get(id);
    // A request during reading means a new reading, which starts from now.
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

  /** Current work; none rejects. */
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
