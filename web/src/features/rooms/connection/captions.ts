import type { Room, TextStreamReader } from 'livekit-client';
import {
  TRANSCRIPTION_FINAL_ATTRIBUTE,
  TRANSCRIPTION_SEGMENT_ATTRIBUTE,
  TRANSCRIPTION_TRACK_ATTRIBUTE,
} from '#shared/rooms';
import { logProblem } from '#web/lib/log';
import { isAgent, nameOf, publisherOf } from './participants.ts';
import type { RoomCaption } from './room-state.ts';

/**
 * Reads one stretch of speech, whose text arrives while it is spoken. Never rejects.
 * @param show takes the caption as it grows
 */
export async function readCaption(
  room: Room,
  reader: TextStreamReader,
  identity: string,
  show: (caption: RoomCaption) => void,
): Promise<void> {
  const attributes = reader.info.attributes ?? {};
  const writer = room.getParticipantByIdentity(identity);
  // A server may name the agent, which wrote the caption, in place of the speaker: the track tells them apart.
  const speaker = publisherOf(room, attributes[TRANSCRIPTION_TRACK_ATTRIBUTE]) ?? writer;
  // Only the agent may write others' captions; a participant's claim to another's words is not shown.
  if (speaker !== writer && !isAgent(writer)) return;
  const caption = {
    id: attributes[TRANSCRIPTION_SEGMENT_ATTRIBUTE] ?? reader.info.id,
    identity: speaker?.identity ?? identity,
    speaker: speaker ? nameOf(speaker) : identity,
    isLocal: speaker?.isLocal === true,
    isAgent: isAgent(speaker),
  };
  const isFinal = attributes[TRANSCRIPTION_FINAL_ATTRIBUTE] === 'true';
  let text = '';
  try {
    for await (const piece of reader) {
      text += piece;
      if (text) show({ ...caption, text, isFinal: false });
    }
    show({ ...caption, text, isFinal: isFinal || caption.isAgent });
  } catch (error) {
    logProblem('A caption broke off.', error);
    if (text) show({ ...caption, text, isFinal: true });
  }
}
