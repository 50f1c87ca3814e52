import { setImmediate as nextTurn } from 'node:timers/promises';
import type { SentimentEngine } from '#server/engines/sentiment/contract';
import type { ContactScope } from '#server/lib/scope';
import type { CustomerMessage, Labelled, LabelledConversation, SentimentRepository } from './repository.ts';
import { COUNTED_MESSAGES, type FeltMessage, felt, standingOf } from './standing.ts';

/** Few enough to hold and to read between two turns of the event loop. */
const CONVERSATIONS_AT_ONCE = 100;
const MESSAGES_AT_ONCE = 250;
/** The database stores scores in four bytes. */
const SAME_SCORE = 1e-3;

/** Whether a stored label equals the engine's current one. */
export function isLabelledSo(
  stored: { label: string | null; score: number | null },
  now: { label: string; score: number },
): boolean {
  return (
    stored.label === now.label && stored.score !== null && Math.abs(stored.score - now.score) < SAME_SCORE
  );
}

/**
 * Relabels all messages of a user's customers, page by page, and stores the differences. Each page takes one statement
 * of a few milliseconds, so other work runs in between.
 * @returns the number of conversations with another label
 * @throws the signal's reason; labels stored until then stay valid
 */
export async function reanalyze(
  { engine, repository }: { engine: SentimentEngine; repository: SentimentRepository },
  scope: ContactScope,
  signal: AbortSignal,
): Promise<number> {
  let changed = 0;
  let after: string | null = null;
  for (;;) {
    signal.throwIfAborted();
    const page = await repository.conversations(scope, after, CONVERSATIONS_AT_ONCE);
    const said = new Map<string, FeltMessage[]>();
    for await (const message of labelledMessages({ engine, repository }, scope, page, signal)) {
      const newest = said.get(message.conversationId) ?? [];
      newest.push(message);
      if (newest.length > COUNTED_MESSAGES) newest.shift();
      said.set(message.conversationId, newest);
    }
    const labels = page.map((conversation) => ({
      conversation,
      now: { id: conversation.id, ...standingOf(said.get(conversation.id) ?? []) },
    }));
    const different = labels.filter(({ conversation, now }) => !isLabelledSo(conversation, now));
    changed += (
      await repository.labelConversations(
        scope,
        different.map(({ now }) => now),
      )
    ).length;
    after = page.at(-1)?.id ?? null;
    if (page.length < CONVERSATIONS_AT_ONCE) return changed;
    await nextTurn();
  }
}

type LabelledMessage = FeltMessage & { conversationId: string };

async function* labelledMessages(
  { engine, repository }: { engine: SentimentEngine; repository: SentimentRepository },
  scope: ContactScope,
  page: readonly LabelledConversation[],
  signal: AbortSignal,
): AsyncGenerator<LabelledMessage> {
  const ids = page.map(({ id }) => id);
  if (ids.length === 0) return;
  let after: CustomerMessage | null = null;
  for (;;) {
    signal.throwIfAborted();
    const messages: CustomerMessage[] = await repository.messagesAfter(scope, ids, after, MESSAGES_AT_ONCE);
    const labels = await engine.analyse(
      messages.map(({ content }) => content),
      signal,
    );
    const different: Labelled[] = [];
    const said: LabelledMessage[] = [];
    messages.forEach((message, i) => {
      const now = labels[i];
      if (!now) return;
      if (!isLabelledSo(message, now)) different.push({ id: message.id, ...now });
      said.push({ ...felt(message.content, now), conversationId: message.conversationId });
    });
    await repository.labelMessages(scope, different);
    yield* said;
    after = messages.at(-1) ?? null;
    if (messages.length < MESSAGES_AT_ONCE) return;
    await nextTurn();
  }
}
