/**
 * The receiver of webhooks: a server on loopback that records its requests. A command can make the server respond with
 * errors.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Received {
  headers: Record<string, string | undefined>;
  body: string;
  /** The status with which the receiver responded. */
  answered: number;
}

export interface Receiver {
  keyOf: (world: string, hook: number) => string;
  urlOf: (world: string, hook: number) => string;
  /** The received requests by webhook. */
  received: Map<string, Received[]>;
  /** The status with which the receiver responds, by webhook; the default is 204. */
  answers: Map<string, number>;
  close: () => Promise<void>;
}

export async function openReceiver(): Promise<Receiver> {
  const received: Receiver['received'] = new Map();
  const answers: Receiver['answers'] = new Map();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const key = request.url!;
      const answered = answers.get(key) ?? 204;
      const all = received.get(key) ?? [];
      const headers = request.headers as Received['headers'];
      received.set(key, [...all, { headers, body: Buffer.concat(chunks).toString(), answered }]);
      response.writeHead(answered).end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const keyOf: Receiver['keyOf'] = (world, hook) => `/${world}/${hook}`;
  return {
    keyOf,
    urlOf: (world, hook) => `http://127.0.0.1:${port}${keyOf(world, hook)}`,
    received,
    answers,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
