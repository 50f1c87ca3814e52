import { setTimeout as pause } from 'node:timers/promises';
import { AGENT_STATE_ATTRIBUTE, joinedRoomSchema } from '#shared/rooms';
import { type Clip, clipsOf } from '../speech/speech-set.ts';
import { RoomCustomer } from '../support/room-customers.ts';
import { figure, percentiles } from './figures.ts';
import { register, startServer, type TurnServer } from './turn-latency.ts';

/** Between an answer and the next question. */
const BREATH_MS = 700;
const ANSWERED_WITHIN_MS = 20_000;

interface RoomsAgentOptions {
  questions?: number;
  joins?: number;
}

/**
 * Measures a live call as somebody in the room has it, in a process of their own, through the embedded room server: from
 * asking to be let in to the agent's first sound; from the true end of a spoken question to the first sound of the answer;
 * and how the server's event loop fares meanwhile. The reply's first sentence has 12 words and was never spoken before.
 */
export async function benchRoomsAgent({ questions = 30, joins = 8 }: RoomsAgentOptions = {}): Promise<void> {
  const server = await startServer();
  try {
    if (server.ears.state !== 'ready') throw new Error(`The ears are not ready: ${server.ears.message}`);
    const clips = clipsOf('sentence', 'held-out').filter(({ person }) => !person);
    const greetings: number[] = [];
    for (let n = 0; n < joins; n++) greetings.push(await greetingAfter(server));
    figure('let in → the agent is heard', percentiles(greetings));

    const call = await Call.join(server);
    await call.agentListens(0);
    await call.ask(clips[0]);
    await server.steps();
    const answers: Answered[] = [];
    for (let n = 1; n <= questions; n++) answers.push(await call.ask(clips[n % clips.length]));
    const steps = await server.steps();
    const times = (of: (answer: Answered) => number | null) =>
      percentiles(answers.flatMap((answer) => of(answer) ?? []));
    figure(
      'end of question → first sound of the answer',
      times(({ soundMs }) => soundMs),
    );
    figure(
      '  of that: until it was taken as said',
      times(({ takenMs }) => takenMs),
    );
    figure(
      '  then: until the first sound',
      times(({ takenMs, soundMs }) => (takenMs === null || soundMs === null ? null : soundMs - takenMs)),
    );
    figure('meanwhile: an utterance recognised', percentiles(steps.recognition));
    figure('meanwhile: a first sentence made', percentiles(steps.dialogue));
    figure('answered', `${answers.filter(({ soundMs }) => soundMs !== null).length} of ${answers.length}`);
    await call.leave();
  } finally {
    await server.close();
  }
}

interface Answered {
  /** Milliseconds since the question truly ended. */
  takenMs: number | null;
  soundMs: number | null;
}

async function greetingAfter(server: TurnServer): Promise<number> {
  const askedAt = Date.now();
  const call = await Call.join(server);
  const heard = await call.customer.notices('sound', ({ isHeard }) => isHeard);
  await call.leave();
  return heard.at - askedAt - call.startedMs;
}

class Call {
  readonly customer: RoomCustomer;
  readonly #userId: string;
  /** What the start of the customer's own process took. */
  readonly startedMs: number;

  private constructor(customer: RoomCustomer, userId: string, startedMs: number) {
    this.customer = customer;
    this.#userId = userId;
    this.startedMs = startedMs;
  }

  static async join({ url }: TurnServer): Promise<Call> {
    const { token, user } = await register(url);
    const userId = user._id;
    const response = await fetch(`${url}/api/livekit/join-room`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        roomName: `bench ${userId}`,
        participantName: '-',
        participantIdentity: userId,
      }),
    });
    const { wsUrl, participantToken } = joinedRoomSchema.parse(await response.json());
    const before = Date.now();
    const customer = new RoomCustomer(wsUrl, participantToken);
    const { at } = await customer.notices('starting');
    return new Call(customer, userId, at - before);
  }

  async agentListens(from: number): Promise<void> {
    await this.customer.notices(
      'attributes',
      ({ attributes }) => attributes[AGENT_STATE_ATTRIBUTE] === 'listening',
      { from, withinMs: 60_000 },
    );
  }

  async ask(clip: Clip | undefined): Promise<Answered> {
    if (!clip) throw new Error('The speech set has no sentences.');
    const { customer } = this;
    await pause(BREATH_MS);
    const from = customer.events.length;
    const endedAt = (await customer.say(clip.id)) - (clip.durationMs - clip.endMs);
    const since = (event: { at: number } | null) => event && event.at - endedAt;
    const within = { from, withinMs: ANSWERED_WITHIN_MS };
    const sound = await customer
      .notices('sound', ({ isHeard, identity }) => isHeard && identity.startsWith('agent-'), within)
      .catch(() => null);
    const taken = customer
      .all('caption')
      .filter(
        (caption) => caption.isFinal && caption.segment.startsWith(this.#userId) && caption.at > endedAt,
      );
    if (sound) await this.agentListens(customer.events.indexOf(sound));
    return { takenMs: since(taken[0] ?? null), soundMs: since(sound) };
  }

  leave(): Promise<void> {
    return this.customer.leave();
  }
}
