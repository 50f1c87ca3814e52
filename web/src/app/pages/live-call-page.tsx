import { useEffect, useRef, useState } from 'react';
import { Link, useLocation, useParams } from 'react-router';
import type { RoomRequest } from '#shared/rooms';
import { useAuth } from '#web/features/accounts/auth';
import { useAgents } from '#web/features/agents/api';
import { Presence } from '#web/features/calls/stage/presence';
import { joinProblem, requestDoor, requestTestDoor, testJoinProblem } from '#web/features/rooms/api';
import type { Door } from '#web/features/rooms/connection/live-room';
import { useLiveRoom } from '#web/features/rooms/connection/use-live-room';
import { JoinForm } from '#web/features/rooms/join-form';
import { RoomWindow } from '#web/features/rooms/room-window';
import { useRoomCues } from '#web/features/rooms/use-room-cues';
import { logProblem } from '#web/lib/log';
import { t } from '#web/texts/rooms';
import { Banner } from '#web/ui/banner';
import { PageColumn, PageHeader, PageTitle } from '#web/ui/page';

/** A live voice room: the join form, and the room itself. Leaving the page leaves the room. */
export function LiveCallPage() {
  const { roomName: fromAddress } = useParams();
  const { hash } = useLocation();
  const { user } = useAuth();
  const { data: agents = [] } = useAgents();
  const { room, state } = useLiveRoom();
  useRoomCues(state);
  const [roomName, setRoomName] = useState(fromAddress ?? '');
  const [agentId, setAgentId] = useState('');
  const [microphoneId, setMicrophoneId] = useState<string | null>(null);
  const [joining, setJoining] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const [lobby, setLobby] = useState<string | null>(null);
  const waiting = useRef<AbortController | null>(null);
  useEffect(() => () => waiting.current?.abort(), []);
  const joined = state.room !== null;
  const invite = new URLSearchParams(hash.slice(1)).get('invite');

  const enter = async (ask: (signal: AbortSignal) => Promise<Door>, sayWhy: (error: unknown) => string) => {
    setJoining(true);
    setProblem(null);
    const asking = new AbortController();
    waiting.current = asking;
    try {
      const door = await ask(asking.signal);
      asking.signal.throwIfAborted();
      setRoomName(door.room);
      await room.join(door, { microphoneId, muted: false });
    } catch (error) {
      if (asking.signal.aborted) return;
      logProblem('The room was not joined.', error);
      setProblem(sayWhy(error));
    } finally {
      setJoining(false);
      setLobby(null);
    }
  };

  const join = () => {
    const name = roomName.trim();
    if (name === '') return setProblem(t('join.nameMissing'));
    if (!user) return setProblem(t('join.signedOut'));
    const payload: RoomRequest = {
      roomName: name,
      participantName: user.name,
      participantIdentity: user._id,
      ...(agentId ? { agentId } : {}),
      ...(invite && name === fromAddress?.trim() ? { invite } : {}),
    };
    void enter(
      (signal) => requestDoor(payload, { signal, onLobby: setLobby }),
      (error) => joinProblem(error, t('join.failed')),
    );
  };

  const joinTest = () => void enter(requestTestDoor, (error) => testJoinProblem(error, t('join.testFailed')));

  const hangUp = () => {
    room.leave();
    setRoomName('');
  };

  return (
    <PageColumn>
      <PageTitle>{state.room ? t('page.titleInRoom', { room: state.room }) : t('page.title')}</PageTitle>
      <PageHeader title={t('page.title')} {...(joined ? {} : { text: t('page.text') })} />
      {joined ? (
        <RoomWindow
          room={room}
          state={state}
          drawAgent={({ state: doing, level }) => (
            <Presence state={doing} level={level} className="w-24 lg:w-36" />
          )}
          microphoneId={microphoneId}
          onMicrophone={setMicrophoneId}
          onHangUp={hangUp}
        />
      ) : (
        <JoinForm
          roomName={roomName}
          onRoomName={setRoomName}
          agents={agents.map(({ _id, name, companyName }) => ({ id: _id, name, companyName }))}
          agentId={agentId}
          onAgent={setAgentId}
          microphoneId={microphoneId}
          onMicrophone={setMicrophoneId}
          joining={joining}
          problem={problem}
          lobby={lobby}
          onStopWaiting={() => waiting.current?.abort()}
          lost={state.lost}
          record={state.conversationId && <RecordLink conversationId={state.conversationId} />}
          onJoin={join}
          onJoinTest={joinTest}
        />
      )}
    </PageColumn>
  );
}

function RecordLink({ conversationId }: { conversationId: string }) {
  return (
    <Banner role="status">
      {t('page.left')}{' '}
      <Link to={`/conversations/${conversationId}`} className="font-medium underline underline-offset-4">
        {t('page.seeConversation')}
      </Link>
    </Banner>
  );
}
