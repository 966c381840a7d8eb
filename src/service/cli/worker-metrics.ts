/** The sum of the metrics of several processes, in which a counter never falls, also when one of them dies. */
import { AggregatorRegistry, type PrometheusContentType, type Registry } from 'prom-client';

export type MetricsJson = Awaited<ReturnType<Registry['getMetricsAsJSON']>>;

export class Tally {
  readonly #latest = new Map<number, MetricsJson>();
  /** Counters and histograms of processes that have ended, as they were last seen. */
  #gone: MetricsJson = [];
  #leaving: Promise<void> = Promise.resolve();

  set(worker: number, metrics: MetricsJson): void {
    this.#latest.set(worker, metrics);
  }

  /** The process has ended: what it counted stays, what it was does not. */
  leave(worker: number): void {
    const last = this.#latest.get(worker);
    if (last === undefined) return;
    this.#latest.delete(worker);
    const counted = last.filter((metric) => ['counter', 'histogram'].includes(String(metric.type)));
    this.#leaving = this.#leaving.then(async () => {
      this.#gone = await sumOf([this.#gone, counted]).getMetricsAsJSON();
    });
  }

  /** The text for Prometheus; `own` is counted in as one process more. */
  async text(own: MetricsJson): Promise<string> {
    await this.#leaving;
    return sumOf([...this.#latest.values(), this.#gone, own]).metrics();
  }
}

function sumOf(all: readonly MetricsJson[]): Registry {
  return AggregatorRegistry.aggregate<PrometheusContentType>([...all]);
}
