import type { SpokenAudio } from '#shared/realtime';
import { fromBase64 } from '#web/lib/base64';
import { logProblem } from '#web/lib/log';
import type { AudioPlayer } from '#web/lib/loudspeaker/audio-player';
import type { PlayoutPosition } from '#web/lib/loudspeaker/reply-playout';
import { API_URL } from '#web/lib/server/api-url';

/**
 * The agent's voice in a call: decides what of its audio is played and what is only kept to be heard again. Nothing is
 * played while the voice is off, and nothing more of a reply that was stopped or overtaken.
 */
export class Loudspeaker {
  readonly #player: AudioPlayer;
  readonly #stopped = new Set<string>();
  readonly #replayed = new Set<string>();
  #isOn: boolean;
  #isOver = false;

  constructor(player: AudioPlayer, isOn: boolean) {
    this.#player = player;
    this.#isOn = isOn;
  }

  get isOn(): boolean {
    return this.#isOn;
  }

  /** Loudness at this moment, 0 to 1. */
  level(): number {
    return this.#player.level();
  }

  /** One sentence of a reply; `audioData` is base64. */
  takeSentence(replyId: string, index: number, audioData: string | undefined, isLast: boolean): void {
    this.#player.add(replyId, index, decode(audioData), isLast, this.#mayPlay(replyId));
  }

  /** A whole reply: its audio is in the event itself, or where the event says, relative to the API host. */
  takeWhole(replyId: string, { audioData, audioUrl }: SpokenAudio): void {
    if (audioData) this.takeSentence(replyId, 0, audioData, true);
    else if (audioUrl && this.#isOn)
      fetchAudio(audioUrl)
        .then((audio) => this.#player.add(replyId, 0, audio, true, this.#mayPlay(replyId)))
        .catch((error: unknown) => logProblem('The audio of a reply could not be fetched.', error));
  }

  /** Stops now, and for whatever of these replies is still on its way. */
  stop(replyIds: Iterable<string>): PlayoutPosition | null {
    for (const id of replyIds) this.#stopped.add(id);
    return this.#player.stop();
  }

  /** Pauses at once for somebody who speaks; nothing new begins meanwhile. */
  hold(): void {
    this.#player.hold();
  }

  /** Goes on where it was. */
  release(): void {
    this.#player.release();
  }

  /** What is here is played to its end, what comes of these replies afterwards is not. */
  expectNoMore(replyIds: Iterable<string>): void {
    for (const id of replyIds) this.#stopped.add(id);
    this.#player.expectNoMore();
  }

  turn(isOn: boolean): void {
    this.#isOn = isOn;
  }

  /** Nothing is heard from now on, except what is asked for again. */
  end(): void {
    this.#isOver = true;
  }

  canReplay(replyId: string): boolean {
    return this.#player.canReplay(replyId);
  }

  /** Whether this reply was asked to be heard again. */
  wasReplayed(replyId: string): boolean {
    return this.#replayed.has(replyId);
  }

  replay(replyId: string): void {
    this.#replayed.add(replyId);
    this.#player.unlock();
    this.#player.replay(replyId);
  }

  /** Lets the browser make sound; to be called from the person's own action. */
  unlock(): void {
    this.#player.unlock();
  }

  close(): Promise<void> {
    return this.#player.close();
  }

  #mayPlay(replyId: string): boolean {
    return this.#isOn && !this.#isOver && !this.#stopped.has(replyId);
  }
}

function decode(audioData: string | undefined): Uint8Array | null {
  if (!audioData) return null;
  try {
    return fromBase64(audioData);
  } catch (error) {
    logProblem('The audio of a reply is not base64.', error);
    return null;
  }
}

async function fetchAudio(audioUrl: string): Promise<Uint8Array> {
  const answer = await fetch(new URL(audioUrl, API_URL || window.location.origin));
  if (!answer.ok) throw new Error(`The audio of a reply answered ${answer.status}.`);
  return new Uint8Array(await answer.arrayBuffer());
}
