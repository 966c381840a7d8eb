/**
 * Checks whether this process is ready to serve, for `/readyz` and the metrics. Also has the metric of the expiry of
 * the certificate.
 */
import { Gauge, type Registry } from 'prom-client';
import { NotReady, type Store, UNREADY, type Unready } from '../../platform/storage/db.ts';

/** Time limit of the check, so that a scraper does not wait for a pool without a free connection. */
const PATIENCE_MS = 3_000;

/** Returns the reason why the database is not ready; undefined if it is ready. */
export async function whyNotReady(store: Store): Promise<Unready | undefined> {
  try {
    await store.ping();
    return undefined;
  } catch (error) {
    return error instanceof NotReady ? error.reason : 'unreachable';
  }
}

/** The metric of the readiness. With several workers, the value is the smallest one. */
export const READY = {
  name: 'backroom_ready',
  help: `1 while the process is ready to serve, else 0 with the reason: ${Object.keys(UNREADY).join(', ')}`,
  aggregator: 'min',
} as const;

/** Registers the metrics `backroom_ready` and the expiry of the service's certificate. */
export function registerReadiness(
  registry: Registry,
  store: Store,
  certificate: { readonly end: number } | undefined,
): void {
  new Gauge({
    ...READY,
    labelNames: ['reason'] as const,
    registers: [registry],
    async collect() {
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<Unready>((resolve) => {
        timer = setTimeout(() => resolve('unreachable'), PATIENCE_MS);
      });
      const reason = await Promise.race([whyNotReady(store), late]);
      clearTimeout(timer);
      this.reset();
      this.set({ reason: reason ?? 'none' }, reason === undefined ? 1 : 0);
    },
  });
  if (certificate === undefined) return;
  new Gauge({
    name: 'backroom_certificate_expiry_timestamp_seconds',
    help: 'Expiry of the certificate for new connections; absent without TLS',
    aggregator: 'min',
    registers: [registry],
    collect() {
      this.set(certificate.end / 1_000);
    },
  });
}
