import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

export type ToRoomCustomer =
  | { kind: 'say'; clip: string }
  | { kind: 'mute'; muted: boolean }
  | { kind: 'leave' };

/** Events of a person in a room; `at` in milliseconds since 1970. */
export type FromRoomCustomer =
  /** The process has started and is about to join. */
  | { kind: 'starting'; at: number }
  | { kind: 'joined'; at: number; others: string[] }
  | { kind: 'came'; identity: string; at: number }
  | { kind: 'went'; identity: string; at: number }
  | { kind: 'attributes'; identity: string; attributes: Record<string, string>; at: number }
  | { kind: 'data'; topic: string; payload: string }
  | { kind: 'caption'; identity: string; segment: string; isFinal: boolean; text: string; at: number }
  /** A participant becomes audible or silent. */
  | { kind: 'sound'; identity: string; isHeard: boolean; at: number }
  /** The last sound of a clip was sent. */
  | { kind: 'said'; clip: string; at: number }
  | { kind: 'out'; at: number };

type Told<Kind extends FromRoomCustomer['kind']> = Extract<FromRoomCustomer, { kind: Kind }>;

/** A person in a live room, in a process of their own. */
export class RoomCustomer {
  readonly events: FromRoomCustomer[] = [];
  readonly #child: ChildProcess;
  #wake: (() => void)[] = [];

  constructor(url: string, token: string) {
    this.#child = fork(fileURLToPath(new URL('./room-customer.ts', import.meta.url)), [url, token], {
      execArgv: ['--conditions=sigma-source', '--import', 'tsx'],
      env: { ...process.env, NODE_ENV: 'production' },
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    this.#child.on('message', (message: FromRoomCustomer) => {
      this.events.push(message);
      const wake = this.#wake;
      this.#wake = [];
      for (const each of wake) each();
    });
  }

  send(message: ToRoomCustomer): void {
    this.#child.send(message);
  }

  all<Kind extends FromRoomCustomer['kind']>(kind: Kind): Told<Kind>[] {
    return this.events.filter((event): event is Told<Kind> => event.kind === kind);
  }

  /** Waits for an event like this, after the first `from` events. */
  async notices<Kind extends FromRoomCustomer['kind']>(
    kind: Kind,
    is: (event: Told<Kind>) => boolean = () => true,
    { from = 0, withinMs = 120_000 } = {},
  ): Promise<Told<Kind>> {
    const deadline = Date.now() + withinMs;
    for (;;) {
      const found = this.events
        .slice(from)
        .filter((event): event is Told<Kind> => event.kind === kind)
        .find(is);
      if (found) return found;
      if (Date.now() > deadline)
        throw new Error(`Waited for "${kind}" in vain. Noticed: ${JSON.stringify(this.events.slice(-12))}`);
      await new Promise<void>((resolve) => {
        this.#wake.push(resolve);
        setTimeout(resolve, 100);
      });
    }
  }

  /** Says a clip of the speech set. Resolves when its last sound was sent. */
  async say(clip: string): Promise<number> {
    const from = this.events.length;
    this.send({ kind: 'say', clip });
    return (await this.notices('said', () => true, { from })).at;
  }

  async leave(): Promise<void> {
    if (this.#child.exitCode !== null) return;
    const gone = once(this.#child, 'exit');
    this.send({ kind: 'leave' });
    const overdue = setTimeout(() => this.#child.kill('SIGKILL'), 5_000);
    await gone;
    clearTimeout(overdue);
  }
}
