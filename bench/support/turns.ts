/**
 * Loaded into a service before its program (`--import`): notes each long turn of its event loop, in processor time of the main
 * thread. On a shared machine, the time of a response also has the waiting for a processor; this figure has not.
 */
import { appendFileSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Names the file of the notes to the service. */
const NAME = 'BENCH_TURNS_FILE';
/** Shorter turns are not noted. */
const NOTED_MS = 10;

/** Options and environment of a service that notes its turns. */
export function notingTurns(file: string): { options: readonly string[]; env: Record<string, string> } {
  return { options: ['--import', fileURLToPath(import.meta.url)], env: { [NAME]: file } };
}

/** The longest turn in ms that ended within the times (epoch ms); 0 if all were short. */
export function longestTurn(file: string, times: readonly { from: number; to: number }[]): number {
  let longest = 0;
  for (const line of readFileSync(file, 'utf8').split('\n')) {
    const [at = 0, ms = 0] = line.split(' ').map(Number);
    if (ms > longest && times.some(({ from, to }) => from <= at && at <= to)) longest = ms;
  }
  return longest;
}

function note(file: string): void {
  const used = () => {
    const { user, system } = process.threadCpuUsage();
    return (user + system) / 1_000;
  };
  appendFileSync(file, '');
  let before = used();
  setInterval(() => {
    const ms = used() - before;
    if (ms > NOTED_MS) appendFileSync(file, `${Date.now()} ${ms.toFixed(0)}\n`);
    before = used();
  }, 1).unref();
}

const file = process.env[NAME];
if (file !== undefined) note(file);
