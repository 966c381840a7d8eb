/** The receiver for the webhooks of clerks. It accepts and records every request. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Receiver {
  url: string;
  /** Path and event id of each received request, as `/WEBHOOK EVENT`. */
  heard: ReadonlySet<string>;
}

/** Settings of a service that allow sending to the receiver. */
export const MAY_SEND = { WEBHOOK_ALLOW: 'loopback', WEBHOOK_PLAIN_HTTP: 'yes' } as const;

let receiver: Promise<Receiver> | undefined;

/** Returns the only receiver of the process. The first call opens it. The receiver does not keep the process alive. */
export function openReceiver(): Promise<Receiver> {
  receiver ??= new Promise((resolve, reject) => {
    const heard = new Set<string>();
    const server = createServer((request, response) => {
      request.resume().on('end', () => {
        heard.add(`${request.url} ${String(request.headers['webhook-id'])}`);
        response.writeHead(204).end();
      });
    });
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      resolve({ url: `http://127.0.0.1:${port}`, heard });
    });
    server.unref();
  });
  return receiver;
}
