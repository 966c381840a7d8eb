/** The side of a worker in `serve --workers`: messages to and from the leading process. */
import cluster from 'node:cluster';
import { EventEmitter } from 'node:events';
import type { Registry } from 'prom-client';
import type { SumOfMetrics } from '../web/status.ts';
import type { Io } from './io.ts';
import type { MetricsJson } from './worker-metrics.ts';

export type ToLeader =
  | { kind: 'listening'; address: string }
  | { kind: 'metrics'; question: number; metrics: MetricsJson }
  | { kind: 'sum?'; question: number };

export type ToWorker =
  | { kind: 'stop' }
  | { kind: 'reload' }
  | { kind: 'metrics?'; question: number }
  | { kind: 'sum'; question: number; text: string };

export interface WorkerPart {
  number: number;
  /** Aborted when this worker, or all workers, must stop. */
  signal: AbortSignal;
  /** Calls back at each SIGHUP of this worker or of the leading process. */
  onHangUp: Io['onHangUp'];
  /** Reports that this worker is ready. */
  listens: (address: string) => void;
  sumOfMetrics: SumOfMetrics;
  /** Lets the process end. */
  leave: () => void;
}

/**
 * Returns the role of this process as a worker; undefined if it is not a worker. The parameters `signal` and `onHangUp`
 * are those of the process.
 */
export function workerPart({ signal, onHangUp }: Pick<Io, 'signal' | 'onHangUp'>): WorkerPart | undefined {
  const me = cluster.worker;
  if (me === undefined) return undefined;
  const stop = new AbortController();
  const reloads = new EventEmitter();
  const asked = new Map<number, (text: string) => void>();
  let questions = 0;
  let registry: Registry | undefined;
  process.on('message', (message: unknown) => {
    if (!isMessage<ToWorker>(message)) return;
    if (message.kind === 'stop') stop.abort();
    else if (message.kind === 'reload') reloads.emit('reload');
    else if (message.kind === 'sum') asked.get(message.question)?.(message.text);
    else void answer(message.question);
  });
  const say = (message: ToLeader) => me.send(message, () => undefined);
  const answer = async (question: number) =>
    say({ kind: 'metrics', question, metrics: (await registry?.getMetricsAsJSON()) ?? [] });
  return {
    number: me.id,
    signal: AbortSignal.any([signal, stop.signal]),
    onHangUp: (listener) => {
      onHangUp(listener);
      reloads.on('reload', listener);
    },
    listens: (address) => say({ kind: 'listening', address }),
    sumOfMetrics: (own) => {
      registry = own;
      return async () => {
        questions += 1;
        const question = questions;
        const { promise, resolve } = Promise.withResolvers<string>();
        asked.set(question, resolve);
        say({ kind: 'sum?', question });
        const text = await promise;
        asked.delete(question);
        return text;
      };
    },
    leave: () => me.disconnect(),
  };
}

/** Whether a message on the channel has the form of our messages. Other messages on the channel are ignored. */
export function isMessage<M extends { kind: string }>(message: unknown): message is M {
  return typeof message === 'object' && message !== null && 'kind' in message;
}
