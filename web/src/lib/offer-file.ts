/** Offers a file as a download under this name. */
export function offerFile(file: Blob, name: string): void {
  const address = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // The download has begun by then; free the memory.
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
