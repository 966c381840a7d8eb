/** How long `/livez` has to wait while something else goes on. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';

export interface WatchPlan {
  port: number;
  /** Three doubles: the longest wait, since when the asker waits now (0: it does not), how often it was answered. */
  seen: SharedArrayBuffer;
}

const [LONGEST, SINCE, COUNT] = [0, 1, 2] as const;
const SETTLE_MS = 5;

export class Watch {
  readonly #worker: Worker;
  readonly #figures: Float64Array;

  private constructor(port: number) {
    const seen = new SharedArrayBuffer(3 * Float64Array.BYTES_PER_ELEMENT);
    this.#figures = new Float64Array(seen);
    const plan: WatchPlan = { port, seen };
    this.#worker = new Worker(new URL('./asker.ts', import.meta.url), { workerData: plan });
  }

  /** Begins to ask, and answers when the first answer has come. */
  static async start(port: number): Promise<Watch> {
    const watch = new Watch(port);
    while (watch.#figures[COUNT] === 0) await sleep(SETTLE_MS);
    return watch;
  }

  /** The longest wait while `work` went on, in milliseconds. */
  async during(work: () => Promise<unknown>): Promise<number> {
    this.#figures[LONGEST] = 0;
    const before = this.#figures[COUNT]!;
    await work();
    // The question that waits now, and one that was asked after the work.
    while (this.#figures[COUNT]! < before + 2) await sleep(SETTLE_MS);
    const since = this.#figures[SINCE]!;
    const running = since === 0 ? 0 : performance.timeOrigin + performance.now() - since;
    return Math.max(this.#figures[LONGEST]!, running);
  }

  async end(): Promise<void> {
    await this.#worker.terminate();
  }
}
