/** What is told to whoever sent a file that cannot be read. */
export class Unreadable extends Error {
  override readonly name = 'Unreadable';
}

export const BROKEN = 'This file is broken: it ends too soon, or was damaged on its way.';
export const NO_DOCUMENT =
  'This is no document that can be read. Send text, Markdown, HTML, PDF, DOCX or CSV.';
export const EMPTY = 'This file holds no text.';
