/** The service as a process of its own, which a campaign may kill, stop and start again. */
import { type ChildProcess, spawn } from 'node:child_process';
import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import { createServer } from 'node:net';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { testProgram } from '../../scripts/test-program.ts';

/** Against hanging only: how busy the machine is decides nothing. */
const START_MS = 600_000;

/** Of every service that campaigns start. */
export const OPERATOR_KEY = 'operator-key-of-the-campaigns';
export const SECRET = '5e'.repeat(32);

export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

export interface Request {
  method: string;
  path: string;
  headers: Record<string, string>;
  body?: string;
}

/** Sends one request; undefined when the connection broke or nothing came within `timeoutMs`. */
export function send(
  base: string,
  { method, path, headers, body }: Request,
  { agent, timeoutMs = 60_000 }: { agent?: Agent; timeoutMs?: number } = {},
): Promise<Answer | undefined> {
  return new Promise((resolve) => {
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
    const out = request(base + path, {
      method,
      headers: { ...headers, ...length },
      timeout: timeoutMs,
      ...(agent && { agent }),
    });
    out.on('error', () => resolve(undefined));
    out.on('timeout', () => out.destroy());
    out.on('response', (answer) => {
      let text = '';
      answer.setEncoding('utf8');
      answer.on('data', (chunk: string) => (text += chunk));
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text }));
      answer.on('error', () => resolve(undefined));
      answer.on('close', () => resolve(undefined));
    });
    out.end(body);
  });
}

/** The program: the one that is built from these sources, or another with PROOF_PROGRAM. */
export function mainProgram(): string {
  const named = process.env['PROOF_PROGRAM'];
  return named === undefined ? testProgram().main : resolve(named);
}

/** An agent that keeps one connection. */
export function oneConnection(): Agent {
  return new Agent({ keepAlive: true, maxSockets: 1 });
}

export interface ServiceOptions {
  databaseUrl: string;
  port: number;
  /** A server of this folder with a planted bug or other time-outs instead of `backroom serve`. */
  planted?: PlantedOptions;
  /** Options of `backroom serve`. */
  args?: readonly string[];
  /** Everything that it writes is kept in `log`, not only the last of it. */
  keepLog?: boolean;
  /** Another program in its place, with its arguments. */
  program?: readonly string[];
  /** Settings beside the usual ones. */
  env?: Record<string, string>;
}

/** What `planted-server.ts` does differently from `backroom serve`. */
export interface PlantedOptions {
  /**
   * earlyReply: answers before the commit. weakSync: SQLite's `synchronous=NORMAL`. swallow: takes a failed commit for done.
   * leak: keeps memory and a file handle of each write. busy: keeps the event loop for 300 ms at each write. oneLine: whoever
   * signs in has any place of the line of hashes and counts as a write in progress.
   */
  plant?: 'earlyReply' | 'weakSync' | 'swallow' | 'leak' | 'busy' | 'oneLine';
  /** Of the store; times in milliseconds. */
  lockWaitMs?: number;
  jobTimeoutMs?: number;
  /** SQLite: the file may not have more pages than this. */
  maxPages?: number;
}

/** Calls `run` when this process ends, also by a signal. */
export function atEnd(run: () => void): void {
  process.once('exit', run);
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, () => {
      run();
      process.kill(process.pid, signal);
    });
  }
}

const running = new Set<ChildProcess>();
let isWatched = false;

/** A campaign that is ended leaves no service behind. */
function endTogether(child: ChildProcess): void {
  if (!isWatched) {
    isWatched = true;
    atEnd(() => {
      for (const one of running) one.kill('SIGKILL');
    });
  }
  running.add(child);
  child.once('exit', () => running.delete(child));
}

export class ServiceProcess {
  readonly base: string;
  readonly pid: number;
  /** What it wrote to stderr and stdout, the last of it. */
  log = '';
  readonly #process: ChildProcess;
  readonly #exited: Promise<void>;

  private constructor(port: number, child: ChildProcess, keepLog: boolean) {
    this.base = `http://127.0.0.1:${port}`;
    this.#process = child;
    this.pid = child.pid!;
    this.#exited = new Promise((resolve) => child.once('exit', () => resolve()));
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (chunk: Buffer) => {
        this.log += chunk.toString();
        if (!keepLog) this.log = this.log.slice(-4_000);
      });
    }
  }

  /** Starts it and waits until it is ready. @throws Error with what it printed when it is not. */
  static async start({
    databaseUrl,
    port,
    planted,
    args: options = [],
    program = planted === undefined
      ? [mainProgram(), 'serve', ...options]
      : [testProgram().plantedServer, JSON.stringify(planted)],
    env: more,
    keepLog = false,
  }: ServiceOptions): Promise<ServiceProcess> {
    const env = {
      PATH: process.env['PATH'],
      DATABASE_URL: databaseUrl,
      PORT: String(port),
      LOG_LEVEL: 'error',
      FAILED_SIGN_IN_LIMIT: 'none',
      BACKROOM_OPERATOR_KEY: OPERATOR_KEY,
      BACKROOM_SECRET: SECRET,
      ...testProgram().env,
      ...more,
    };
    const child = spawn(process.execPath, program, { env, stdio: ['ignore', 'pipe', 'pipe'] });
    endTogether(child);
    const service = new ServiceProcess(port, child, keepLog);
    try {
      await service.ready(START_MS);
    } catch (error) {
      await service.kill();
      throw error;
    }
    return service;
  }

  get isRunning(): boolean {
    return this.#process.exitCode === null && this.#process.signalCode === null;
  }

  /** Waits until `/readyz` answers 200. @throws Error when it does not in time or the process has ended. */
  async ready(withinMs: number): Promise<void> {
    for (const until = performance.now() + withinMs; ; ) {
      if ((await this.readyz()) === 200) return;
      if (!this.isRunning) throw new Error(`The service ended by itself: ${this.log}`);
      if (performance.now() > until) throw new Error(`The service was not ready in ${withinMs} ms: ${this.log}`);
      await sleep(10);
    }
  }

  /** Status of `/readyz`, or undefined when nothing comes. */
  async readyz(timeoutMs = 15_000): Promise<number | undefined> {
    const answer = await send(this.base, { method: 'GET', path: '/readyz', headers: {} }, { timeoutMs });
    return answer?.status;
  }

  signal(signal: 'SIGSTOP' | 'SIGCONT' | 'SIGTERM'): void {
    this.#process.kill(signal);
  }

  /** kill -9, also of a stopped process. */
  async kill(): Promise<void> {
    if (this.isRunning) this.#process.kill('SIGKILL');
    await this.#exited;
  }

  /** SIGTERM; answers when it has ended. */
  async stop(): Promise<void> {
    if (this.isRunning) this.#process.kill('SIGTERM');
    await this.#exited;
  }
}

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as { port: number };
      probe.close(() => resolve(port));
    });
  });
}
