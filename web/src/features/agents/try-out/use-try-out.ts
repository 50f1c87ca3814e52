import { useCallback, useEffect, useRef, useState } from 'react';
import { type AgentDraft, MAX_TRY_HISTORY, type TriedReply } from '#shared/agents';
import type { Citation } from '#shared/conversations';
import { fromBase64 } from '#web/lib/base64';
import { randomId } from '#web/lib/id';
import { logProblem } from '#web/lib/log';
import { AudioPlayer } from '#web/lib/loudspeaker/audio-player';
import { ApiError } from '#web/lib/server/api-error';
import { t } from '#web/texts/agents';
import { tryAgent } from '../api.ts';

export interface TriedLine {
  id: string;
  role: 'user' | 'assistant';
  text: string;
  /** ISO time. */
  at: string;
  citations: readonly Citation[];
  hasSound: boolean;
}

export interface TryOut {
  lines: readonly TriedLine[];
  waiting: boolean;
  /** Why there was no answer, as a sentence. */
  problem: string | null;
  /** Id of the line being played. */
  speaking: string | null;
  /**
   * Says something to the current draft; null asks for its welcome. Resolves once it is sent, or with false if the
   * draft is incomplete.
   */
  say: (text: string | null) => Promise<boolean>;
  replay: (id: string) => void;
  hush: () => void;
  startOver: () => void;
}

/**
 * A talk with an unsaved agent. It exists only here: every turn sends the draft and the talk so far to the server,
 * which stores nothing.
 * @param draft the complete draft, or null after the form has shown what is missing
 * @param agentId the saved agent whose documents the draft reads, too
 */
export function useTryOut(
  draft: () => Promise<AgentDraft | null>,
  voiceOn: boolean,
  agentId?: string,
): TryOut {
  const [lines, setLines] = useState<readonly TriedLine[]>([]);
  const [waiting, setWaiting] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const [speaking, setSpeaking] = useState<string | null>(null);
  const player = useRef<AudioPlayer | null>(null);
  const turn = useRef<AbortController | null>(null);
  const latest = useRef({ draft, voiceOn, lines, agentId });
  latest.current = { draft, voiceOn, lines, agentId };

  useEffect(() => {
    const opened = new AudioPlayer((event) => {
      if (event.type === 'reply-started') setSpeaking(event.replyId);
      if (event.type === 'reply-ended') setSpeaking((id) => (id === event.replyId ? null : id));
    });
    player.current = opened;
    return () => {
      turn.current?.abort();
      void opened.close();
    };
  }, []);

  useEffect(() => {
    if (!voiceOn) player.current?.stop();
  }, [voiceOn]);

  const ask = useCallback(async (agent: AgentDraft, text: string | null) => {
    turn.current?.abort();
    const abort = new AbortController();
    turn.current = abort;
    const { lines: before, voiceOn: voice, agentId: id } = latest.current;
    if (text !== null) setLines([...before, line('user', text)]);
    setProblem(null);
    setWaiting(true);
    try {
      const history = before.slice(-MAX_TRY_HISTORY).map((each) => ({ role: each.role, content: each.text }));
      const message = text === null ? {} : { message: text };
      const answer = await tryAgent(
        { agent, ...(id === undefined ? {} : { agentId: id }), history, ...message, voice },
        abort.signal,
      );
      const reply = { ...line('assistant', answer.message), citations: answer.citations };
      const sound = soundOf(answer);
      if (sound) player.current?.add(reply.id, 0, sound, true, latest.current.voiceOn);
      setLines((now) => [...now, { ...reply, hasSound: sound !== null }]);
    } catch (error) {
      if (abort.signal.aborted) return;
      logProblem('The draft did not answer.', error);
      setProblem(error instanceof ApiError ? error.message : t('tryOut.failed'));
    } finally {
      if (turn.current === abort) setWaiting(false);
    }
  }, []);

  const say = useCallback(
    async (text: string | null): Promise<boolean> => {
      player.current?.stop();
      player.current?.unlock();
      const agent = await latest.current.draft();
      if (agent) void ask(agent, text);
      return agent !== null;
    },
    [ask],
  );

  const replay = useCallback((id: string) => {
    player.current?.unlock();
    player.current?.replay(id);
  }, []);
  const hush = useCallback(() => {
    player.current?.stop();
  }, []);
  const startOver = useCallback(() => {
    turn.current?.abort();
    player.current?.stop();
    setLines([]);
    setProblem(null);
    setWaiting(false);
  }, []);

  return { lines, waiting, problem, speaking, say, replay, hush, startOver };
}

const line = (role: TriedLine['role'], text: string): TriedLine => ({
  id: randomId(),
  role,
  text,
  at: new Date().toISOString(),
  citations: [],
  hasSound: false,
});

function soundOf({ audioData }: TriedReply): Uint8Array | null {
  if (!audioData) return null;
  try {
    return fromBase64(audioData);
  } catch (error) {
    logProblem('The audio of a reply is not base64.', error);
    return null;
  }
}
