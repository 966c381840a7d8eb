/** Whether this process can do its work, for `/readyz` and for the metrics. */
import { Gauge, type Registry } from 'prom-client';
import { NotReady, type Store, UNREADY, type Unready } from '../../platform/storage/db.ts';

/** A scraper is not kept waiting for a pool that has no connection left. */
const PATIENCE_MS = 3_000;

/** Why the database cannot do its work; undefined while it can. */
export async function whyNotReady(store: Store): Promise<Unready | undefined> {
  try {
    await store.ping();
    return undefined;
  } catch (error) {
    return error instanceof NotReady ? error.reason : 'unreachable';
  }
}

/** Registers `backroom_ready`, and when the certificate of the service ends. */
export function registerReadiness(
  registry: Registry,
  store: Store,
  certificate: { readonly end: number } | undefined,
): void {
  new Gauge({
    name: 'backroom_ready',
    help: `1 while the process is ready to serve, else 0 with the reason: ${Object.keys(UNREADY).join(', ')}`,
    labelNames: ['reason'] as const,
    aggregator: 'min',
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
    help: 'When the certificate ends that new connections are shown; absent where the service speaks no TLS',
    aggregator: 'min',
    registers: [registry],
    collect() {
      this.set(certificate.end / 1_000);
    },
  });
}
