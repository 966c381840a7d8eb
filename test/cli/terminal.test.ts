import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { testProgram } from '../../town/test-program.ts';
import { settings } from './support.ts';

vi.setConfig({ testTimeout: 60_000 });

const started: ChildProcess[] = [];
afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL');
});

/** Starts a command that asks for a password in a terminal, and waits for the question. */
async function asked() {
  const program = testProgram();
  const command = `echo "pid $$;"; exec '${process.execPath}' '${program.main}' user add kim --client SHOP`;
  const child = spawn('script', ['--quiet', '--return', '--command', command, '/dev/null'], {
    env: { PATH: process.env['PATH'], SHELL: '/bin/sh', ...program.env, ...settings('terminal.db') },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  started.push(child);
  let shown = '';
  child.stdout.on('data', (chunk: Buffer) => (shown += chunk.toString()));
  const ended = once(child, 'exit').then(([code]) => ({ code: code as number, shown }));
  await expect.poll(() => shown, { timeout: 30_000 }).toContain('Password: ');
  return { child, ended, pid: Number(/pid (\d+);/.exec(shown)?.[1]) };
}

const hasScript = spawnSync('script', ['--version'], { encoding: 'utf8' }).status === 0;

describe.skipIf(!hasScript)('a command that asks for a password', () => {
  it('does not show the typed password', async () => {
    const { child, ended } = await asked();
    child.stdin.write('long enough\r');
    const { code, shown } = await ended;
    expect([code, shown]).toEqual([1, expect.stringContaining('There is no database')]);
    expect(shown).not.toContain('long');
  });

  it('ends at Ctrl+C', async () => {
    const { child, ended } = await asked();
    child.stdin.write('\u0003');
    expect((await ended).code).toBe(128 + 2);
  });

  it('ends at the first SIGTERM, like other commands that can be killed at any time', async () => {
    const { ended, pid } = await asked();
    process.kill(pid, 'SIGTERM');
    expect((await ended).code).toBe(128 + 15);
  });
});
