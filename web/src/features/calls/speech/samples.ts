/** Sound of a microphone: 16-bit samples of one channel. */
export type Samples = Int16Array<ArrayBuffer>;
