/** A tenth of a second of silence as a WAV file: 16 kHz, 16 bits, mono. */
export function aWavFile(samples = 1_600, sampleRate = 16_000): Buffer<ArrayBuffer> {
  const bytes = samples * 2;
  const file = Buffer.alloc(44 + bytes);
  file.write('RIFF', 0);
  file.writeUInt32LE(36 + bytes, 4);
  file.write('WAVEfmt ', 8);
  file.writeUInt32LE(16, 16);
  file.writeUInt16LE(1, 20);
  file.writeUInt16LE(1, 22);
  file.writeUInt32LE(sampleRate, 24);
  file.writeUInt32LE(sampleRate * 2, 28);
  file.writeUInt16LE(2, 32);
  file.writeUInt16LE(16, 34);
  file.write('data', 36);
  file.writeUInt32LE(bytes, 40);
  return file;
}

/** A form with a recording and its transcript, as a browser sends it. */
export async function aRecordingForm(
  transcript = 'Hello there',
): Promise<{ body: Buffer; headers: Record<string, string> }> {
  const form = new FormData();
  form.append('audio', new Blob([aWavFile()], { type: 'audio/wav' }), 'recording.wav');
  form.append('transcript', transcript);
  const encoded = new Response(form);
  return {
    body: Buffer.from(await encoded.arrayBuffer()),
    headers: { 'content-type': encoded.headers.get('content-type') ?? '' },
  };
}
