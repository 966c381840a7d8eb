/**
 * Measures the event loop of a service; the service loads this file before its program (`--import`). It records each
 * long turn, in processor time of the main thread and in wall-clock time. Only the wall clock includes waits for the
 * disk; on a shared machine it also includes waits for a processor.
 */
import { appendFileSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Name of the environment variable with the path of the file to which turns are recorded. */
const NAME = 'BENCH_TURNS_FILE';
/** Minimum duration of a recorded turn. */
const NOTED_MS = 10;

/** Returns the options and the environment of a service that records its turns. */
export function notingTurns(file: string): { options: readonly string[]; env: Record<string, string> } {
  return { options: ['--import', fileURLToPath(import.meta.url)], env: { [NAME]: file } };
}

/** The longest turns in ms, by processor time and by wall clock. */
export interface LongestTurns {
  /** By processor time. */
  processor: number;
  /** By wall clock. */
  clock: number;
}

/**
 * Returns the longest turns that ended within one of the given times (epoch milliseconds). A figure is 0 if no such
 * turn was recorded.
 */
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
