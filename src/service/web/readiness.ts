/** Whether this process can do its work, for `/readyz` and for the metrics. */
import { readFileSync, statSync } from 'node:fs';
import { Gauge, type Registry } from 'prom-client';
import type { Config } from '../../platform/config.ts';
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
export function registerReadiness(registry: Registry, store: Store, { tls }: Pick<Config, 'tls'>): void {
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
  if (tls === undefined) return;
  let seen = { mtimeMs: 0, end: Number.NaN };
  new Gauge({
    name: 'backroom_certificate_expiry_timestamp_seconds',
    help: 'When the certificate of TLS_CERT ends; absent where the service speaks no TLS or the file cannot be read',
    aggregator: 'min',
    registers: [registry],
    async collect() {
      const mtimeMs = statSync(tls.cert, { throwIfNoEntry: false })?.mtimeMs ?? 0;
      if (mtimeMs !== seen.mtimeMs) seen = { mtimeMs, end: await endOf(tls.cert) };
      if (Number.isNaN(seen.end)) this.remove();
      else this.set(seen.end);
    },
  });
}

async function endOf(file: string): Promise<number> {
  const { X509Certificate } = await import('node:crypto');
  try {
    return Date.parse(new X509Certificate(readFileSync(file)).validTo) / 1_000;
  } catch {
    return Number.NaN;
  }
}
