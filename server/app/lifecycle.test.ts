import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { startProgram } from '../../tests/support/programs.ts';

async function opened(trouble: string) {
  const program = startProgram('tests/support/ends-in-order.ts', [trouble]);
  await program.until(({ stdout }) => stdout.includes('open\n'));
  return program;
}

// Windows has no signals that a process could handle.
describe.skipIf(process.platform === 'win32')('a process that ends in order', () => {
  it.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
    'closes everything on %s and ends with 0',
    async (signal) => {
      const program = await opened('none');
      program.child.kill(signal);
      expect(await program.ended).toBe(0);
      expect(program.output().stdout).toBe('open\nclosing\nclosed\n');
    },
  );

  it('ends at once on a second signal', async () => {
    const program = await opened('hangs');
    program.child.kill('SIGTERM');
    await program.until(({ stdout }) => stdout.includes('closing\n'));
    await sleep(600);
    program.child.kill('SIGTERM');
    expect(await program.ended).toBe(1);
  });

  it('is not hurried by a parent that hangs up meanwhile', async () => {
    const program = await opened('is slow');
    program.child.kill('SIGTERM');
    await program.until(({ stdout }) => stdout.includes('closing\n'));
    await sleep(600);
    program.child.kill('SIGHUP');
    expect(await program.ended).toBe(0);
    expect(program.output().stdout).toBe('open\nclosing\nclosed\n');
  });

  it('takes a signal that comes twice, as by npm and a terminal, for one', async () => {
    const program = await opened('none');
    program.child.kill('SIGINT');
    program.child.kill('SIGINT');
    expect(await program.ended).toBe(0);
  });

  it('ends with 1 when something cannot be closed', async () => {
    const program = await opened('fails');
    program.child.kill('SIGTERM');
    expect(await program.ended).toBe(1);
    expect(program.output().stderr).toContain('closing failed');
  });

  it('closes everything after an error that nobody caught, and ends with 1', async () => {
    const program = await opened('throws');
    expect(await program.ended).toBe(1);
    expect(program.output().stdout).toBe('open\nclosing\nclosed\n');
    expect(program.output().stderr).toContain('error that nobody caught');
  });

  it('goes on after a rejection that nobody handled, and logs it', async () => {
    const program = await opened('rejects');
    await program.until(({ stderr }) => stderr.includes('rejection that nobody handled'));
    expect(program.child.exitCode).toBeNull();
    program.child.kill('SIGTERM');
    expect(await program.ended).toBe(0);
  });
});
