/** Runs commands of backroom as separate processes. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** Runs a command of backroom. `samples` receives its resident memory in MB, every 100 ms. */
export async function run(main: string, url: string, args: readonly string[], samples?: number[]): Promise<void> {
  const child = spawn(process.execPath, [main, ...args], {
    env: { PATH: process.env['PATH'], DATABASE_URL: url, BACKROOM_SECRET: 'ab'.repeat(32) },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let errors = '';
  child.stderr.on('data', (text: Buffer) => {
    errors += text.toString();
  });
  const exit = once(child, 'exit') as Promise<[number | null]>;
  while (samples !== undefined && child.exitCode === null) {
    try {
      const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
      const kilobytes = /VmRSS:\s+(\d+)/.exec(status)?.[1];
      if (kilobytes !== undefined) samples.push(Number(kilobytes) / 1024);
    } catch {
      break;
    }
    await sleep(100);
  }
  const [code] = await exit;
  if (code !== 0) throw new Error(`backroom ${args[0]} ended with ${code}: ${errors}`);
}
