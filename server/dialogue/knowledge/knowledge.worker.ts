import { serveWorkerThread } from '#server/worker-thread';
import { type AskedQuestion, answerQuestion, type FoundAnswer } from './ask.ts';
import { buildIndex, type SearchIndex, setVectors } from './search-index.ts';
import { type Audience, audiences } from './speech.ts';

interface Shelf {
  index: SearchIndex;
  /** Vectors until all of them have come. */
  vectors: Float32Array | null;
  audienceOf: (unit: number) => Audience;
}

const shelves = new Map<string, Shelf>();
const pause = () => new Promise<void>((resolve) => setImmediate(resolve));

const methods = {
  /** Indexes an agent's knowledge; answers how many units it has. */
  async index(args: {
    key: string;
    information: string;
    prompts: readonly string[];
  }): Promise<{ units: number }> {
    const index = await buildIndex(args.information, args.prompts, pause);
    shelves.set(args.key, { index, vectors: null, audienceOf: audiences(index.units) });
    return { units: index.units.length };
  },

  /** Texts to embed, one per unit, of a range of units. */
  texts(args: { key: string; from: number; count: number }): string[] {
    const index = shelves.get(args.key)?.index;
    return (index?.units ?? []).slice(args.from, args.from + args.count).map((unit) => {
      const heading = unit.question ?? unit.headings.at(-1) ?? '';
      return `${heading}${heading ? (/[?.!]$/.test(heading) ? ' ' : ': ') : ''}${unit.text}`.slice(0, 400);
    });
  },

  /** Takes the vectors of the units from a place on, joined end to end; with the last of them they are searched. */
  vectors(args: { key: string; from: number; vectors: Float32Array; dimensions: number }): void {
    const shelf = shelves.get(args.key);
    if (!shelf) return;
    const { index } = shelf;
    const size = index.units.length * args.dimensions;
    if (shelf.vectors?.length !== size) shelf.vectors = new Float32Array(size);
    const at = args.from * args.dimensions;
    if (at + args.vectors.length > size) return;
    shelf.vectors.set(args.vectors, at);
    if (at + args.vectors.length < size) return;
    setVectors(index, shelf.vectors, args.dimensions);
    shelf.vectors = null;
  },

  ask(args: { key: string; questions: readonly AskedQuestion[] }): FoundAnswer[] | null {
    const shelf = shelves.get(args.key);
    if (!shelf) return null;
    return args.questions.map((question) => answerQuestion(shelf.index, shelf.audienceOf, question));
  },

  drop(args: { key: string }): void {
    shelves.delete(args.key);
  },
};

export type KnowledgeMethods = typeof methods;

serveWorkerThread(methods);
