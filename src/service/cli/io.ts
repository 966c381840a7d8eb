/** The parts of a process that commands use; tests replace them. */
import { InvalidArgumentError } from 'commander';
import type { Ports } from '../../platform/ports.ts';

export interface Io {
  env: NodeJS.ProcessEnv;
  /** Standard output, for results only. */
  out: NodeJS.WritableStream & { isTTY?: boolean };
  /** Standard error, for progress and messages. */
  err: NodeJS.WritableStream & { isTTY?: boolean };
  /** Aborted by the first SIGTERM or SIGINT. */
  signal: AbortSignal;
  /** Calls back at each SIGHUP; from then on SIGHUP no longer ends the process. */
  onHangUp: (listener: () => void) => void;
  /** Clock, identifiers and randomness, with the configured log. */
  ports: (config: { logLevel: import('../../platform/config.ts').LogLevel }) => Ports;
}

/** A command that failed and has already printed the reason. */
export class Failed extends Error {
  override readonly name = 'Failed';
  readonly exitCode: number;

  constructor(message: string, exitCode = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** A combination of arguments that the command does not accept. The command ends with 2. */
export class WrongUsage extends Error {
  override readonly name = 'WrongUsage';
}

/** Returns the parser of an option whose value is a whole number from `min` to `max`. */
export function wholeFrom(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= min && value <= max) return value;
    throw new InvalidArgumentError(`It must be a whole number from ${min} to ${max}.`);
  };
}

export function print(io: Io, text: string): void {
  io.out.write(`${text}\n`);
}

/** Prints one JSON line for programs. */
export function printJson(io: Io, value: unknown): void {
  io.out.write(`${JSON.stringify(value)}\n`);
}
