import { useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import { usePreferences } from '#web/lib/server/preferences';
import { openRealtime } from '#web/lib/server/socket';
import { useServerStatus } from '#web/lib/server/status';
import { uploadRecording } from './api.ts';
import { CallClient, type CallOptions } from './call-client.ts';
import { useCallCues } from './screen/use-call-cues.ts';
import { talkSettings } from './speech/talk-settings.ts';
import type { TalkMode } from './speech/talk-state.ts';
import { type CallState, initialCallState } from './state/call-state.ts';

interface UseCallOptions
  extends Pick<CallOptions, 'user' | 'target' | 'conversationId' | 'onSignedOut' | 'onUpdated' | 'voice'> {
  token: string;
}

/** A call as its screens need it. */
export interface Call
  extends Pick<
    CallClient,
    | 'say'
    | 'sayAgain'
    | 'interrupt'
    | 'canReplay'
    | 'replay'
    | 'allowSound'
    | 'retryStart'
    | 'end'
    | 'level'
    | 'micLevel'
    | 'startTalking'
    | 'finishTalking'
    | 'cancelTalking'
    | 'chooseMicrophone'
    | 'dismissTalkProblem'
  > {
  state: CallState;
  /** What prevents each way of speaking, as a sentence; null if it works. */
  hindrance: Record<TalkMode, string | null>;
}

const nothing = () => () => {};

/**
 * Holds a call while the screen is mounted: opens it for its first user and token, and releases channel and loudspeaker
 * at the end.
 */
export function useCall(options: UseCallOptions): Call {
  const { token, voice } = options;
  const userId = options.user._id;
  const { preferences } = usePreferences();
  const { data: status } = useServerStatus();
  const settings = useMemo(() => talkSettings(preferences, status), [preferences, status]);
  const latest = useRef({ ...options, settings });
  latest.current = { ...options, settings };
  const [client, setClient] = useState<CallClient | null>(null);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another person or session is another call, nothing else is.
  useEffect(() => {
    const { user, target, conversationId, voice: voiceNow } = latest.current;
    const opened = new CallClient({
      user,
      target,
      conversationId,
      voice: voiceNow,
      settings: () => latest.current.settings,
      upload: uploadRecording,
      onSignedOut: () => latest.current.onSignedOut(),
      onUpdated: (event) => latest.current.onUpdated(event),
      connect: (listener) => openRealtime(token, listener),
    });
    setClient(opened);
    return () => opened.close();
  }, [token, userId]);

  useEffect(() => client?.setVoice(voice), [client, voice]);

  const state = useSyncExternalStore(
    client?.subscribe ?? nothing,
    client?.getState ?? (() => initialCallState),
  );
  useCallCues(state);
  const actions = useMemo(
    () => ({
      say: (text: string) => client?.say(text) ?? false,
      sayAgain: (id: string) => client?.sayAgain(id),
      interrupt: () => client?.interrupt(),
      canReplay: (replyId: string) => client?.canReplay(replyId) ?? false,
      replay: (replyId: string) => client?.replay(replyId),
      allowSound: () => client?.allowSound(),
      retryStart: () => client?.retryStart(),
      end: () => client?.end(),
      level: () => client?.level() ?? 0,
      micLevel: () => client?.micLevel() ?? 0,
      startTalking: (mode: TalkMode) => client?.startTalking(mode),
      finishTalking: () => client?.finishTalking(),
      cancelTalking: () => client?.cancelTalking(),
      chooseMicrophone: (deviceId: string) => client?.chooseMicrophone(deviceId),
      dismissTalkProblem: () => client?.dismissTalkProblem(),
    }),
    [client],
  );
  const { hindrance } = settings;
  return useMemo(() => ({ ...actions, state, hindrance }), [actions, state, hindrance]);
}
