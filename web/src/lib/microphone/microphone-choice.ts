const KEY = 'sigma.microphone';

/** The microphone that this browser's user has chosen, by its device id; null for whichever the system prefers. */
export function readMicrophoneChoice(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

/** Remembers the choice for every call of this browser. */
export function keepMicrophoneChoice(deviceId: string): void {
  try {
    localStorage.setItem(KEY, deviceId);
  } catch {
    // Storage is forbidden: the choice lasts as long as the microphone is on.
  }
}
