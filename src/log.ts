/** The log: one JSON line an entry, with secrets and people's data redacted wherever they might stand. */
import { type DestinationStream, type Logger, type LoggerOptions, pino } from 'pino';
import type { LogLevel } from './config.ts';

const SECRET_MEMBERS = [
  'authorization',
  'apiKey',
  'apikey',
  'password',
  'pinNumber',
  'customer',
  'proxyDetails',
  'destinations',
  'email',
  'phone',
  'personName',
];

/** Bytes that are written together, and how long they wait for that at most, in milliseconds. */
const TOGETHER_BYTES = 8_192;
const WAIT_MS = 100;

/**
 * Standard output, several lines at once: a call of the system for each costs a tenth of a small write. What waits is written
 * when the process ends, but not when it is killed.
 */
function standardOutput(): DestinationStream {
  const stream = pino.destination({ dest: 1, sync: false, minLength: TOGETHER_BYTES });
  setInterval(() => stream.flush(), WAIT_MS).unref();
  return stream;
}

/** A logger that writes to `destination` (default: standard output). */
export function createLog(level: LogLevel, destination?: DestinationStream): Logger {
  const options: LoggerOptions = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: { paths: SECRET_MEMBERS.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]), censor: '[redacted]' },
  };
  if (level === 'silent') return pino(options);
  return pino(options, destination ?? standardOutput());
}
