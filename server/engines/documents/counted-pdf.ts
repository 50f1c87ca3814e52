import { getDocumentProxy } from 'unpdf';
import type { Unpacked } from '#server/engines/unpacked';

type Pdf = Awaited<ReturnType<typeof getDocumentProxy>>;

/** A stream of pdf.js: it reserves room in its buffer before it writes bytes. */
interface DecodeStream {
  ensureBuffer(this: DecodeStream, bytes: number): Uint8Array;
}

/** Counts the file that is being read; a thread reads one at a time. */
let unpacked: Unpacked | null = null;
let ready: Promise<void> | null = null;

/**
 * Opens a PDF and counts the bytes of all its streams, however they are packed. pdf.js has no limit of its
 * own and continues after most errors: call `unpacked.check()` afterwards.
 * @throws any error of pdf.js
 */
export async function openCountedPdf(bytes: Uint8Array, counter: Unpacked): Promise<Pdf> {
  ready ??= countStreams();
  await ready;
  unpacked = counter;
  // Nothing in a file is executed or fetched.
  return getDocumentProxy(bytes, {
    isEvalSupported: false,
    disableFontFace: true,
    useSystemFonts: false,
    stopAtErrors: false,
    verbosity: 0,
  });
}

/**
 * Makes pdf.js count. It unpacks by its own classes, which it does not export, and by the platform's
 * `DecompressionStream`.
 * @throws Error if this version of pdf.js has no such class: nothing is read uncounted
 */
async function countStreams(): Promise<void> {
  const classes = await namedClasses(() => import('unpdf/pdfjs'));
  const stream: unknown = classes.get('DecodeStream')?.prototype;
  if (!isDecodeStream(stream)) throw new Error('What pdf.js unpacks cannot be counted.');
  const { ensureBuffer } = stream;
  const counted = new WeakMap<DecodeStream, number>();
  stream.ensureBuffer = function (bytes) {
    const before = counted.get(this) ?? 0;
    if (bytes > before) {
      counted.set(this, bytes);
      unpacked?.take(bytes - before);
    }
    return ensureBuffer.call(this, bytes);
  };
  // This class only joins streams that are counted already.
  const joined: unknown = classes.get('StreamsSequenceStream')?.prototype;
  if (isDecodeStream(joined)) joined.ensureBuffer = ensureBuffer;

  globalThis.DecompressionStream = new Proxy(DecompressionStream, {
    construct(Native, [format]) {
      const { readable, writable } = new Native(format);
      const counting = new TransformStream<Uint8Array, Uint8Array>({
        transform(chunk, to) {
          unpacked?.take(chunk.byteLength);
          to.enqueue(chunk);
        },
      });
      return { writable, readable: readable.pipeThrough(counting) };
    },
  });
}

/** @returns the classes that are given names while a module loads, as bundlers do that shorten names */
async function namedClasses(load: () => Promise<unknown>): Promise<Map<string, { prototype: unknown }>> {
  const classes = new Map<string, { prototype: unknown }>();
  const define = Object.defineProperty;
  Object.defineProperty = new Proxy(define, {
    apply(_, self, args: Parameters<typeof define>) {
      const [target, key, { value }] = args;
      if (key === 'name' && typeof target === 'function' && typeof value === 'string')
        classes.set(value, target);
      return Reflect.apply(define, self, args);
    },
  });
  try {
    await load();
  } finally {
    Object.defineProperty = define;
  }
  return classes;
}

const isDecodeStream = (prototype: unknown): prototype is DecodeStream =>
  typeof prototype === 'object' &&
  prototype !== null &&
  'ensureBuffer' in prototype &&
  typeof prototype.ensureBuffer === 'function';
