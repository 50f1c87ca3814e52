import type { SpokenAudio } from '#shared/realtime';
import { fromBase64 } from '#web/lib/base64';
import { logProblem } from '#web/lib/log';
import type { AudioPlayer } from '#web/lib/loudspeaker/audio-player';
import type { PlayoutPosition } from '#web/lib/loudspeaker/reply-playout';
import { API_URL } from '#web/lib/server/api-url';

/**
 * The agent's voice in a call: decides which audio is played and which is only kept for a replay. Plays nothing while
 * the voice is off, and nothing more of a stopped or outdated reply.
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

  /** Current loudness, 0 to 1. */
  level(): number {
    return this.#player.level();
  }

  /** One sentence of a reply; `audioData` is base64. */
  takeSentence(replyId: string, index: number, audioData: string | undefined, isLast: boolean): void {
    this.#player.add(replyId, index, decode(audioData), isLast, this.#mayPlay(replyId));
  }

  /** A whole reply: the event holds its audio, or the audio's address relative to the API host. */
  takeWhole(replyId: string, { audioData, audioUrl }: SpokenAudio): void {
    if (audioData) this.takeSentence(replyId, 0, audioData, true);
    else if (audioUrl && this.#isOn)
      fetchAudio(audioUrl)
        .then((audio) => this.#player.add(replyId, 0, audio, true, this.#mayPlay(replyId)))
        .catch((error: unknown) => logProblem('The audio of a reply could not be fetched.', error));
  }

  /** Stops now, and also for audio of these replies that is still on its way. */
  stop(replyIds: Iterable<string>): PlayoutPosition | null {
    for (const id of replyIds) this.#stopped.add(id);
    return this.#player.stop();
  }

  /** Pauses at once for a speaking customer; nothing new begins meanwhile. */
  hold(): void {
    this.#player.hold();
  }

  /** Continues where it paused. */
  release(): void {
    this.#player.release();
  }

  /** Plays received audio to its end, but ignores later audio of these replies. */
  expectNoMore(replyIds: Iterable<string>): void {
    for (const id of replyIds) this.#stopped.add(id);
    this.#player.expectNoMore();
  }

  turn(isOn: boolean): void {
    this.#isOn = isOn;
  }

  /** Plays nothing from now on, except replays. */
  end(): void {
    this.#isOver = true;
  }

  canReplay(replyId: string): boolean {
    return this.#player.canReplay(replyId);
  }

  /** Whether a replay of this reply was requested. */
  wasReplayed(replyId: string): boolean {
    return this.#replayed.has(replyId);
  }

  replay(replyId: string): void {
    this.#replayed.add(replyId);
    this.#player.unlock();
    this.#player.replay(replyId);
  }

  /** Lets the browser make sound; call it from the person's own action. */
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
