const KEY = 'sigma.microphone';

/** The device id of the microphone chosen in this browser; null: the system's default. */
export function readMicrophoneChoice(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

/** Stores the choice for all calls in this browser. */
export function keepMicrophoneChoice(deviceId: string): void {
  try {
    localStorage.setItem(KEY, deviceId);
  } catch {
    // Storage is blocked: the choice lasts as long as the microphone is on.
  }
}
