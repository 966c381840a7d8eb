/** One caller on one kept connection, for work where each request depends on the answer before it. */
import { connect, type Socket } from 'node:net';
import { requestText } from './data.ts';

const HEAD_END = '\r\n\r\n';

export class Client {
  readonly #socket: Socket;
  readonly #headers: Record<string, string>;
  #waiting: { resolve: (answer: string) => void; reject: (error: Error) => void } | undefined;
  #received = '';

  private constructor(socket: Socket, headers: Record<string, string>) {
    this.#socket = socket;
    this.#headers = headers;
    socket.setEncoding('latin1');
    socket.on('data', (text: string) => this.#take(text));
    socket.on('error', (error) => this.#waiting?.reject(error));
    socket.on('close', () => this.#waiting?.reject(new Error('the service closed the connection')));
  }

  /** Connects; `headers` go with every request. */
  static open(port: number, headers: Record<string, string>): Promise<Client> {
    return new Promise((resolve, reject) => {
      const socket = connect({ port, host: '127.0.0.1', noDelay: true });
      socket.once('error', reject);
      socket.once('connect', () => resolve(new Client(socket, headers)));
    });
  }

  /** Sends a request and answers the body (ASCII). @throws Error when it is refused. */
  async send<T>(method: string, path: string, body?: unknown): Promise<T> {
    const text = typeof body === 'string' || body === undefined ? body : JSON.stringify(body);
    const answer = await new Promise<string>((resolve, reject) => {
      this.#waiting = { resolve, reject };
      this.#socket.write(requestText(method, path, this.#headers, text), 'utf8');
    });
    const end = answer.indexOf(HEAD_END);
    const status = Number(answer.slice(9, 12));
    const content = answer.slice(end + HEAD_END.length);
    if (status >= 300) throw new Error(`${method} ${path} answered ${status}: ${content.slice(0, 500)}`);
    return (content === '' ? undefined : JSON.parse(content)) as T;
  }

  close(): void {
    this.#waiting = undefined;
    this.#socket.destroy();
  }

  #take(text: string): void {
    this.#received += text;
    const end = this.#received.indexOf(HEAD_END);
    if (end < 0) return;
    const length = Number(/\r\ncontent-length: (\d+)/i.exec(this.#received.slice(0, end + 2))?.[1] ?? 0);
    if (this.#received.length < end + HEAD_END.length + length) return;
    const answer = this.#received;
    this.#received = '';
    const waiting = this.#waiting;
    this.#waiting = undefined;
    waiting?.resolve(answer);
  }
}
