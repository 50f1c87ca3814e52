import type { AppParts } from '#server/app/app-parts';
import { troubleInRooms } from '#server/app/status';
import { ActionsRepository } from '#server/features/actions/repository';
import { ActionsService } from '#server/features/actions/service';
import { TryOuts } from '#server/features/agents/try-outs';
import { keepAttachedChange } from '#server/features/agents/versions/repository';
import { EarsLine } from '#server/features/channels/page/speech/ears-line';
import { SpeechService } from '#server/features/channels/page/speech/service';
import { DoorsRepository } from '#server/features/channels/room/doors/repository';
import { RoomsRepository } from '#server/features/channels/room/repository';
import { RoomsService } from '#server/features/channels/room/service';
import { ModelUseRepository } from '#server/features/model-use/repository';
import { ModelUseService } from '#server/features/model-use/service';
import { CallsService } from '#server/features/turns/service';
import { listen } from '#server/listening/listen';
import { noMetrics } from '#server/telemetry/metrics';
import type { TurnStory } from '#server/telemetry/timeline';
import type { Conversations } from './conversations.ts';
import type { Knowledge } from './knowledge.ts';
import type { Security } from './security.ts';

export type Calls = Awaited<ReturnType<typeof openCalls>>;

/** Connects the parts that answer: turns, their actions, and the channels they come from. */
export async function openCalls(
  app: AppParts,
  { seal, sessions }: Pick<Security, 'seal' | 'sessions'>,
  { agents }: Pick<Knowledge, 'agents'>,
  { conversations, recordings }: Pick<Conversations, 'conversations' | 'recordings'>,
) {
  const { config, engines, dialogue, logger, metrics = noMetrics } = app;
  const { db } = app.database;
  const { sharedState } = engines;
  const actions = new ActionsService({
    repository: new ActionsRepository(db, keepAttachedChange),
    agents,
    conversations,
    engine: engines.actions,
    seal,
  });
  const modelUse = new ModelUseService({
    repository: new ModelUseRepository(db),
    terms: () => engines.controls.inUse.modelUse,
    onSpent: (tokens) =>
      logger.warn({ tokens }, 'the tokens of this day are spent: the embedded reader answers'),
    onFailure: (error) => logger.error({ err: error }, 'what a language model took could not be stored'),
  });
  await modelUse.open();
  const onTurn = (story: TurnStory) => {
    metrics.turn(story);
    app.onTurn?.(story);
  };
  const calls = new CallsService({
    agents,
    actions,
    modelUse,
    conversations,
    recordings,
    dialogue,
    synthesis: engines.synthesis,
    encoder: engines.encoder,
    sharedState,
    ...(app.metrics || app.onTurn ? { onTurn } : {}),
    onFailure: (what, error) => logger.error({ err: error, what }, 'call failed'),
  });
  const ears = new EarsLine(engines.recognition);
  const earsWaitMs = () => ears.waitMs;
  const speech = new SpeechService({
    calls,
    conversations,
    recordings,
    ears: { recognition: ears.recognition, voiceActivity: engines.voiceActivity },
    earsWaitMs,
    sharedState,
    ...(config.quotas ? { limits: { streamsPerUser: config.quotas.calls } } : {}),
    listen: (options) => listen(options, engines.turnJudgement),
    onFailure: (error) => logger.error({ err: error }, 'listening failed'),
  });
  const rooms = new RoomsService({
    rooms: engines.rooms,
    participants: engines.participants,
    repository: new RoomsRepository(db),
    doors: new DoorsRepository(db),
    access: config.rooms?.access ?? 'members',
    stunServers: config.rooms?.stunServers ?? null,
    sharedState,
    seal,
    liveSessions: (sessionIds) => sessions.alive(sessionIds),
    agents,
    calls,
    conversations,
    recordings,
    listen: (language, listener) =>
      listen(
        {
          mode: 'hands-free',
          language,
          recognition: ears.recognition,
          voiceActivity: engines.voiceActivity,
          listener,
        },
        engines.turnJudgement,
      ),
    earsWaitMs,
    ...(config.quotas ? { limits: { maxRoomsPerUser: config.quotas.calls } } : {}),
    trouble: () => troubleInRooms(engines),
    onFailure: (what, error) => logger.error({ err: error, what }, 'live call failed'),
  });
  const tryOuts = new TryOuts({
    rehearse: (turn, signal) => calls.rehearse(turn, signal),
    profileFor: (scope, agentId) => agents.profileFor(scope, agentId),
    forget: (draft) => dialogue.forget(draft),
  });
  return { actions, modelUse, calls, speech, rooms, tryOuts };
}
