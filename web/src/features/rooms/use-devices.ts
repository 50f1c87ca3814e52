import { Room } from 'livekit-client';
import { useEffect, useState } from 'react';
import { logProblem } from '#web/lib/log';

/** A microphone or loudspeaker to choose. */
export interface Device {
  id: string;
  label: string;
}

/**
 * The microphones or loudspeakers of this device. Browsers name them once a microphone has been allowed; until then the
 * list is empty. A browser that cannot switch loudspeakers lists none.
 * @param allowed changes when the microphone has been allowed, to look again
 */
export function useDevices(kind: 'audioinput' | 'audiooutput', allowed: boolean): readonly Device[] {
  const [devices, setDevices] = useState<readonly Device[]>([]);
  useEffect(() => {
    let current = true;
    const look = async () => {
      try {
        const all = await Room.getLocalDevices(kind, allowed);
        const named = all.filter((device) => device.deviceId !== '' && device.label !== '');
        if (current) setDevices(named.map(({ deviceId, label }) => ({ id: deviceId, label })));
      } catch (error) {
        logProblem('The audio devices could not be listed.', error);
      }
    };
    void look();
    const media: MediaDevices | undefined = navigator.mediaDevices;
    media?.addEventListener('devicechange', look);
    return () => {
      current = false;
      media?.removeEventListener('devicechange', look);
    };
  }, [kind, allowed]);
  return devices;
}
