import { type DataPacket, ParticipantInfo_Kind } from '@livekit/protocol';
import type { Participant } from './participant.ts';

/** What pages show as the agent's words and state travels under these names. */
const RESERVED_TOPIC = /^(?:lk|sigma)\./;
/** Streams that one participant may have under way; the oldest is given up for one more. */
const MAX_STREAMS = 64;
const MAX_STREAM_ID_CHARACTERS = 64;

const isAgent = ({ kind }: Participant) => kind === ParticipantInfo_Kind.AGENT;

/** Whether a packet claims to be what agents alone say: captions, and everything under a topic that is kept for them. */
export function poses(sender: Participant, { value }: DataPacket): boolean {
  if (isAgent(sender)) return false;
  if (value.case === 'transcription') return true;
  return (
    (value.case === 'user' || value.case === 'streamHeader') && RESERVED_TOPIC.test(value.value.topic ?? '')
  );
}

/**
 * The streams of data under way in a room. Receivers put them together by their ids alone, so it is here that nobody
 * adds to, ends or begins anew what somebody else is saying.
 */
export class OpenStreams<Sender> {
  readonly #senders = new Map<string, Sender>();
  readonly #own = new Map<Sender, Set<string>>();

  /** @returns whether the packet may pass: it is no part of a stream, or of one of the sender's own */
  follow(sender: Sender, { value }: DataPacket): boolean {
    if (value.case === 'streamHeader') return this.#begin(sender, value.value.streamId);
    if (value.case !== 'streamChunk' && value.case !== 'streamTrailer') return true;
    const { streamId } = value.value;
    if (this.#senders.get(streamId) !== sender) return false;
    if (value.case === 'streamTrailer') this.#end(sender, streamId);
    return true;
  }

  /** Somebody has gone. */
  forget(sender: Sender): void {
    for (const id of this.#own.get(sender) ?? []) this.#senders.delete(id);
    this.#own.delete(sender);
  }

  #begin(sender: Sender, id: string): boolean {
    const known = this.#senders.get(id);
    if (id.length > MAX_STREAM_ID_CHARACTERS || (known && known !== sender)) return false;
    const own = this.#own.get(sender) ?? new Set<string>();
    this.#own.set(sender, own.add(id));
    this.#senders.set(id, sender);
    for (const oldest of own) if (own.size > MAX_STREAMS) this.#end(sender, oldest);
    return true;
  }

  #end(sender: Sender, id: string): void {
    this.#senders.delete(id);
    this.#own.get(sender)?.delete(id);
  }
}

/**
 * Whether an agent sends what somebody else said: the text of their speech keeps their name, as on a LiveKit server.
 * Such text is marked as made by a machine.
 */
export function speaksForAnother(sender: Participant, packet: DataPacket): boolean {
  const { participantIdentity, value } = packet;
  if (!isAgent(sender) || participantIdentity === '' || participantIdentity === sender.identity) return false;
  if (value.case === 'chatMessage') value.value.generated = true;
  else if (value.case === 'streamHeader' && value.value.contentHeader.case === 'textHeader')
    value.value.contentHeader.value.generated = true;
  else return false;
  return true;
}
