/**
 * `serve --workers N` (docs/decisions/085): the started process accepts connections and passes them in turn to N
 * workers, each of which is a complete service. The started process replaces dead workers, sums their metrics and stops
 * them together.
 */
import cluster, { type Worker } from 'node:cluster';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { Counter, Gauge, Registry } from 'prom-client';
import type { Ports } from '../../platform/ports.ts';
import { isMessage, type ToLeader, type ToWorker } from './worker.ts';
import { type MetricsJson, Tally } from './worker-metrics.ts';

/** If a worker dies within this time after its start, its replacement starts after a longer pause. */
const SETTLED_MS = 10_000;
const FIRST_WAIT_MS = 100;
const LONGEST_WAIT_MS = 5_000;

/** If workers have not stopped this long after the grace time of their requests, they are killed. */
const STOP_MARGIN_MS = 5_000;
/** Maximum wait for the metrics of a worker. A worker whose database does not respond needs 3 s to find this out. */
const ANSWER_MS = 4_000;

export interface WorkersOptions {
  count: number;
  shutdownGraceMs: number;
  ports: Pick<Ports, 'now' | 'log'>;
  /** Calls back when every worker must reload its certificate. */
  onReload: (listener: () => void) => void;
  /** Called once, when every worker listens. */
  onListening: (address: string) => void;
}

/**
 * Runs the workers until `signal` is aborted and all of them have ended.
 * @throws Error if a worker ends before all workers have listened once. The message of that worker is on standard
 * error.
 */
export async function superviseWorkers(signal: AbortSignal, options: WorkersOptions): Promise<void> {
  const leader = new Leader(options);
  signal.addEventListener('abort', () => leader.stop(), { once: true });
  options.onReload(() => leader.reload());
  if (signal.aborted) return;
  await leader.run();
}

interface Started {
  worker: Worker;
  at: number;
  listens: boolean;
}

class Leader {
  readonly #options: WorkersOptions;
  readonly #log: Logger;
  readonly #started = new Map<number, Started>();
  readonly #tally = new Tally();
  readonly #registry = new Registry();
  readonly #replaced: Counter;
  readonly #asked = new Map<number, (metrics: MetricsJson) => void>();
  readonly #ended = Promise.withResolvers<undefined>();
  #questions = 0;
  #earlyDeaths = 0;
  /** Number of delayed replacements. */
  #waiting = 0;
  #hasServed = false;
  #isStopping = false;

  constructor(options: WorkersOptions) {
    this.#options = options;
    this.#log = options.ports.log;
    const listening = () => this.#listening().length;
    new Gauge({
      name: 'backroom_workers',
      help: 'Workers that are serving now',
      registers: [this.#registry],
      collect() {
        this.set(listening());
      },
    });
    const startedAt = Math.round(options.ports.now() / 1000 - process.uptime());
    // The start time of the service, for the alert BackroomRestarts. The start times of the workers are not aggregated.
    new Gauge({
      name: 'process_start_time_seconds',
      help: 'Start time of the first process since unix epoch in seconds.',
      registers: [this.#registry],
      aggregator: 'first',
    }).set(startedAt);
    this.#replaced = new Counter({
      name: 'backroom_workers_replaced_total',
      help: 'Workers that died and were replaced',
      registers: [this.#registry],
    });
  }

  run(): Promise<undefined> {
    cluster.on('exit', this.#onExit);
    cluster.on('message', this.#onMessage);
    for (let count = 0; count < this.#options.count; count += 1) this.#start();
    return this.#ended.promise.finally(() => {
      cluster.off('exit', this.#onExit);
      cluster.off('message', this.#onMessage);
    });
  }

  reload(): void {
    for (const { worker } of this.#started.values()) tell(worker, { kind: 'reload' });
  }

  /** Tells every worker to finish its requests. Kills workers that take too long. */
  stop(): void {
    if (this.#isStopping) return;
    this.#isStopping = true;
    for (const { worker } of this.#started.values()) tell(worker, { kind: 'stop' });
    const patience = setTimeout(() => {
      for (const { worker } of this.#started.values()) worker.process.kill('SIGKILL');
    }, this.#options.shutdownGraceMs + STOP_MARGIN_MS);
    patience.unref();
    this.#endWhenAlone();
  }

  #start(): void {
    const worker = cluster.fork();
    this.#started.set(worker.id, { worker, at: this.#options.ports.now(), listens: false });
  }

  readonly #onExit = (worker: Worker, code: number | null, signal: string | null): void => {
    const started = this.#started.get(worker.id);
    if (started === undefined) return;
    this.#started.delete(worker.id);
    this.#tally.leave(worker.id);
    if (this.#isStopping) {
      this.#endWhenAlone();
      return;
    }
    const how = signal ?? `exit code ${code}`;
    if (!this.#hasServed) {
      this.#ended.reject(new Error(`Worker ${worker.id} could not start (${how}).`));
      this.stop();
      // The other workers may wait for the same port that this worker could not get. They have served no request, so they are
      // killed.
      for (const other of this.#started.values()) other.worker.process.kill('SIGKILL');
      return;
    }
    this.#log.error({ worker: worker.id, pid: worker.process.pid, how }, `worker ${worker.id} died: ${how}`);
    void this.#replace(started);
  };

  async #replace(dead: Started): Promise<void> {
    const lived = this.#options.ports.now() - dead.at;
    this.#earlyDeaths = lived >= SETTLED_MS ? 0 : this.#earlyDeaths + 1;
    this.#waiting += 1;
    if (this.#earlyDeaths > 0) await sleep(Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (this.#earlyDeaths - 1)));
    this.#waiting -= 1;
    if (this.#isStopping) {
      this.#endWhenAlone();
      return;
    }
    this.#replaced.inc();
    this.#start();
  }

  readonly #onMessage = (worker: Worker, message: unknown): void => {
    if (!isMessage<ToLeader>(message)) return;
    if (message.kind === 'listening') this.#listens(worker, message.address);
    else if (message.kind === 'metrics') this.#asked.get(message.question)?.(message.metrics);
    else void this.#answer(worker, message.question);
  };

  #listens(worker: Worker, address: string): void {
    const started = this.#started.get(worker.id);
    if (started === undefined) return;
    started.listens = true;
    this.#log.info({ worker: worker.id, pid: worker.process.pid }, `worker ${worker.id} serves`);
    if (this.#isStopping) tell(worker, { kind: 'stop' });
    if (this.#hasServed || this.#listening().length < this.#options.count) return;
    this.#hasServed = true;
    this.#options.onListening(address);
  }

  /** Sends the sum over all workers to the worker whose `/metrics` was requested. */
  async #answer(worker: Worker, question: number): Promise<void> {
    await Promise.all(this.#listening().map((started) => this.#ask(started.worker)));
    const text = await this.#tally.text(await this.#registry.getMetricsAsJSON());
    tell(worker, { kind: 'sum', question, text });
  }

  /** Requests the metrics of a worker. Without a response in time, only its last counters and histograms count. */
  async #ask(worker: Worker): Promise<void> {
    this.#questions += 1;
    const question = this.#questions;
    const { promise, resolve } = Promise.withResolvers<MetricsJson | undefined>();
    this.#asked.set(question, resolve);
    const patience = setTimeout(() => resolve(undefined), ANSWER_MS);
    tell(worker, { kind: 'metrics?', question });
    const metrics = await promise;
    clearTimeout(patience);
    this.#asked.delete(question);
    if (!this.#started.has(worker.id)) return;
    if (metrics === undefined) this.#tally.late(worker.id);
    else this.#tally.set(worker.id, metrics);
  }

  #listening(): Started[] {
    return [...this.#started.values()].filter((started) => started.listens);
  }

  #endWhenAlone(): void {
    if (this.#isStopping && this.#started.size === 0 && this.#waiting === 0) this.#ended.resolve(undefined);
  }
}

/** Sends a message to a worker; does nothing if the worker has just died. Its exit event follows. */
function tell(worker: Worker, message: ToWorker): void {
  if (worker.isConnected()) worker.send(message, () => undefined);
}
