/**
 * A load balancer in front of the service processes ("machines"). It sends the requests to the machines in turn. A
 * drained machine gets no further requests, and is removed when its open requests have ended.
 */
import { once } from 'node:events';
import {
  Agent,
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request with an Idempotency-Key, and its acknowledged response. */
export interface Acknowledged {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: string;
  status: number;
  text: string;
}

interface Machine {
  base: string;
  agent: Agent;
  inFlight: number;
}

/** The body of the 503 that the balancer returns if it has no machines. */
const NO_MACHINE = JSON.stringify({ code: 'UNAVAILABLE', message: 'no machine is available; retry' });

export class Balancer {
  readonly base: string;
  /** Acknowledged requests with an Idempotency-Key, by this key. */
  readonly acknowledged = new Map<string, Acknowledged>();
  readonly #server: Server;
  readonly #onIdle = new Set<() => void>();
  #machines: Machine[] = [];
  #turn = 0;

  private constructor(server: Server) {
    this.#server = server;
    this.base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    server.on('request', (incoming, outgoing) => void this.#take(incoming, outgoing));
  }

  static async open(): Promise<Balancer> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new Balancer(server);
  }

  /** Adds a machine. */
  add(base: string): void {
    this.#machines.push({ base, agent: new Agent({ keepAlive: true }), inFlight: 0 });
  }

  /** Removes a machine. Resolves when it has no open requests. */
  async drain(base: string): Promise<void> {
    const machine = this.#machines.find((one) => one.base === base)!;
    this.#machines = this.#machines.filter((one) => one !== machine);
    while (machine.inFlight > 0) await new Promise<void>((resolve) => this.#onIdle.add(resolve));
    machine.agent.destroy();
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
    for (const { agent } of this.#machines) agent.destroy();
  }

  async #take(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const body = Buffer.concat(await incoming.toArray());
    const machine = this.#machines[this.#turn++ % Math.max(1, this.#machines.length)];
    if (machine === undefined) {
      outgoing.writeHead(503, { 'content-type': 'application/json', 'retry-after': '1' }).end(NO_MACHINE);
      return;
    }
    machine.inFlight += 1;
    try {
      const { status, headers, text } = await forward(machine, incoming, body);
      this.#keep(incoming, body.toString(), status, text.toString());
      outgoing.writeHead(status, headers).end(text);
    } catch {
      outgoing.destroy();
    } finally {
      machine.inFlight -= 1;
      for (const tell of this.#onIdle) tell();
      this.#onIdle.clear();
    }
  }

  #keep({ method = '', url = '', headers }: IncomingMessage, body: string, status: number, text: string): void {
    const key = headers['idempotency-key'];
    if (typeof key !== 'string' || status >= 300) return;
    this.acknowledged.set(key, { method, path: url, headers: whole(headers), body, status, text });
  }
}

function forward({ base, agent }: Machine, { method, url = '', headers }: IncomingMessage, body: Buffer) {
  return new Promise<{ status: number; headers: IncomingHttpHeaders; text: Buffer }>((resolve, reject) => {
    const out = request(base + url, { method, headers: { ...whole(headers), 'content-length': body.length }, agent });
    out.on('error', reject);
    out.on('response', (response) => {
      response
        .toArray()
        .then((chunks: Buffer[]) => {
          const { connection: _connection, 'transfer-encoding': _encoding, ...rest } = response.headers;
          resolve({ status: response.statusCode ?? 0, headers: rest, text: Buffer.concat(chunks) });
        })
        .catch(reject);
    });
    out.end(body);
  });
}

/** Returns the headers of the request itself, without those of its connection. */
function whole({ connection: _connection, host: _host, 'content-length': _length, ...rest }: IncomingHttpHeaders) {
  return rest as Record<string, string>;
}
