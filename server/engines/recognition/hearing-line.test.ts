import { describe, expect, it } from 'vitest';
import { HearingLine } from './hearing-line.ts';

const never = new AbortController().signal;
const settle = () => new Promise((resolve) => setImmediate(resolve));

/** Runs jobs that finish when told, and records the order in which they began. */
function aLine(options: ConstructorParameters<typeof HearingLine>[0] = {}) {
  const line = new HearingLine(options);
  const begun: string[] = [];
  const finish = new Map<string, () => void>();
  const add = (name: string, urgency: 'final' | 'partial', caller = name, signal = never) =>
    line.run({ urgency, caller, signal }, () => {
      begun.push(name);
      return new Promise<string>((resolve) => finish.set(name, () => resolve(name)));
    });
  const finishAll = async () => {
    await settle();
    for (let done = 0; done < begun.length; done++) {
      finish.get(begun[done] ?? '')?.();
      await settle();
    }
  };
  return { add, begun, finish, finishAll };
}

describe('HearingLine', () => {
  it('lets in one after the other', async () => {
    const line = aLine();
    const all = Promise.all(['a', 'b', 'c'].map((name) => line.add(name, 'final')));
    await settle();
    expect(line.begun).toEqual(['a']);
    await line.finishAll();
    expect(await all).toEqual(['a', 'b', 'c']);
  });

  it('lets final requests overtake partial ones', async () => {
    const line = aLine();
    const all = Promise.all([
      line.add('at work', 'final'),
      line.add('partial', 'partial'),
      line.add('final', 'final'),
    ]);
    await line.finishAll();
    await all;
    expect(line.begun).toEqual(['at work', 'final', 'partial']);
  });

  it('lets callers take turns, whoever has more to say', async () => {
    const line = aLine();
    const all = Promise.all([
      ...['a1', 'a2', 'a3'].map((name) => line.add(name, 'final', 'a')),
      ...['b1', 'b2'].map((name) => line.add(name, 'final', 'b')),
      line.add('c1', 'final', 'c'),
    ]);
    await line.finishAll();
    await all;
    expect(line.begun).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3']);
  });

  it('refuses a partial for which a newer request of its caller has come, and no other', async () => {
    const line = aLine();
    const busy = line.add('at work', 'final');
    const old = line.add('old', 'partial', 'a');
    const other = line.add('other', 'partial', 'b');
    const newer = line.add('newer', 'partial', 'a');
    await expect(old).rejects.toMatchObject({ name: 'EngineError', retryable: true });
    const last = line.add('last', 'final', 'a');
    await expect(newer).rejects.toMatchObject({ retryable: true });
    await line.finishAll();
    await Promise.all([busy, other, last]);
    expect(line.begun).toEqual(['at work', 'last', 'other']);
  });

  it('refuses a partial that has waited too long', async () => {
    const line = aLine({ partialPatienceMs: 10 });
    const busy = line.add('at work', 'final');
    await expect(line.add('late', 'partial')).rejects.toMatchObject({
      message: 'The ears are behind.',
      retryable: true,
    });
    await line.finishAll();
    expect(await busy).toBe('at work');
    expect(line.begun).toEqual(['at work']);
  });

  it('has the partial at work give way to a final request of anybody', async () => {
    const line = new HearingLine();
    const begun: string[] = [];
    const partial = line.run({ urgency: 'partial', caller: 'a', signal: never }, (signal) => {
      begun.push('partial');
      return new Promise<string>((_resolve, reject) =>
        signal.addEventListener('abort', () => reject(signal.reason)),
      );
    });
    await settle();
    const final = line.run({ urgency: 'final', caller: 'b', signal: never }, async () => {
      begun.push('final');
      return 'words';
    });
    await expect(partial).rejects.toMatchObject({ message: 'The ears are behind.', retryable: true });
    expect(await final).toBe('words');
    expect(begun).toEqual(['partial', 'final']);
  });

  it('lets a final request at work finish when another one comes', async () => {
    const line = aLine();
    const first = line.add('first', 'final');
    await settle();
    const second = line.add('second', 'final');
    await line.finishAll();
    expect(await Promise.all([first, second])).toEqual(['first', 'second']);
  });

  it('forgets one that gives up while it waits', async () => {
    const line = aLine();
    const controller = new AbortController();
    const busy = line.add('at work', 'final');
    const given = line.add('given up', 'final', 'a', controller.signal);
    const next = line.add('next', 'final');
    controller.abort(new Error('hung up'));
    await expect(given).rejects.toThrow('hung up');
    await line.finishAll();
    await Promise.all([busy, next]);
    expect(line.begun).toEqual(['at work', 'next']);
  });

  it('lets the next one in only when the work has ended that a caller gave up', async () => {
    const line = aLine();
    const controller = new AbortController();
    const given = line.add('given up', 'final', 'a', controller.signal);
    const next = line.add('next', 'final');
    await settle();
    controller.abort(new Error('hung up'));
    await expect(given).rejects.toThrow('hung up');
    await settle();
    expect(line.begun).toEqual(['given up']);
    await line.finishAll();
    expect(await next).toBe('next');
  });

  it('refuses at once when too many wait', async () => {
    const line = aLine({ maxWaiting: 2 });
    const waiting = ['at work', 'b', 'c'].map((name) => line.add(name, 'final'));
    await expect(line.add('d', 'final')).rejects.toMatchObject({ name: 'EngineError', retryable: true });
    await line.finishAll();
    expect(await Promise.all(waiting)).toEqual(['at work', 'b', 'c']);
  });

  it('does not begin for one that has given up before, and goes on after a failure', async () => {
    const line = new HearingLine();
    const gone = { urgency: 'final' as const, caller: 'a', signal: AbortSignal.abort(new Error('gone')) };
    await expect(line.run(gone, async () => 'heard')).rejects.toThrow('gone');
    const place = { urgency: 'final' as const, caller: 'a', signal: never };
    await expect(line.run(place, () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    expect(await line.run(place, async () => 'heard')).toBe('heard');
  });
});
