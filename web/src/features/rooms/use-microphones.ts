import { Room } from 'livekit-client';
import { useEffect, useState } from 'react';
import { logProblem } from '#web/lib/log';

/** A microphone one may choose. */
export interface Microphone {
  id: string;
  label: string;
}

/**
 * The microphones of this device. Browsers name them once one has been allowed; until then the list is empty.
 * @param allowed changes when the microphone has been allowed, to look again
 */
export function useMicrophones(allowed: boolean): readonly Microphone[] {
  const [microphones, setMicrophones] = useState<readonly Microphone[]>([]);
  useEffect(() => {
    let current = true;
    const look = async () => {
      try {
        const devices = await Room.getLocalDevices('audioinput', allowed);
        const named = devices.filter((device) => device.deviceId !== '' && device.label !== '');
        if (current) setMicrophones(named.map(({ deviceId, label }) => ({ id: deviceId, label })));
      } catch (error) {
        logProblem('The microphones could not be listed.', error);
      }
    };
    void look();
    const devices: MediaDevices | undefined = navigator.mediaDevices;
    devices?.addEventListener('devicechange', look);
    return () => {
      current = false;
      devices?.removeEventListener('devicechange', look);
    };
  }, [allowed]);
  return microphones;
}
