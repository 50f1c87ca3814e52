import type { Author, Citation } from '#shared/conversations';
import type { AiResponse, AiResponseChunk, ResumedMessage, WelcomeMessage } from '#shared/realtime';

/** A message of the customer. `id` is the client's own, so that a repeated message is recognised. */
export interface CustomerEntry {
  kind: 'customer';
  id: string;
  text: string;
  /** ISO time. */
  at: string;
  /** `unanswered`: stored, but the answer failed. `failed`: not stored; `problem` gives the reason. */
  delivery: 'sending' | 'stored' | 'unanswered' | 'failed';
  problem: string | null;
  /** Whether the server knows it by our id: only then can it be sent again without being stored twice. */
  repeatable: boolean;
  /** Whether it was dictated on this page, so that the customer wants to check the text. */
  isSpoken: boolean;
}

interface Sentence {
  index: number;
  text: string;
}

/**
 * A message of the agent, or of a colleague in its place. `id` is the reply's on the wire; for an old message, the
 * message's.
 */
export interface AgentEntry {
  kind: 'agent';
  id: string;
  /** Id of the stored message, null until it is stored. */
  messageId: string | null;
  /** The colleague's name; null for the agent. */
  colleague: string | null;
  text: string;
  at: string;
  /** In order; empty if the reply came as a whole. */
  sentences: readonly Sentence[];
  citations: readonly Citation[];
  interrupted: boolean;
}

export type Entry = CustomerEntry | AgentEntry;
/** The messages of a call, oldest first. */
export type Entries = readonly Entry[];

/** A message that the customer sends here. */
export const ownEntry = (
  { id, text, at }: Pick<CustomerEntry, 'id' | 'text' | 'at'>,
  manner: Partial<Pick<CustomerEntry, 'delivery' | 'problem' | 'isSpoken'>> = {},
): CustomerEntry => ({
  kind: 'customer',
  id,
  text,
  at,
  delivery: 'sending',
  problem: null,
  repeatable: true,
  isSpoken: false,
  ...manner,
});

/** The welcome is one sentence, as it is played. */
export const welcomeEntry = ({ _id, content, timestamp }: WelcomeMessage): AgentEntry =>
  agentEntry({
    id: _id,
    messageId: _id,
    text: content,
    at: timestamp,
    sentences: [{ index: 0, text: content }],
  });

/** Adds a message from the server, unless it is present already. */
export function withMessage(entries: Entries, message: ResumedMessage): Entries {
  return entries.some((entry) => isSameMessage(entry, message)) ? entries : [...entries, toEntry(message)];
}

/** The server's messages win; unsent ones stay at the end. */
export function resumed(entries: Entries, messages: readonly ResumedMessage[]): Entries {
  const known = messages.filter(isSaid).map((message) => {
    const own = entries.find((entry) => isSameMessage(entry, message));
    if (!own) return toEntry(message);
    if (own.kind === 'agent')
      return { ...own, text: message.content, interrupted: message.interrupted === true };
    return { ...own, delivery: own.delivery === 'unanswered' ? own.delivery : ('stored' as const) };
  });
  const unsent = entries.filter(
    (entry) => entry.kind === 'customer' && !messages.some((message) => isSameMessage(entry, message)),
  );
  return [...known, ...unsent];
}

/** Adds the next sentence of a reply; an interrupted reply shows no more. */
export function withSentence(entries: Entries, event: AiResponseChunk, at: string): Entries {
  const { responseId: id, index, text, author } = event;
  const reply = entries.find((entry) => entry.kind === 'agent' && entry.id === id);
  if (reply?.kind !== 'agent') {
    const sentences = [{ index, text }];
    return [...entries, agentEntry({ id, messageId: null, ...saidBy(author), text, at, sentences })];
  }
  if (reply.interrupted) return entries;
  const others = reply.sentences.filter((sentence) => sentence.index !== index);
  const sentences = [...others, { index, text }].sort((a, b) => a.index - b.index);
  // A stored reply has its final text; a late sentence only adds its position for highlighting.
  const whole = reply.messageId ? reply.text : sentences.map((sentence) => sentence.text).join(' ');
  return changeReply(entries, id, (entry) => ({ ...entry, sentences, text: whole }));
}

/** Adds a reply as it is stored. */
export function withReply(entries: Entries, event: AiResponse): Entries {
  const { responseId, messageId, author, message: text, timestamp: at, citations = [] } = event;
  const known = entries.find(
    (entry) => entry.kind === 'agent' && (entry.id === responseId || entry.messageId === messageId),
  );
  const interrupted = event.interrupted === true;
  const stored = { messageId, ...saidBy(author), text, at, citations, interrupted };
  if (!known) return [...entries, agentEntry({ id: responseId, ...stored })];
  return changeReply(entries, known.id, (entry) => ({
    ...entry,
    ...stored,
    interrupted: stored.interrupted || entry.interrupted,
  }));
}

export function changeReply(
  entries: Entries,
  id: string,
  change: (entry: AgentEntry) => AgentEntry,
): Entries {
  return entries.map((entry) => (entry.kind === 'agent' && entry.id === id ? change(entry) : entry));
}

export function changeOwn(
  entries: Entries,
  id: string,
  change: (entry: CustomerEntry) => CustomerEntry,
): Entries {
  return entries.map((entry) => (entry.kind === 'customer' && entry.id === id ? change(entry) : entry));
}

function agentEntry(said: Pick<AgentEntry, 'id' | 'messageId' | 'text' | 'at'> & Partial<AgentEntry>) {
  const nothing = { colleague: null, sentences: [], citations: [], interrupted: false };
  return { kind: 'agent' as const, ...nothing, ...said };
}

const saidBy = ({ kind, name }: Author) => ({ colleague: kind === 'colleague' ? (name ?? null) : null });

/** Whether the message has words: a request for a moment gets an empty answer. */
const isSaid = ({ content, interrupted }: ResumedMessage) => content !== '' || interrupted === true;

function isSameMessage(entry: Entry, message: ResumedMessage): boolean {
  return entry.kind === 'agent'
    ? entry.messageId === message._id
    : entry.id === (message.clientMessageId ?? message._id);
}

function toEntry(message: ResumedMessage): Entry {
  const { _id, author, clientMessageId, content: text, timestamp: at, citations = [] } = message;
  if (message.role === 'user')
    return {
      ...ownEntry({ id: clientMessageId ?? _id, text, at }, { delivery: 'stored' }),
      repeatable: clientMessageId !== undefined,
    };
  const interrupted = message.interrupted === true;
  return agentEntry({ id: _id, messageId: _id, ...saidBy(author), text, at, citations, interrupted });
}
