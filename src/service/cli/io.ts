/** What a command may touch of its process; tests put their own in. */
import type { Ports } from '../../platform/ports.ts';

export interface Io {
  env: NodeJS.ProcessEnv;
  /** Standard output: results, nothing else. */
  out: NodeJS.WritableStream & { isTTY?: boolean };
  /** Standard error: progress and sentences. */
  err: NodeJS.WritableStream & { isTTY?: boolean };
  /** Aborted by the first SIGTERM or SIGINT. */
  signal: AbortSignal;
  /** Calls back at each SIGHUP, which from then on ends the process no more. */
  onHangUp: (listener: () => void) => void;
  /** Clock, identifiers and randomness; its log writes as the configuration says. */
  ports: (config: { logLevel: import('../../platform/config.ts').LogLevel }) => Ports;
}

/** A command that failed and has already said why on standard output. */
export class Failed extends Error {
  override readonly name = 'Failed';
  readonly exitCode: number;

  constructor(message: string, exitCode = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}

export function print(io: Io, text: string): void {
  io.out.write(`${text}\n`);
}

/** One JSON line for machines. */
export function printJson(io: Io, value: unknown): void {
  io.out.write(`${JSON.stringify(value)}\n`);
}
