/** Where the webhooks of clerks go: whatever is posted is good, and remembered. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Receiver {
  url: string;
  /** Paths and ids of the events that came: `/WEBHOOK EVENT`. */
  heard: ReadonlySet<string>;
}

/** Settings of a service that may send to it. */
export const MAY_SEND = { WEBHOOK_ALLOW: 'loopback', WEBHOOK_PLAIN_HTTP: 'yes' } as const;

let receiver: Promise<Receiver> | undefined;

/** One for the whole process; it keeps nobody from ending. */
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
