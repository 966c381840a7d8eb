/** A client on one keep-alive connection, for work in which each request depends on the previous response. */
import { connect, type Socket } from 'node:net';
import { requestText } from './data.ts';

const HEAD_END = '\r\n\r\n';

export class Client {
  readonly #port: number;
  #socket: Socket;
  readonly #headers: Record<string, string>;
  #waiting: { resolve: (answer: string) => void; reject: (error: Error) => void } | undefined;
  #received = '';
  /** Number of characters of the response with its head; 0 until the head has arrived. */
  #length = 0;

  private constructor(port: number, socket: Socket, headers: Record<string, string>) {
    this.#port = port;
    this.#headers = headers;
    this.#socket = socket;
    this.#listen(socket);
  }

  #listen(socket: Socket): void {
    socket.setEncoding('latin1');
    socket.on('data', (text: string) => this.#take(text));
    socket.on('error', (error) => this.#waiting?.reject(error));
    socket.on('close', () => this.#waiting?.reject(new Error('the service closed the connection')));
  }

  /** Connects to the service. The client sends `headers` with every request. */
  static async open(port: number, headers: Record<string, string>): Promise<Client> {
    return new Client(port, await connected(port), headers);
  }

  /** Sends a request and returns the body of the response (ASCII). @throws Error for a status of 300 or more. */
  async send<T>(method: string, path: string, body?: unknown): Promise<T> {
    const text = typeof body === 'string' || body === undefined ? body : JSON.stringify(body);
    // The service closes a connection that was idle for some seconds.
    if (this.#socket.destroyed) {
      this.#socket = await connected(this.#port);
      this.#listen(this.#socket);
    }
    const answer = await new Promise<string>((resolve, reject) => {
      this.#waiting = { resolve, reject };
      this.#socket.write(requestText(method, path, this.#headers, text), 'utf8');
    });
    const end = answer.indexOf(HEAD_END);
    const status = Number(answer.slice(9, 12));
    const content = answer.slice(end + HEAD_END.length);
    if (status >= 300) throw new Error(`${method} ${path} returned ${status}: ${content.slice(0, 500)}`);
    return (content === '' ? undefined : JSON.parse(content)) as T;
  }

  close(): void {
    this.#waiting = undefined;
    this.#socket.destroy();
  }

  #take(text: string): void {
    this.#received += text;
    // A long response arrives in many parts. The end of its head is not searched again after it was found.
    if (this.#length === 0) {
      const end = this.#received.indexOf(HEAD_END);
      if (end < 0) return;
      const length = Number(/\r\ncontent-length: (\d+)/i.exec(this.#received.slice(0, end + 2))?.[1] ?? 0);
      this.#length = end + HEAD_END.length + length;
    }
    if (this.#received.length < this.#length) return;
    const answer = this.#received;
    this.#received = '';
    this.#length = 0;
    const waiting = this.#waiting;
    this.#waiting = undefined;
    waiting?.resolve(answer);
  }
}

function connected(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    socket.once('error', reject);
    socket.once('connect', () => resolve(socket));
  });
}
