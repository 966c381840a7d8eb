/**
 * Compares the speed of this machine during a run with the reference machine, by the processor time of a loop of known
 * work.
 */

import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';

/** Processor milliseconds of one loop on the reference machine while the suite ran on both of its cores. */
const REFERENCE_MS = 9.8;
const EVERY_MS = 4_000;

/** Measures until `end` is called. This costs about half a percent of one core. */
export class Calibration {
  readonly #samples: number[] = [];
  readonly #worker: Worker;

  constructor() {
    this.#worker = new Worker(fileURLToPath(new URL('loop.ts', import.meta.url)), { workerData: EVERY_MS });
    this.#worker.on('message', (ms: number) => this.#samples.push(ms));
    this.#worker.unref();
  }

  /**
   * Ends the measurement. Returns the processor time on this machine divided by that on the reference machine: 1.5 if
   * the same work takes 50 % longer here.
   */
  end(): number {
    void this.#worker.terminate();
    const inOrder = this.#samples.toSorted((a, b) => a - b);
    const median = inOrder[Math.floor(inOrder.length / 2)] ?? REFERENCE_MS;
    return median / REFERENCE_MS;
  }
}
