/** Measures how long `/livez` takes to respond during other work. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { WatchPlan } from './asker.ts';

/** The longest waits in milliseconds. */
export interface Waits {
  /** The longest wait of the caller. */
  longest: number;
  /** The longest wait, without the time in which the machine ran other programs. */
  own: number;
}

const [LONGEST, OWN, COUNT] = [0, 1, 2] as const;
const SETTLE_MS = 5;

export class Watch {
  readonly #worker: Worker;
  readonly #figures: Float64Array;

  private constructor(port: number, pid: number) {
    const seen = new SharedArrayBuffer(3 * Float64Array.BYTES_PER_ELEMENT);
    this.#figures = new Float64Array(seen);
    const plan: WatchPlan = { port, pid, seen };
    this.#worker = new Worker(new URL('./asker.ts', import.meta.url), { workerData: plan });
  }

  /** Starts the requests. Resolves after the first response. */
  static async start(port: number, pid: number): Promise<Watch> {
    const watch = new Watch(port, pid);
    while (watch.#figures[COUNT] === 0) await sleep(SETTLE_MS);
    return watch;
  }

  /** Returns the longest waits during `work`. */
  async during(work: () => Promise<unknown>): Promise<Waits> {
    this.#figures[LONGEST] = 0;
    this.#figures[OWN] = 0;
    const before = this.#figures[COUNT]!;
    await work();
    // Waits for the pending response, and for the response to a request that was sent after the work.
    while (this.#figures[COUNT]! < before + 2) await sleep(SETTLE_MS);
    return { longest: this.#figures[LONGEST], own: this.#figures[OWN] };
  }

  async end(): Promise<void> {
    await this.#worker.terminate();
  }
}
