import type { Sound } from '#server/audio/sound';
import type { AgentProfile, Dialogue } from '#server/dialogue/contract';
import type { AgentsService } from '#server/features/agents/service';
import type { RecordingsService } from '#server/features/conversations/recordings/service';
import type { ConversationsService } from '#server/features/conversations/service';
import { notFound } from '#server/lib/errors';
import type { Arrivals } from './arrivals.ts';
import type { StartedCall, TurnListener } from './call-events.ts';
import type { CallLimits } from './limits.ts';
import type { StartRequest, Welcome } from './requests.ts';
import type { Turn, TurnSurroundings } from './turn.ts';
import type { TurnQueue } from './turn-queue.ts';
import type { Voice } from './voice.ts';

type OnStarted = (call: StartedCall) => void | Promise<void>;

interface OpeningsOptions {
  conversations: ConversationsService;
  agents: AgentsService;
  agentOf: TurnSurroundings['agentOf'];
  dialogue: Dialogue;
  voice: Voice;
  recordings: Pick<RecordingsService, 'keepSpeech' | 'urlsOf'> | undefined;
  arrivals: Arrivals;
  queue: TurnQueue<Turn>;
  limits: CallLimits;
  onFailure(error: unknown): void;
}

/** Starts calls, and continues open ones. */
export class Openings {
  readonly #options: OpeningsOptions;

  constructor(options: OpeningsOptions) {
    this.#options = options;
  }

  /** See `CallsService.start`. */
  async start({ scope, agentId, channel, voice }: StartRequest, onStarted: OnStarted): Promise<void> {
    const { agents, conversations, limits, recordings } = this.#options;
    const agent = agentId === undefined ? agents.demoAgent : await agents.profileFor(scope, agentId);
    if (!agent) throw notFound('agent');
    const { text, speech } = this.#greet(agent, voice === false ? null : limits.welcomeWaitMs);
    const { conversation, welcomeId } = await conversations.create(
      scope,
      {
        id: agentId === undefined ? null : agent.id,
        name: agent.name,
        version: agent.version,
        companyName: agent.companyName,
        channel,
      },
      text,
    );
    const welcome = { id: welcomeId, text, at: conversation.createdAt, speech: await speech };
    await onStarted({ conversationId: conversation.id, agent, welcome });
    recordings?.keepSpeech(scope, { id: welcomeId, conversationId: conversation.id }, [welcome.speech]);
  }

  /** See `CallsService.start`. */
  async resume(
    { scope, agentId }: StartRequest,
    conversationId: string,
    listener: TurnListener,
    onStarted: OnStarted,
  ): Promise<void> {
    const { conversations, recordings, arrivals, queue, agentOf } = this.#options;
    await arrivals.exclusively(conversationId, async () => {
      const record = await conversations.openRecord(scope, conversationId);
      if (agentId !== undefined && record.agentId !== agentId) throw notFound('agent');
      const [agent, messages, audioUrls] = await Promise.all([
        agentOf(scope, record),
        conversations.messages(scope, conversationId),
        recordings?.urlsOf(scope, [conversationId]),
      ]);
      const turns = queue.turnsOf(scope, conversationId);
      const isAnswering = turns.some((turn) => turn.hasListeners);
      await onStarted({ conversationId, agent, messages, audioUrls, isAnswering });
      for (const turn of turns) {
        if (!turn.hasListeners) turn.join(listener);
        else if (turn.isTyping) listener.typing(conversationId, true);
      }
    });
  }

  /** See `CallsService.welcome`. */
  async welcome(agent: AgentProfile, patienceMs: number): Promise<Welcome> {
    const { text, speech } = this.#greet(agent, patienceMs);
    return { text, speech: await speech };
  }

  /** @param patienceMs time for its voice; null: it needs none */
  #greet(
    agent: AgentProfile,
    patienceMs: number | null,
  ): { text: string; speech: Promise<Sound | null> | null } {
    const { dialogue, voice, onFailure } = this.#options;
    void dialogue.prepare(agent).catch(onFailure);
    const text = dialogue.greet(agent);
    if (patienceMs === null) return { text, speech: null };
    return { text, speech: voice.speakWithin(text, agent.language, patienceMs) };
  }
}
