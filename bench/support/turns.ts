/**
 * Loaded into a service before its program (`--import`): notes each long turn of its event loop, in processor time of the main thread
 * and by the clock. Only the clock sees a turn that waits for the disk; on a shared machine it also has the waiting for a processor.
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

/** The longest turns in ms, by both measures. */
export interface LongestTurns {
  /** Processor time. */
  processor: number;
  /** By the clock. */
  clock: number;
}

/** The longest turns that ended within the times (epoch ms); 0 if all were short. */
export function longestTurns(file: string, times: readonly { from: number; to: number }[]): LongestTurns {
  const longest = { processor: 0, clock: 0 };
  for (const line of readFileSync(file, 'utf8').split('\n')) {
    const [at = 0, processor = 0, clock = 0] = line.split(' ').map(Number);
    if (!times.some(({ from, to }) => from <= at && at <= to)) continue;
    longest.processor = Math.max(longest.processor, processor);
    longest.clock = Math.max(longest.clock, clock);
  }
  return longest;
}

function note(file: string): void {
  const used = () => {
    const { user, system } = process.threadCpuUsage();
    return (user + system) / 1_000;
  };
  appendFileSync(file, '');
  let [processor, clock] = [used(), performance.now()];
  setInterval(() => {
    const [ms, elapsed] = [used() - processor, performance.now() - clock];
    if (elapsed > NOTED_MS) appendFileSync(file, `${Date.now()} ${ms.toFixed(0)} ${elapsed.toFixed(0)}\n`);
    [processor, clock] = [used(), performance.now()];
  }, 1).unref();
}

const file = process.env[NAME];
if (file !== undefined) note(file);
