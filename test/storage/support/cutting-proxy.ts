/**
 * A proxy between a store and its server. It cuts the connection before or after the server receives the commit of a
 * write, or holds all traffic.
 */
import { connect, createServer, type Server, type Socket } from 'node:net';

export class CuttingProxy {
  readonly url: string;
  readonly #server: Server;
  readonly #sockets: Set<Socket>;
  readonly #cut: { next: boolean; isHeld: boolean };

  private constructor(url: string, server: Server, sockets: Set<Socket>, cut: { next: boolean; isHeld: boolean }) {
    this.url = url;
    this.#server = server;
    this.#sockets = sockets;
    this.#cut = cut;
  }

  static async before(databaseUrl: string, when: 'before' | 'after'): Promise<CuttingProxy> {
    const target = new URL(databaseUrl);
    const sockets = new Set<Socket>();
    const cut = { next: false, isHeld: false };
    const server = createServer((client) => {
      const upstream = connect(Number(target.port || 5432), target.hostname);
      for (const socket of [client, upstream]) {
        sockets.add(socket);
        if (cut.isHeld) socket.pause();
        socket.on('error', () => undefined);
      }
      let isCutting = false;
      let isWriting = false;
      client.on('data', (bytes) => {
        // The proxy never cuts the commit of a read. A read starts with `begin isolation`, and its commit can arrive
        // together with the next BEGIN.
        const endsWrite = isWriting && bytes.includes('commit\0');
        isWriting = bytes.includes('begin\0') || (isWriting && !endsWrite && !bytes.includes('begin isolation'));
        if (cut.next && endsWrite) {
          cut.next = false;
          isCutting = true;
          if (when === 'before') upstream.destroy();
          else upstream.write(bytes);
          if (when === 'before') client.destroy();
          return;
        }
        upstream.write(bytes);
      });
      upstream.on('data', (bytes) => {
        // The server has committed, but the client never receives the response.
        if (isCutting) client.destroy();
        else client.write(bytes);
      });
      client.on('close', () => upstream.end());
      upstream.on('close', () => client.destroy());
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = new URL(databaseUrl);
    url.hostname = '127.0.0.1';
    url.port = String((server.address() as { port: number }).port);
    // Deletes the parameter `host`: it names a socket, which would bypass the proxy.
    url.searchParams.delete('host');
    return new CuttingProxy(url.href, server, sockets, cut);
  }

  /** Cuts the next commit only. */
  cutNextCommit(): void {
    this.#cut.next = true;
  }

  /** Stops all traffic, as a hanging server does. */
  hold(): void {
    this.#cut.isHeld = true;
    for (const socket of this.#sockets) socket.pause();
  }

  /** Forwards the held traffic. */
  go(): void {
    this.#cut.isHeld = false;
    for (const socket of this.#sockets) socket.resume();
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

/**
 * Opens a proxy. To each response that contains `tag` at the end of a text, the proxy appends the message of a server
 * that shuts down.
 */
export async function endingProxy(databaseUrl: string, tag: string) {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(Number(target.port || 5432), target.hostname);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
    }
    client.pipe(upstream);
    upstream.on('data', (bytes) =>
      client.write(bytes.includes(`${tag}\0`) ? Buffer.concat([bytes, SERVER_ENDS]) : bytes),
    );
    upstream.on('close', () => client.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = new URL(databaseUrl);
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as { port: number }).port);
  // Deletes the parameter `host`: it names a socket, which would bypass the proxy.
  url.searchParams.delete('host');
  return {
    url: url.href,
    close: () => {
      for (const socket of sockets) socket.destroy();
      return new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

/** The message of a server that shuts down: type E, its length, and its fields. */
const SERVER_ENDS = errorMessage(
  'SFATAL\0VFATAL\0C57P01\0Mterminating connection due to unexpected postmaster exit\0\0',
);

function errorMessage(fields: string): Buffer {
  const message = Buffer.alloc(5 + fields.length);
  message.write('E');
  message.writeInt32BE(4 + fields.length, 1);
  message.write(fields, 5);
  return message;
}
