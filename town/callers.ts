/** Many callers on plain sockets, because a usual HTTP client would use more CPU time than the service. */
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** The results of a measurement. */
export interface Outcome {
  /** Requests per second that got a 2xx response before the caller gave up. */
  goodput: number;
  /**
   * Responses by status. 0 counts requests without a response: the caller gave up, the connection broke, or `atRate`
   * had no connection left.
   */
  statuses: Map<number, number>;
  /** The largest number of connections at the same time. */
  connections: number;
  /** 99th percentile of the response time, in milliseconds. */
  p99: number;
}

type Answered = (status: number, head: string) => void;

/** A connection that sends one request at a time. */
class Line {
  readonly #socket: Socket;
  #answered: Answered | undefined;
  #text = '';

  constructor(port: number) {
    this.#socket = connect({ port, host: '127.0.0.1', noDelay: true });
    this.#socket.setEncoding('latin1');
    this.#socket.on('data', (chunk: string) => this.#read(chunk));
    this.#socket.on('error', () => undefined);
    this.#socket.on('close', () => this.#end(0, ''));
  }

  send(bytes: string, answered: Answered): void {
    this.#answered = answered;
    this.#socket.write(bytes);
  }

  hangUp(): void {
    this.#answered = undefined;
    this.#socket.destroy();
  }

  get isOpen(): boolean {
    return !this.#socket.destroyed;
  }

  #read(chunk: string): void {
    this.#text += chunk;
    const end = this.#text.indexOf('\r\n\r\n');
    if (end < 0) return;
    const head = this.#text.slice(0, end);
    const length = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0);
    if (this.#text.length < end + 4 + length) return;
    this.#text = '';
    this.#end(Number(head.slice(9, 12)), head);
  }

  #end(status: number, head: string): void {
    const answered = this.#answered;
    this.#answered = undefined;
    answered?.(status, head);
  }
}

const REFUSED_PAUSE_MS = 50;

export interface Plan {
  port: number;
  /** Returns the bytes of the next request. */
  next: () => string;
  seconds: number;
  /** Duration of the warm-up in seconds. Its requests are not measured. */
  warmUp: number;
  /** Milliseconds after which a caller gives up. */
  patienceMs: number;
  /** Called with the head of every measured error response except 503 with Retry-After. */
  unclear: (what: string) => void;
}

class Measurement {
  readonly #plan: Plan;
  readonly #since = performance.now();
  readonly #statuses = new Map<number, number>();
  readonly #times: number[] = [];
  #good = 0;

  constructor(plan: Plan) {
    this.#plan = plan;
  }

  get elapsed(): number {
    return (performance.now() - this.#since) / 1000;
  }

  note(status: number, head: string, tookMs: number): void {
    if (this.elapsed < this.#plan.warmUp || this.elapsed > this.#plan.seconds) return;
    this.#statuses.set(status, (this.#statuses.get(status) ?? 0) + 1);
    if (status === 0) return;
    this.#times.push(tookMs);
    if (status < 300 && tookMs <= this.#plan.patienceMs) this.#good += 1;
    else if (status >= 300 && !(status === 503 && /\r\nretry-after: \d/i.test(head))) this.#plan.unclear(head);
  }

  outcome(connections: number): Outcome {
    const times = this.#times.toSorted((a, b) => a - b);
    return {
      goodput: this.#good / (this.#plan.seconds - this.#plan.warmUp),
      statuses: this.#statuses,
      connections,
      p99: times[Math.floor(times.length * 0.99)] ?? 0,
    };
  }
}

/**
 * Measures capacity. Each of `callers` callers sends a request as soon as it has the response to its previous request.
 * After an error it pauses.
 */
export async function inTurn(plan: Plan, callers: number): Promise<Outcome> {
  const measurement = new Measurement(plan);
  const call = async () => {
    let line = new Line(plan.port);
    while (measurement.elapsed < plan.seconds) {
      const since = performance.now();
      const status = await new Promise<number>((resolve) => {
        line.send(plan.next(), (answered, head) => {
          measurement.note(answered, head, performance.now() - since);
          resolve(answered);
        });
      });
      if (status >= 300) await sleep(REFUSED_PAUSE_MS);
      if (!line.isOpen) line = new Line(plan.port);
    }
    line.hangUp();
  };
  await Promise.all(Array.from({ length: callers }, call));
  return measurement.outcome(callers);
}

/**
 * Sends `rate` requests per second, even if the responses are slow. While `mostConnections` requests wait for a
 * response, further requests are not sent and count as failed. A caller without a response after `patienceMs` closes
 * its connection.
 */
export async function atRate(plan: Plan, rate: number, mostConnections: number): Promise<Outcome> {
  const measurement = new Measurement(plan);
  const idle: Line[] = [];
  const waiting = new Map<Line, number>();
  let most = 0;
  const send = () => {
    let line = idle.pop();
    while (line !== undefined && !line.isOpen) line = idle.pop();
    if (line === undefined && waiting.size >= mostConnections) {
      measurement.note(0, '', 0);
      return;
    }
    const used = line ?? new Line(plan.port);
    const since = performance.now();
    waiting.set(used, since);
    most = Math.max(most, waiting.size);
    used.send(plan.next(), (status, head) => {
      waiting.delete(used);
      measurement.note(status, head, performance.now() - since);
      if (status !== 0) idle.push(used);
    });
  };
  for (let sent = 0; measurement.elapsed < plan.seconds; ) {
    for (const due = measurement.elapsed * rate; sent < due; sent += 1) send();
    const late = performance.now() - plan.patienceMs;
    for (const [line, since] of waiting) {
      if (since > late) break;
      waiting.delete(line);
      line.hangUp();
      measurement.note(0, '', 0);
    }
    await sleep(1);
  }
  for (const line of [...idle, ...waiting.keys()]) line.hangUp();
  return measurement.outcome(most);
}
