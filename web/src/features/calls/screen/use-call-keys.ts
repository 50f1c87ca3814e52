import { useEffect, useRef } from 'react';
import type { HandsFree } from '../stage/use-hands-free.ts';
import type { Call } from '../use-call.ts';

/** Escape stops the agent, or drops a recording; Alt+M speaks a message, Alt+H talks hands-free. */
export function useCallKeys(call: Call, handsFree: HandsFree): void {
  const latest = useRef({ call, handsFree });
  latest.current = { call, handsFree };

  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing || event.repeat) return;
      const { call, handsFree } = latest.current;
      if (event.key === 'Escape') {
        if (isRecording(call)) call.cancelTalking();
        else call.interrupt();
        return;
      }
      // With Control it is AltGr, which writes a character.
      if (!event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
      if (event.code === 'KeyM') toggleMessage(call);
      else if (event.code === 'KeyH') toggleHandsFree(call, handsFree);
      else return;
      event.preventDefault();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);
}

const isRecording = ({ state: { talk } }: Call) =>
  talk.mode === 'push-to-talk' && (talk.phase === 'opening' || talk.phase === 'open');

function toggleMessage(call: Call): void {
  if (isRecording(call)) call.finishTalking();
  else if (call.state.talk.mode === null && call.hindrance['push-to-talk'] === null)
    call.startTalking('push-to-talk');
}

function toggleHandsFree(call: Call, handsFree: HandsFree): void {
  const isFree = call.state.talk.mode === null && call.hindrance['hands-free'] === null;
  if (handsFree.isOn || isFree) handsFree.toggle();
}
