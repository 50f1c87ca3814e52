import { v7 as uuidv7 } from 'uuid';
import type { AgentProfile, Dialogue } from '#server/dialogue/contract';
import type { RecordingsService } from '#server/features/conversations/recordings/service';
import type { ConversationsService } from '#server/features/conversations/service';
import { AppError } from '#server/lib/errors';
import type { ContactScope } from '#server/lib/scope';
import type { Arrivals } from './arrivals.ts';
import type { ConversationEvent, TurnListener } from './call-events.ts';
import type { Welcome } from './requests.ts';
import type { StoppedReplies } from './stopped-replies.ts';
import type { Turn, TurnSurroundings } from './turn.ts';
import type { TurnQueue } from './turn-queue.ts';
import type { Voice } from './voice.ts';

interface UnaskedOptions {
  conversations: ConversationsService;
  agentOf: TurnSurroundings['agentOf'];
  dialogue: Pick<Dialogue, 'stillThere'>;
  voice: Voice;
  recordings: Pick<RecordingsService, 'keepSpeech'> | undefined;
  arrivals: Arrivals;
  queue: TurnQueue<Turn>;
  stopped: StoppedReplies;
  publish(event: ConversationEvent): void;
  /** How long the voice may take for it. */
  patienceMs: number;
}

/** A call into whose silence the agent speaks. */
export interface SilentCall {
  scope: ContactScope;
  conversationId: string;
  /** `false`: it comes as text alone. */
  voice: boolean;
  /** Whether it is still quiet there, now that it can be said. */
  isQuiet(): boolean;
}

/** What an agent says into a silence, unasked. */
export class Unasked {
  readonly #options: UnaskedOptions;

  constructor(options: UnaskedOptions) {
    this.#options = options;
  }

  /** See `CallsService.stillThere`. */
  async stillThere(agent: AgentProfile): Promise<Welcome> {
    const { dialogue, voice, patienceMs } = this.#options;
    const text = dialogue.stillThere(agent);
    return { text, speech: await voice.speakWithin(text, agent.language, patienceMs) };
  }

  /** See `CallsService.askWhetherThere`. */
  async askWhetherThere(call: SilentCall, listener: TurnListener): Promise<boolean> {
    const { agentOf, conversations, dialogue } = this.#options;
    const { scope, conversationId, voice, isQuiet } = call;
    try {
      const conversation = await conversations.openRecord(scope, conversationId);
      const agent = await agentOf(scope, conversation);
      const { text, speech } = voice
        ? await this.stillThere(agent)
        : { text: dialogue.stillThere(agent), speech: null };
      return await this.#options.arrivals.exclusively(conversationId, async () => {
        if (!isQuiet() || !listener.isPresent || this.#isAnswering(scope, conversationId)) return false;
        await this.#say({ call, agent, text, speech, responseId: uuidv7() }, listener);
        return true;
      });
    } catch (error) {
      // It has ended, or gone, meanwhile.
      if (error instanceof AppError) return false;
      throw error;
    }
  }

  #isAnswering(scope: ContactScope, conversationId: string): boolean {
    return this.#options.queue.turnsOf(scope, conversationId).length > 0;
  }

  async #say(
    {
      call: { scope, conversationId },
      agent,
      text,
      speech,
      responseId,
    }: Welcome & { call: SilentCall; agent: AgentProfile; responseId: string },
    listener: TurnListener,
  ): Promise<void> {
    const { conversations, publish, recordings, stopped } = this.#options;
    await conversations.addWords(scope, conversationId, { role: 'assistant', content: text, responseId });
    const message = await conversations.reply(scope, conversationId, responseId);
    if (!message) return;
    const sentences = [{ index: 0, text, speech, isLast: true }];
    stopped.remember({ responseId, sentences });
    const face = { name: agent.name, companyName: agent.companyName };
    const reply = { conversationId, responseId, message, agent: face, sentences };
    for (const sentence of sentences) await listener.sentence({ ...sentence, conversationId, responseId });
    await listener.reply(reply);
    publish({ type: 'reply', conversationId, except: [listener.id], reply });
    recordings?.keepSpeech(scope, message, [speech]);
  }
}
