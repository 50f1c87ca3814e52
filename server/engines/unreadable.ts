/** A file cannot be read; the message is for the person who sent it. */
export class Unreadable extends Error {
  override readonly name = 'Unreadable';
}

/** The file is too large when unpacked. */
export class TooLarge extends Unreadable {
  constructor() {
    super('This file is far too large when it is unpacked. Divide it into several files.');
  }
}

export const BROKEN = 'This file is broken: it ends too soon, or was damaged on its way.';
export const NO_DOCUMENT =
  'This is no document that can be read. Send text, Markdown, HTML, PDF, DOCX or CSV.';
export const EMPTY = 'This file holds no text.';
export const TOO_LONG = 'This document has more than 2,000,000 characters. Divide it into several files.';
