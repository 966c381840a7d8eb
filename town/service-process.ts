/** The service as a separate process, which a campaign can kill, stop and restart. */
import { type ChildProcess, spawn } from 'node:child_process';
import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { testProgram } from './test-program.ts';

/**
 * Time limit of a start. It is long, so that a campaign does not fail on a busy machine; it only ends a service that
 * hangs.
 */
const START_MS = 600_000;

/** The operator's key and the secret of every service that a campaign starts. */
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

/** Sends one request. Returns undefined if the connection broke or no response came within `timeoutMs`. */
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

/** Returns the program from PROOF_PROGRAM, or otherwise the program that is built from these sources. */
export function mainProgram(): string {
  const named = process.env['PROOF_PROGRAM'];
  return named === undefined ? testProgram().main : resolve(named);
}

/** Returns an agent that keeps one connection. */
export function oneConnection(): Agent {
  return new Agent({ keepAlive: true, maxSockets: 1 });
}

export interface ServiceOptions {
  databaseUrl: string;
  port: number;
  /** Starts `planted-server.ts`, with a planted bug or other time-outs, instead of `backroom serve`. */
  planted?: PlantedOptions;
  /** More arguments of `backroom serve`. */
  args?: readonly string[];
  /** True to keep the complete output in `log`, not only its end. */
  keepLog?: boolean;
  /** Starts this program with its arguments instead of the service. */
  program?: readonly string[];
  /** Additional environment variables. */
  env?: Record<string, string>;
}

/** The options in which `planted-server.ts` differs from `backroom serve`. */
export interface PlantedOptions {
  /**
   * earlyReply: responds before the commit. weakSync: SQLite's `synchronous=NORMAL`. swallow: treats a failed commit as
   * done. leak: keeps memory and a file handle for each write. busy: blocks the event loop for 300 ms at each write.
   * oneLine: all sign-ins share one queue for password hashing, and each counts as a write in progress.
   */
  plant?: 'earlyReply' | 'weakSync' | 'swallow' | 'leak' | 'busy' | 'oneLine';
  /** Milliseconds by which the clock of the service is ahead. */
  aheadMs?: number;
  /** Time-outs of the store, in milliseconds. */
  lockWaitMs?: number;
  jobTimeoutMs?: number;
  /** SQLite: the maximum number of pages of the file. */
  maxPages?: number;
}

/** Calls `run` when this process ends, even if SIGTERM or SIGINT ends it. */
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

/** Ends the services together with the campaign. */
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
  /** The last 4,000 characters of the process's output to stderr and stdout; the complete output with `keepLog`. */
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

  /**
   * Starts the service and waits until it is ready. @throws Error with the output of the service if it does not become
   * ready.
   */
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

  /** Waits until `/readyz` returns 200. @throws Error after `withinMs`, or if the process has ended. */
  async ready(withinMs: number): Promise<void> {
    for (const until = performance.now() + withinMs; ; ) {
      if ((await this.readyz()) === 200) return;
      if (!this.isRunning) throw new Error(`The service ended by itself: ${this.log}`);
      if (performance.now() > until) throw new Error(`The service was not ready in ${withinMs} ms: ${this.log}`);
      await sleep(10);
    }
  }

  /** Returns the status of `/readyz`, or undefined without a response. */
  async readyz(timeoutMs = 15_000): Promise<number | undefined> {
    const answer = await send(this.base, { method: 'GET', path: '/readyz', headers: {} }, { timeoutMs });
    return answer?.status;
  }

  signal(signal: 'SIGSTOP' | 'SIGCONT' | 'SIGTERM'): void {
    this.#process.kill(signal);
  }

  /** Sends kill -9, which also ends a process that is paused by SIGSTOP. */
  async kill(): Promise<void> {
    if (this.isRunning) this.#process.kill('SIGKILL');
    await this.#exited;
  }

  /** Sends SIGTERM and waits for the end of the process. */
  async stop(): Promise<void> {
    if (this.isRunning) this.#process.kill('SIGTERM');
    await this.#exited;
  }
}
