import { clipsOf } from '../speech/speech-set.ts';
import { figure, percentiles } from './figures.ts';
import { type RoomAnswer, RoomCall } from './rooms-agent.call.ts';
import { startServer, type TurnServer } from './turn-server.start.ts';

interface RoomsAgentOptions {
  questions?: number;
  joins?: number;
}

/**
 * Measures a live call from a customer's side in the room, in a separate process, through the embedded room server:
 * from requesting admission to the agent's first sound; from the true end of a spoken question to the first sound of
 * the answer; and the delay of the server's event loop meanwhile. The reply's first sentence has 12 words and was never
 * spoken before.
 */
export async function benchRoomsAgent({ questions = 30, joins = 8 }: RoomsAgentOptions = {}): Promise<void> {
  const server = await startServer();
  try {
    if (server.ears.state !== 'ready') throw new Error(`The ears are not ready: ${server.ears.message}`);
    const [first, ...clips] = clipsOf('sentence', 'held-out').filter(({ person }) => !person);
    if (!first) throw new Error('The speech set has no sentences.');
    const greetings: number[] = [];
    for (let n = 0; n < joins; n++) greetings.push(await greetingAfter(server));
    figure('let in → the agent is heard', percentiles(greetings));

    const call = await RoomCall.join(server.url);
    await call.agentListens(0);
    await call.ask(first);
    await server.steps();
    const answers: RoomAnswer[] = [];
    for (const clip of clips.slice(0, questions)) answers.push(await call.ask(clip));
    const steps = await server.steps();
    const times = (between: (answer: RoomAnswer) => [from: number | null, to: number | null]) =>
      percentiles(
        answers.flatMap((answer) => {
          const [from, to] = between(answer);
          return from === null || to === null ? [] : to - from;
        }),
      );
    figure(
      'end of question → first sound of the answer',
      times(({ endedAt, soundAt }) => [endedAt, soundAt]),
    );
    figure(
      '  of that: until it was taken as said',
      times(({ endedAt, takenAt }) => [endedAt, takenAt]),
    );
    figure(
      '  then: until the first sound',
      times(({ takenAt, soundAt }) => [takenAt, soundAt]),
    );
    figure('meanwhile: an utterance recognised', percentiles(steps.recognition));
    figure('meanwhile: a first sentence made', percentiles(steps.dialogue));
    figure('answered', `${answers.filter(({ soundAt }) => soundAt !== null).length} of ${answers.length}`);
    await call.leave();
  } finally {
    await server.close();
  }
}

async function greetingAfter({ url }: TurnServer): Promise<number> {
  const askedAt = Date.now();
  const call = await RoomCall.join(url);
  const { at: startedAt } = await call.customer.notices('starting');
  const heard = await call.customer.notices('sound', ({ isHeard }) => isHeard);
  await call.leave();
  // Without the start of the customer's own process.
  return heard.at - askedAt - (startedAt - call.begunAt);
}
