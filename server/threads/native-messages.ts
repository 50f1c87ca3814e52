import { DefaultDeserializer, serialize } from 'node:v8';
import type { Asked, FromThread, HowToEnd, ThreadEnd, ThreadOptions } from './watched-thread.ts';

/** What the process of the native engines is told. Its threads are numbered by whoever started it. */
export type ToNativeProcess =
  | { kind: 'start'; thread: number; base: string; name: string; options: ThreadOptions }
  | { kind: 'ask'; thread: number; message: Asked }
  | { kind: 'end'; thread: number; how: HowToEnd };
/** What a process takes: bytes of memory now, milliseconds of processor time since it began. */
export interface NativeUsage {
  residentBytes: number;
  cpuMs: number;
}
/** What it says. */
export type FromNativeProcess =
  /** It lives, and has taken so much. */
  | { kind: 'beat'; usage: NativeUsage }
  | { kind: 'said'; thread: number; message: FromThread }
  | { kind: 'ended'; thread: number; end: ThreadEnd };

declare module 'v8' {
  interface DefaultDeserializer {
    /** Node.js documents it for subclasses; its types lack it. */
    _readHostObject(): NodeJS.TypedArray;
  }
}

/**
 * Gives every array a buffer of its own, as between threads. Otherwise they are windows into what was read from the pipe,
 * and handing one on to a thread would copy all of that.
 */
class Unpacking extends DefaultDeserializer {
  // Of any kind of array, and a copy of Node.js's own kind, too, whose `slice` makes none.
  override _readHostObject(): NodeJS.TypedArray {
    return Uint8Array.prototype.slice.call(super._readHostObject());
  }
}

/** A message as bytes, in which whoever reads it finds what `unpacked` says. */
export const packed = (message: ToNativeProcess | FromNativeProcess): Buffer => serialize(message);

/** @param bytes what `packed` made, at the other end of the same pipe */
export function unpacked<M extends ToNativeProcess | FromNativeProcess>(bytes: Uint8Array): M {
  const reading = new Unpacking(bytes);
  reading.readHeader();
  return reading.readValue();
}
