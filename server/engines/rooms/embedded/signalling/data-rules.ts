import { type DataPacket, ParticipantInfo_Kind } from '@livekit/protocol';
import type { Participant } from './participant.ts';

/** Topics under which pages show the agent's words and state. */
const RESERVED_TOPIC = /^(?:lk|sigma)\./;
/** Most open streams of one participant; the oldest is closed for a new one. */
const MAX_STREAMS = 64;
const MAX_STREAM_ID_CHARACTERS = 64;

const isAgent = ({ kind }: Participant) => kind === ParticipantInfo_Kind.AGENT;

/** Whether a packet pretends to come from an agent: captions, and everything under a reserved topic. */
export function poses(sender: Participant, { value }: DataPacket): boolean {
  if (isAgent(sender)) return false;
  if (value.case === 'transcription') return true;
  return (
    (value.case === 'user' || value.case === 'streamHeader') && RESERVED_TOPIC.test(value.value.topic ?? '')
  );
}

/**
 * The open data streams of a room. Receivers assemble streams by id only, so this keeps a sender from
 * continuing, ending or restarting another's stream.
 */
export class OpenStreams<Sender> {
  readonly #senders = new Map<string, Sender>();
  readonly #own = new Map<Sender, Set<string>>();

  /** @returns whether the packet may pass: not part of a stream, or part of the sender's own */
  follow(sender: Sender, { value }: DataPacket): boolean {
    if (value.case === 'streamHeader') return this.#begin(sender, value.value.streamId);
    if (value.case !== 'streamChunk' && value.case !== 'streamTrailer') return true;
    const { streamId } = value.value;
    if (this.#senders.get(streamId) !== sender) return false;
    if (value.case === 'streamTrailer') this.#end(sender, streamId);
    return true;
  }

  /** Drops the streams of a participant who has left. */
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
 * Whether an agent sends another participant's words: the transcript of their speech keeps their name, as on
 * a LiveKit server. Such text is marked as machine-made.
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
