/** The log: each entry is one line of JSON, with redacted secrets and personal data. */
import { type DestinationStream, type Logger, type LoggerOptions, pino, type SerializedError } from 'pino';
import type { LogLevel } from './config.ts';
import { LogOutput } from './log-output.ts';

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

/** A logger that writes to `destination` (default: standard output). */
export function createLog(level: LogLevel, destination?: DestinationStream): Logger {
  const options: LoggerOptions = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: withoutRow },
    redact: { paths: SECRET_MEMBERS.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]), censor: '[redacted]' },
  };
  if (level === 'silent') return pino(options);
  return pino(options, destination ?? new LogOutput(1));
}

/** Serializes an error without the fields in which PostgreSQL quotes a row with its values, or a statement. */
function withoutRow(error: Error): Partial<SerializedError> {
  const { detail: _row, where: _place, internalQuery: _query, ...rest } = pino.stdSerializers.err(error);
  return rest;
}
