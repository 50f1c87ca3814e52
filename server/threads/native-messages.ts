import { DefaultDeserializer, serialize } from 'node:v8';
import type { Asked, FromThread, HowToEnd, ThreadEnd, ThreadOptions } from './watched-thread.ts';

/** Messages to the process of native engines. The parent numbers its threads. */
export type ToNativeProcess =
  | { kind: 'start'; thread: number; base: string; name: string; options: ThreadOptions }
  | { kind: 'ask'; thread: number; message: Asked }
  | { kind: 'end'; thread: number; how: HowToEnd };
/** A process's use: memory now in bytes, processor time since its start in milliseconds. */
export interface NativeUsage {
  residentBytes: number;
  cpuMs: number;
}
/** Messages from it. */
export type FromNativeProcess =
  /** A sign of life, with resource use. */
  | { kind: 'beat'; usage: NativeUsage }
  | { kind: 'said'; thread: number; message: FromThread }
  | { kind: 'ended'; thread: number; end: ThreadEnd };

declare module 'v8' {
  interface DefaultDeserializer {
    /** Documented by Node.js for subclasses, but missing in its types. */
    _readHostObject(): NodeJS.TypedArray;
  }
}

/**
 * Gives every array a buffer of its own, as between threads. Otherwise arrays are views of the pipe's buffer,
 * and transferring one to a thread would copy all of that.
 */
class Unpacking extends DefaultDeserializer {
  // Copies arrays of any type; `slice` of Node.js's Buffer would not copy.
  override _readHostObject(): NodeJS.TypedArray {
    return Uint8Array.prototype.slice.call(super._readHostObject());
  }
}

/** Serialises a message for `unpacked`. */
export const packed = (message: ToNativeProcess | FromNativeProcess): Buffer => serialize(message);

/** @param bytes from `packed` at the other end of the same pipe */
export function unpacked<M extends ToNativeProcess | FromNativeProcess>(bytes: Uint8Array): M {
  const reading = new Unpacking(bytes);
  reading.readHeader();
  return reading.readValue();
}
