import { v7 as uuidv7 } from 'uuid';
import type { AgentProfile, Dialogue } from '#server/dialogue/contract';
import type { RecordingsService } from '#server/features/conversations/recordings/service';
import type { ConversationsService, ReplyAuthor } from '#server/features/conversations/service';
import { AppError } from '#server/lib/errors';
import type { ContactScope } from '#server/lib/scope';
import type { Arrivals } from './arrivals.ts';
import type { Audience } from './audience.ts';
import type { ConversationEvent, TurnListener } from './call-events.ts';
import type { Welcome } from './requests.ts';
import type { ResponderOf } from './responder.ts';
import type { StoppedReplies } from './stopped-replies.ts';
import type { Turn, TurnSurroundings } from './turn.ts';
import type { TurnQueue } from './turn-queue.ts';
import type { Voice } from './voice.ts';

interface UnaskedOptions {
  conversations: ConversationsService;
  agentOf: TurnSurroundings['agentOf'];
  responderOf: ResponderOf;
  dialogue: Pick<Dialogue, 'stillThere'>;
  voice: Voice;
  recordings: Pick<RecordingsService, 'keepSpeech'> | undefined;
  arrivals: Arrivals;
  audience: Audience;
  queue: TurnQueue<Turn>;
  stopped: StoppedReplies;
  publish(event: ConversationEvent): void;
  /** Time for its voice. */
  patienceMs: number;
}

/** A silent call in which the agent speaks. */
export interface SilentCall {
  scope: ContactScope;
  conversationId: string;
  /** `false`: text only. */
  voice: boolean;
  /** Whether it is still quiet now that it can be said. */
  isQuiet(): boolean;
}

/** Words that answer no message in particular. */
export interface UnaskedWords {
  scope: ContactScope;
  conversationId: string;
  author: ReplyAuthor;
  text: string;
}

/** Unasked words in a conversation: an agent's into a silence, or a colleague's. */
export class Unasked {
  readonly #options: UnaskedOptions;

  constructor(options: UnaskedOptions) {
    this.#options = options;
  }

  /** See `CallsService.stillThere`. */
  async stillThere(
    agent: AgentProfile,
    record: Pick<SilentCall, 'scope' | 'conversationId'> | null,
  ): Promise<Welcome | null> {
    const { conversations, dialogue, responderOf } = this.#options;
    try {
      const conversation = record && (await conversations.openRecord(record.scope, record.conversationId));
      if (conversation && !(await responderOf(conversation)).answersAtOnce) return null;
    } catch {
      // It is asked even without a record.
    }
    return this.#spoken(agent, dialogue.stillThere(agent));
  }

  /** See `CallsService.say`. */
  async say(words: UnaskedWords): Promise<string> {
    const { agentOf, arrivals, audience, conversations } = this.#options;
    const { scope, conversationId, text } = words;
    const conversation = await conversations.openRecord(scope, conversationId);
    const agent = await agentOf(scope, conversation);
    const hears = audience.hearerOf(conversationId)?.voice === true;
    const welcome = hears ? await this.#spoken(agent, text) : { text, speech: null };
    return arrivals.exclusively(conversationId, () =>
      this.#tell(words, agent, welcome, audience.hearerOf(conversationId)?.listener ?? null),
    );
  }

  /** See `CallsService.askWhetherThere`. */
  async askWhetherThere(call: SilentCall, listener: TurnListener): Promise<boolean> {
    const { agentOf, conversations, dialogue, responderOf } = this.#options;
    const { scope, conversationId, voice, isQuiet } = call;
    try {
      const conversation = await conversations.openRecord(scope, conversationId);
      const { answersAtOnce, author } = await responderOf(conversation);
      // A colleague asks it themselves.
      if (!answersAtOnce) return false;
      const agent = await agentOf(scope, conversation);
      const asked = dialogue.stillThere(agent);
      const question = voice ? await this.#spoken(agent, asked) : { text: asked, speech: null };
      return await this.#options.arrivals.exclusively(conversationId, async () => {
        if (!isQuiet() || !listener.isPresent || this.#isAnswering(scope, conversationId)) return false;
        const words = { scope, conversationId, author, text: question.text };
        await this.#tell(words, agent, question, listener);
        return true;
      });
    } catch (error) {
      // The conversation has ended or was deleted meanwhile.
      if (error instanceof AppError) return false;
      throw error;
    }
  }

  #isAnswering(scope: ContactScope, conversationId: string): boolean {
    return this.#options.queue.turnsOf(scope, conversationId).length > 0;
  }

  async #spoken(agent: AgentProfile, text: string): Promise<Welcome> {
    const { voice, patienceMs } = this.#options;
    return { text, speech: await voice.speakWithin(text, agent.language, patienceMs) };
  }

  /** Stores it, and sends it like a reply. @returns the message's id */
  async #tell(
    { scope, conversationId, author }: UnaskedWords,
    agent: AgentProfile,
    { text, speech }: Welcome,
    listener: TurnListener | null,
  ): Promise<string> {
    const { conversations, publish, recordings, stopped } = this.#options;
    const responseId = uuidv7();
    const by = author.kind === 'colleague' ? { authorId: author.id, saidBy: author.name } : {};
    const words = { role: 'assistant' as const, content: text, responseId, ...by };
    const { id } = await conversations.addWords(scope, conversationId, words);
    const message = await conversations.reply(scope, conversationId, responseId);
    if (!message) return id;
    const sentence = { index: 0, text, speech, isLast: true };
    stopped.remember({ responseId, sentences: [sentence] });
    const face = { name: agent.name, companyName: agent.companyName };
    const reply = { conversationId, responseId, message, agent: face, sentences: [sentence] };
    await listener?.sentence({ ...sentence, conversationId, responseId, author });
    await listener?.reply(reply);
    publish({ type: 'reply', conversationId, except: listener ? [listener.id] : [], reply });
    recordings?.keepSpeech(scope, message, [speech]);
    return id;
  }
}
