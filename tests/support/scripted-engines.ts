import type { Sound } from '#server/audio/sound';
import type { AgentProfile, CustomerTurn, Dialogue, ReplyEvent } from '#server/dialogue/contract';
import { soundOfText } from '#server/engines/encoding/fake';
import type { SpokenPhrase, SynthesisEngine, SynthesisRequest } from '#server/engines/synthesis/contract';
import type { EngineStatus } from '#shared/status';

type Answer = (turn: CustomerTurn, signal: AbortSignal) => AsyncIterable<ReplyEvent>;

export async function* sentencesOf(...texts: string[]): AsyncGenerator<ReplyEvent> {
  for (const [index, text] of texts.entries())
    yield { type: 'sentence', index, text, isLast: index === texts.length - 1 };
  yield {
    type: 'reply',
    text: texts.join(' '),
    citations: [{ text: texts[0] ?? '', source: 'Handbook' }],
    outcome: 'answered',
  };
}

/** A dialogue that answers as the test says; by default it repeats the question in two sentences. */
export class FakeDialogue implements Dialogue {
  readonly brain = { name: 'Fake', kind: 'grounded' as const };
  readonly turns: CustomerTurn[] = [];
  answer: Answer = ({ text }) => sentencesOf(`You said: ${text}`, 'Anything else?');

  /** Said while an answer takes long. */
  filler: string | null = null;

  oneMoment(): string | null {
    return this.filler;
  }

  stillThere(): string {
    return 'Are you still there?';
  }

  greet(agent: AgentProfile): string {
    return `Hello, this is ${agent.name} of ${agent.companyName}.`;
  }

  respond(turn: CustomerTurn, signal: AbortSignal): AsyncIterable<ReplyEvent> {
    this.turns.push(turn);
    return this.answer(turn, signal);
  }

  title(
    _agent: Pick<AgentProfile, 'language'>,
    userMessages: readonly string[],
    _topics: readonly string[],
  ): string | null {
    return userMessages.find((text) => text.length > 5) ? 'Question About An Order' : null;
  }

  async *compare() {}
  async prepare(): Promise<void> {}
  async *review() {}
  async passagesOf() {
    return [];
  }
  async countPassages() {
    return 0;
  }
  forget(): void {}
  async forgetAgent(): Promise<void> {}
  async close(): Promise<void> {}
}

/**
 * An immediate voice: its sound is one second long, and the fake encoder turns it into the text's own bytes.
 */
export class FakeSynthesis implements SynthesisEngine {
  readonly name = 'Fake';
  readonly spoken: string[] = [];
  state: EngineStatus['state'] = 'ready';
  speak: (request: SynthesisRequest) => Promise<Sound> = async ({ text }) => soundOfText(text);

  status(): EngineStatus {
    return { state: this.state, message: 'A voice for tests.' };
  }

  /** Divides a text into phrases; each is spoken separately. */
  divide: (request: SynthesisRequest) => string[] = ({ text }) => [text];

  async *synthesize(request: SynthesisRequest): AsyncGenerator<SpokenPhrase> {
    this.spoken.push(request.text);
    for (const text of this.divide(request)) yield { text, ...(await this.speak({ ...request, text })) };
  }

  async close(): Promise<void> {}
}

/** A promise that stays pending until the test opens it. */
export function door(): { opened: Promise<void>; open: () => void } {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}
