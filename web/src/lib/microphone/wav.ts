const HEADER_BYTES = 44;

/** A WAV file of 16-bit samples, one channel (Multimedia Programming Interface 1.0, "RIFF WAVE"). */
export function toWav(chunks: readonly Int16Array<ArrayBuffer>[], sampleRate: number): File {
  const dataBytes = chunks.reduce((sum, chunk) => sum + chunk.byteLength, 0);
  const header = new DataView(new ArrayBuffer(HEADER_BYTES));
  const write = (at: number, text: string) => {
    for (let i = 0; i < text.length; i++) header.setUint8(at + i, text.charCodeAt(i));
  };
  write(0, 'RIFF');
  header.setUint32(4, HEADER_BYTES - 8 + dataBytes, true);
  write(8, 'WAVEfmt ');
  header.setUint32(16, 16, true);
  // PCM, one channel.
  header.setUint16(20, 1, true);
  header.setUint16(22, 1, true);
  header.setUint32(24, sampleRate, true);
  header.setUint32(28, sampleRate * 2, true);
  header.setUint16(32, 2, true);
  header.setUint16(34, 16, true);
  write(36, 'data');
  header.setUint32(40, dataBytes, true);
  // Every machine with a browser is little-endian, like the file.
  return new File([header.buffer, ...chunks], 'recording.wav', { type: 'audio/wav' });
}
