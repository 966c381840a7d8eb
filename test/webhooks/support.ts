/** A receiver of webhooks on loopback, and a scheduler that runs due deliveries on request. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { loadConfig } from '../../src/platform/config.ts';
import { createSealer } from '../../src/platform/secrets.ts';
import type { Store } from '../../src/platform/storage/db.ts';
import type { Tracing } from '../../src/platform/tracing.ts';
import { Scheduler } from '../../src/service/scheduler/scheduler.ts';
import { webhookRuns, webhookRunsDone } from '../../src/webhooks/due.ts';
import type { OpenTown } from '../support/town.ts';

/** Permits webhooks to loopback addresses and over http, because the receivers of the tests listen there. */
export const ALLOWED = { WEBHOOK_ALLOW: 'loopback', WEBHOOK_PLAIN_HTTP: 'yes', WEBHOOK_TIMEOUT_MS: '2000' };

export interface Received {
  headers: Record<string, string>;
  body: string;
}

interface Answer {
  status: number;
  headers?: Record<string, string>;
  /** Closes the connection without a response. */
  cut?: boolean;
  /** Never responds. */
  hang?: boolean;
  body?: string;
}

/** Switches the connection to another protocol, which ends HTTP on it. */
export const SWITCH: Answer = { status: 101, headers: { connection: 'Upgrade', upgrade: 'other' } };

export interface Receiver {
  url: string;
  received: Received[];
  /** The response to the next requests; default 204. */
  answer: (received: Received) => Answer | Promise<Answer>;
  close: () => Promise<void>;
}

export async function openReceiver(): Promise<Receiver> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const received = { headers: request.headers as Record<string, string>, body: Buffer.concat(chunks).toString() };
      receiver.received.push(received);
      void Promise.resolve(receiver.answer(received)).then(({ status, headers, cut, hang, body }) => {
        if (cut === true) request.socket.destroy();
        else if (hang !== true) response.writeHead(status, headers).end(body);
      });
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const receiver: Receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook?token=t`,
    received: [],
    answer: () => ({ status: 204 }),
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return receiver;
}

/**
 * Returns whether a delivery is valid by the text of Standard Webhooks: at least one of its signatures matches, and its
 * timestamp is at most five minutes away. Compares in constant time.
 */
export function isSigned({ headers, body }: Received, secret: string, nowMs: number): boolean {
  const id = headers['webhook-id'] ?? '';
  const seconds = Number(headers['webhook-timestamp']);
  if (!/^whsec_/.test(secret) || !(Math.abs(nowMs / 1000 - seconds) <= 300)) return false;
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  const expected = createHmac('sha256', key).update([id, headers['webhook-timestamp'], body].join('.')).digest();
  return (headers['webhook-signature'] ?? '').split(' ').some((one) => {
    const [version, text = ''] = one.split(',');
    const given = Buffer.from(text, 'base64');
    return version === 'v1' && given.length === expected.length && timingSafeEqual(given, expected);
  });
}

/** Returns a function that runs all due webhook deliveries at the town's time. */
export function deliverer(
  town: OpenTown,
  store: Store = town.store,
  env: Record<string, string> = {},
  tracing?: Tracing,
): () => Promise<void> {
  const config = loadConfig({ ...ALLOWED, ...env });
  const sealer = createSealer(Buffer.from('ab'.repeat(32), 'hex'));
  return async () => {
    for (let looked = 1; looked > 0; ) {
      looked = await new Scheduler({
        config,
        ports: town.ports,
        store,
        sealer,
        kinds: [webhookRuns],
        tracing,
      }).runDue();
      await webhookRunsDone(store);
    }
  };
}

export const WEBHOOKS = '/operator/v1/clients/TOWN/webhooks';
