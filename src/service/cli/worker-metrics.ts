/** The sum of the metrics of several processes. Counters never decrease, even if a process dies. */
import { AggregatorRegistry, type PrometheusContentType, type Registry } from 'prom-client';

export type MetricsJson = Awaited<ReturnType<Registry['getMetricsAsJSON']>>;

export class Tally {
  readonly #latest = new Map<number, MetricsJson>();
  /** Last counters and histograms of processes that have ended. */
  #gone: MetricsJson = [];
  #leaving: Promise<void> = Promise.resolve();

  set(worker: number, metrics: MetricsJson): void {
    this.#latest.set(worker, metrics);
  }

  /** Records that a process did not respond. Its last counters and histograms still count, its gauges do not. */
  late(worker: number): void {
    const last = this.#latest.get(worker);
    if (last !== undefined) this.#latest.set(worker, countersOf(last));
  }

  /** Records the end of a process. Its counters and histograms still count, its gauges do not. */
  leave(worker: number): void {
    const last = this.#latest.get(worker);
    if (last === undefined) return;
    this.#latest.delete(worker);
    const counted = countersOf(last);
    this.#leaving = this.#leaving.then(async () => {
      this.#gone = await sumOf([this.#gone, counted]).getMetricsAsJSON();
    });
  }

  /** Returns the text for Prometheus. `own` comes first, because the first registry decides how a metric is summed. */
  async text(own: MetricsJson): Promise<string> {
    await this.#leaving;
    return sumOf([own, ...this.#latest.values(), this.#gone]).metrics();
  }
}

function countersOf(metrics: MetricsJson): MetricsJson {
  return metrics.filter((metric) => ['counter', 'histogram'].includes(String(metric.type)));
}

function sumOf(all: readonly MetricsJson[]): Registry {
  return AggregatorRegistry.aggregate<PrometheusContentType>([...all]);
}
