import { useCallback, useEffect, useRef } from 'react';
import { isMicrophoneAllowed } from '#web/lib/microphone/microphone';
import { useStoredFlag } from '#web/lib/use-stored-flag';
import type { Call } from '../use-call.ts';

export interface HandsFree {
  isOn: boolean;
  toggle: () => void;
}

/**
 * Talking as on the phone. A caller who ended the last call hands-free starts the next one so, but only if the browser
 * has permission and the page has been touched: a microphone never opens by surprise.
 */
export function useHandsFree(call: Call): HandsFree {
  const [isWished, setWished] = useStoredFlag('sigma.hands-free', false);
  const { mode, phase } = call.state.talk;
  const isOn = mode === 'hands-free' && phase !== 'finishing';
  const isReady = call.state.conversationId !== null && !call.state.ended;
  const hindered = call.hindrance['hands-free'] !== null;
  const latest = useRef(call);
  latest.current = call;
  const hasBegun = useRef(!isWished);

  useEffect(() => {
    if (hasBegun.current || !isReady || hindered) return;
    hasBegun.current = true;
    if (navigator.userActivation?.hasBeenActive === false) return;
    void isMicrophoneAllowed().then((isAllowed) => {
      if (isAllowed) latest.current.startTalking('hands-free');
    });
  }, [isReady, hindered]);

  const toggle = useCallback(() => {
    hasBegun.current = true;
    setWished(!isOn);
    if (isOn) latest.current.finishTalking();
    else latest.current.startTalking('hands-free');
  }, [isOn, setWished]);
  return { isOn, toggle };
}
