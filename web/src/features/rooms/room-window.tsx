import { MicOff, Volume2, WifiOff } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { t as common } from '#web/texts/common';
import { t } from '#web/texts/rooms';
import { Banner } from '#web/ui/banner';
import { Button } from '#web/ui/button';
import { CallClock } from '#web/ui/conversation/call-clock';
import { Captions } from './captions.tsx';
import type { LiveRoom } from './connection/live-room.ts';
import type { LiveRoomState, RoomParticipant } from './connection/room-state.ts';
import { useTrackLevel } from './connection/track-level.ts';
import { HiddenAudio } from './hidden-audio.tsx';
import { MICROPHONE_DENIED } from './join-form.tsx';
import { requestInvite, useOwnRoom } from './owner/own-room.ts';
import { ParticipantMenu } from './owner/participant-menu.tsx';
import { RoomSettings } from './owner/room-settings.tsx';
import { WaitingGuests } from './owner/waiting-guests.tsx';
import { ParticipantsList } from './participants-list.tsx';
import { RoomControls } from './room-controls.tsx';

/** The inputs of the agent's picture. */
interface AgentPicture {
  state: 'connecting' | 'ready' | 'thinking' | 'speaking';
  /** Current loudness of its voice, 0 to 1. */
  level: () => number;
}

interface RoomWindowProps {
  room: LiveRoom;
  state: LiveRoomState;
  /** Draws the agent: the page passes the picture that calls use. */
  drawAgent: (picture: AgentPicture) => ReactNode;
  microphoneId: string | null;
  onMicrophone: (id: string) => void;
  onHangUp: () => void;
}

/** The room from inside: the agent in the middle, the participants, the captions. */
export function RoomWindow({
  room,
  state,
  drawAgent,
  microphoneId,
  onMicrophone,
  onHangUp,
}: RoomWindowProps) {
  const { participants, captions, isOwner } = state;
  const [speakerId, setSpeakerId] = useState<string | null>(null);
  const name = state.room ?? '';
  const own = useOwnRoom(isOwner ? state.room : null);
  const agent = participants.find((participant) => participant.agent !== null) ?? null;
  return (
    <div className="mt-6 flex flex-col gap-4">
      {state.connection === 'reconnecting' ? (
        <Banner tone="warning" role="status" icon={<WifiOff aria-hidden="true" />}>
          {t('window.connectionLost')}
        </Banner>
      ) : (
        <Banner tone="success" role="status">
          {t.rich('window.connected', {
            name,
            room: (text) => <bdi className="wrap-anywhere">{text}</bdi>,
          })}
        </Banner>
      )}
      {state.microphoneDenied && (
        <Banner tone="error" role="alert" icon={<MicOff aria-hidden="true" />}>
          <span className="flex flex-wrap items-center justify-between gap-3">
            {MICROPHONE_DENIED}
            <Button size="sm" variant="secondary" onClick={() => void room.setMuted(false)}>
              {common('tryAgain')}
            </Button>
          </span>
        </Banner>
      )}
      {own && <WaitingGuests room={own} />}
      {agent?.agent?.notice && <Banner role="status">{agent.agent.notice}</Banner>}
      <div className="grid grid-cols-[minmax(0,1fr)] overflow-hidden rounded-xl border border-line bg-surface shadow-float lg:h-[34rem] lg:grid-cols-[minmax(0,1fr)_minmax(20rem,24rem)]">
        <section
          aria-label={t('window.agent')}
          className="stage-light flex flex-col items-center justify-center gap-4 overflow-hidden px-6 py-6"
        >
          <AgentStage agent={agent} state={state} drawAgent={drawAgent} />
          {state.soundBlocked && (
            <Button size="lg" onClick={() => room.allowSound()} className="animate-appear rounded-full">
              <Volume2 aria-hidden="true" />
              {common('tapToHear')}
            </Button>
          )}
          <CallClock since={state.since} running />
          <RoomControls
            invitation={() => (isOwner ? requestInvite(name) : Promise.resolve(addressOf(name)))}
            muted={state.muted}
            switching={state.switching}
            onMuted={(muted) => void room.setMuted(muted)}
            microphoneId={microphoneId}
            onMicrophone={(id) => {
              onMicrophone(id);
              void room.chooseDevice('audioinput', id);
            }}
            speakerId={speakerId}
            onSpeaker={(id) => {
              setSpeakerId(id);
              void room.chooseDevice('audiooutput', id);
            }}
            onHangUp={onHangUp}
          />
        </section>
        <div className="flex min-h-0 flex-col border-line border-t bg-canvas max-lg:max-h-[30rem] lg:border-t-0 lg:border-l">
          <ParticipantsList
            participants={participants}
            settings={own && <RoomSettings room={own} />}
            menuFor={
              own
                ? ({ identity, name: called, isMuted }) => (
                    <ParticipantMenu
                      roomName={name}
                      identity={identity}
                      name={called || identity}
                      isMuted={isMuted}
                    />
                  )
                : undefined
            }
          />
          <Captions captions={captions} />
        </div>
      </div>
      {participants.map(
        ({ sid, audio }) => audio && <HiddenAudio key={`${sid} ${audio.sid ?? ''}`} track={audio} />,
      )}
    </div>
  );
}

const addressOf = (room: string) => `${window.location.origin}/live-call/${encodeURIComponent(room)}`;

const stateWords = {
  initializing: t('agent.gettingReady'),
  listening: t('agent.listening'),
  thinking: t('agent.thinking'),
  speaking: t('agent.speaking'),
} as const;

interface AgentStageProps {
  agent: RoomParticipant | null;
  state: LiveRoomState;
  drawAgent: (picture: AgentPicture) => ReactNode;
}

function AgentStage({ agent, state, drawAgent }: AgentStageProps) {
  const level = useTrackLevel(agent?.audio ?? null);
  const doing = agent?.agent?.state ?? null;
  const away = doing === null || doing === 'initializing' || state.connection !== 'connected';
  const picture = away ? 'connecting' : doing === 'listening' ? 'ready' : doing;
  const words = doing === null ? t('agent.onItsWay') : stateWords[doing];
  const caption = state.captions.findLast((each) => each.isAgent);
  return (
    <>
      <div className="grid shrink-0 place-items-center p-8 lg:p-12">
        {drawAgent({ state: picture, level })}
      </div>
      <p role="status" className="font-medium text-ink-muted text-sm">
        {agent ? `${agent.name || agent.identity}: ` : ''}
        {state.connection === 'reconnecting' ? t('window.reconnecting') : words}
      </p>
      <p
        aria-hidden="true"
        className="line-clamp-3 min-h-14 max-w-xl text-balance text-center font-medium text-lg"
      >
        {doing === 'speaking' ? caption?.text : ''}
      </p>
    </>
  );
}
