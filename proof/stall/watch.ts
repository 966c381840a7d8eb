/** How long `/livez` has to wait while something else goes on. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';

export interface WatchPlan {
  port: number;
  /** The process that is asked. */
  pid: number;
  /** Three doubles: the longest wait, the longest that the service itself caused, and how often it was answered. */
  seen: SharedArrayBuffer;
}

/** The longest waits in milliseconds. */
export interface Waits {
  /** As a caller sees it. */
  longest: number;
  /** Without the time in which the machine gave the processor to others. */
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

  /** Begins to ask, and answers when the first answer has come. */
  static async start(port: number, pid: number): Promise<Watch> {
    const watch = new Watch(port, pid);
    while (watch.#figures[COUNT] === 0) await sleep(SETTLE_MS);
    return watch;
  }

  /** The longest waits while `work` went on. */
  async during(work: () => Promise<unknown>): Promise<Waits> {
    this.#figures[LONGEST] = 0;
    this.#figures[OWN] = 0;
    const before = this.#figures[COUNT]!;
    await work();
    // The question that waits now, and one that was asked after the work.
    while (this.#figures[COUNT]! < before + 2) await sleep(SETTLE_MS);
    return { longest: this.#figures[LONGEST], own: this.#figures[OWN] };
  }

  async end(): Promise<void> {
    await this.#worker.terminate();
  }
}
