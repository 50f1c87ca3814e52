import { describe, expect, it } from 'vitest';
import type { ContactScope } from '#server/lib/scope';
import { aScope } from '../../../tests/factories.ts';
import { TurnQueue } from './turn-queue.ts';

class FakeTurn {
  readonly scope: ContactScope;
  readonly conversationId: string;
  hasStarted = false;
  reason: Error | null = null;
  finish = () => {};

  constructor(contactId: string, conversationId: string) {
    this.scope = aScope(contactId);
    this.conversationId = conversationId;
  }

  run(): Promise<void> {
    this.hasStarted = true;
    if (this.reason) return Promise.resolve();
    return new Promise((resolve) => {
      this.finish = resolve;
    });
  }

  stop({ reason }: { reason: Error }): void {
    this.reason = reason;
    this.finish();
  }
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

function queueOf(...turns: FakeTurn[]) {
  const queue = new TurnQueue<FakeTurn>({ maxRunningPerUser: 2 });
  for (const turn of turns) queue.add(turn);
  return queue;
}

describe('TurnQueue', () => {
  it('runs the turns of one conversation one after another, in order', async () => {
    const turns = [new FakeTurn('u', 'a'), new FakeTurn('u', 'a'), new FakeTurn('u', 'a')] as const;
    queueOf(...turns);
    expect(turns.map((turn) => turn.hasStarted)).toEqual([true, false, false]);
    turns[0].finish();
    await settled();
    expect(turns.map((turn) => turn.hasStarted)).toEqual([true, true, false]);
  });

  it('runs conversations side by side up to the bound of their user', async () => {
    const turns = [new FakeTurn('u', 'a'), new FakeTurn('u', 'b'), new FakeTurn('u', 'c')] as const;
    const stranger = new FakeTurn('v', 'd');
    queueOf(...turns, stranger);
    expect(turns.map((turn) => turn.hasStarted)).toEqual([true, true, false]);
    expect(stranger.hasStarted).toBe(true);
    turns[1].finish();
    await settled();
    expect(turns[2].hasStarted).toBe(true);
  });

  it('lets a turn of another conversation pass one whose conversation is busy', () => {
    const turns = [new FakeTurn('u', 'a'), new FakeTurn('u', 'a'), new FakeTurn('u', 'b')] as const;
    queueOf(...turns);
    expect(turns.map((turn) => turn.hasStarted)).toEqual([true, false, true]);
  });

  it('settles cancelled turns at once, waiting ones too', async () => {
    const turns = [new FakeTurn('u', 'a'), new FakeTurn('u', 'a')] as const;
    const queue = queueOf(...turns);
    queue.stop(queue.turnsOf(aScope('u'), 'a'), new Error('over'));
    await queue.idle();
    expect(turns.map((turn) => turn.reason?.message)).toEqual(['over', 'over']);
    expect(queue.all()).toEqual([]);
  });

  it('is idle once nothing runs and nothing waits', async () => {
    const turns = [new FakeTurn('u', 'a'), new FakeTurn('u', 'a')] as const;
    const queue = queueOf(...turns);
    let isIdle = false;
    const idle = queue.idle().then(() => {
      isIdle = true;
    });
    turns[0].finish();
    await settled();
    expect(isIdle).toBe(false);
    turns[1].finish();
    await idle;
  });

  it('counts what waits, by conversation and by user', () => {
    const queue = queueOf(new FakeTurn('u', 'a'), new FakeTurn('u', 'a'), new FakeTurn('u', 'a'));
    expect(queue.waitingCount(aScope('u'), 'a')).toBe(2);
    expect(queue.waitingCount(aScope('u'), 'b')).toBe(0);
    expect(queue.waitingCount(aScope('u'))).toBe(2);
    expect(queue.waitingCount(aScope('v'))).toBe(0);
  });
});
