/**
 * Configuration: environment -> typed, validated, frozen. Every default and every contradiction stands here; each setting
 * has its row in docs/operating.md (a test compares the two).
 */

import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import type { StoreOptions } from './storage/db.ts';
import { isPostgres } from './storage/url.ts';
import { weaknessOf } from './weak-key.ts';

/** One setting of the environment: its name, what it means, its default as shown in the documentation. */
export interface Setting {
  name: string;
  meaning: string;
  default: string;
}

export const SETTINGS: readonly Setting[] = [
  { name: 'PORT', meaning: 'TCP port to listen on, 0 to 65535; 0 takes a free one', default: '8080' },
  { name: 'HOST', meaning: 'address to listen on', default: '127.0.0.1' },
  {
    name: 'TLS_CERT',
    meaning:
      'file with the certificate chain (PEM); with `TLS_KEY` the service speaks https and reads both again when they change and on SIGHUP',
    default: 'none',
  },
  { name: 'TLS_KEY', meaning: 'file with the private key of `TLS_CERT` (PEM)', default: 'none' },
  {
    name: 'PUBLIC_URL',
    meaning:
      'where browsers find the service, for example `https://backroom.example.com`: needed for people to sign in; https, or http on this machine; a path is where everything is served below',
    default: '`http://HOST:PORT` where HOST is this machine itself, else none: then nobody can sign in',
  },
  {
    name: 'DATABASE_URL',
    meaning: 'where the data is: `sqlite:PATH` or `postgres://USER:PASSWORD@HOST/DATABASE`',
    default: 'sqlite:data/backroom.db',
  },
  {
    name: 'DATABASE_POOL',
    meaning: 'PostgreSQL: connections of this process, 1 to 500; the read replica gets as many again',
    default: '10',
  },
  {
    name: 'DATABASE_READ_URL',
    meaning: 'PostgreSQL: a read replica for item reads and the lists of the operator, which may be seconds old then',
    default: 'none',
  },
  {
    name: 'BACKROOM_OPERATOR_KEY',
    meaning:
      'an operator key, at least 24 characters and not to be guessed (`openssl rand -hex 32`); accepted beside those made with `backroom key create --operator`',
    default: 'none',
  },
  {
    name: 'BACKROOM_SECRET',
    meaning: 'key that encrypts PINs at rest: 32 bytes as 64 hexadecimal digits',
    default: 'kept in a file beside the database, made at the first start (mode 600); PostgreSQL: required',
  },
  {
    name: 'MIGRATE',
    meaning:
      'what `serve` does with the database of an older release: auto takes a backup beside an SQLite file and migrates, manual stops with a sentence until `backroom migrate` was run',
    default: 'auto; PostgreSQL: manual',
  },
  {
    name: 'BACKROOM_SECRET_PREVIOUS',
    meaning:
      'while the key is rotated: the other key, 64 hexadecimal digits, whose sealed texts are still opened; see `backroom secret reseal`',
    default: 'none',
  },
  { name: 'LOG_LEVEL', meaning: 'fatal, error, warn, info, debug, trace or silent', default: 'info' },
  { name: 'BODY_LIMIT', meaning: 'largest request body in bytes', default: '2097152' },
  { name: 'INBOUND_BODY_LIMIT', meaning: 'largest body of an ASN or PO in bytes', default: '8388608' },
  { name: 'UPLOAD_BODY_LIMIT', meaning: 'largest CSV upload in bytes', default: '8388608' },
  { name: 'REQUEST_TIMEOUT_MS', meaning: 'time a client has to send a whole request', default: '30000' },
  { name: 'HEADERS_TIMEOUT_MS', meaning: 'time a client has to send the headers', default: '10000' },
  { name: 'KEEP_ALIVE_TIMEOUT_MS', meaning: 'how long an idle connection stays open', default: '72000' },
  { name: 'SHUTDOWN_GRACE_MS', meaning: 'how long a stop waits for requests in flight', default: '10000' },
  {
    name: 'RATE_LIMIT',
    meaning: 'requests a minute of one credential, 1 to 1000000, counted by each process for itself; more get 429',
    default: 'none',
  },
  {
    name: 'LONG_BODY_RATE_LIMIT',
    meaning:
      'MiB a minute of one credential in bodies over 64 KiB (uploads, ASNs and POs, lists of orders), 1 to 1000000 or none, counted by each process for itself; more get 429',
    default: '120',
  },
  {
    name: 'FAILED_SIGN_IN_LIMIT',
    meaning:
      'wrong credentials a minute, 1 to 1000000 or none, from one address and under one credential, counted by each process for itself; more wrong ones get 429. Wrong passwords of people are counted apart, for each address, three times as many at once; then every password from there gets 429',
    default: '20',
  },
  {
    name: 'METRICS_TOKEN',
    meaning:
      'token for `/metrics` from other machines (`Authorization: Bearer`); without it only this machine can read them',
    default: 'none',
  },
  {
    name: 'MAX_CONNECTIONS',
    meaning: 'connections that one process keeps open at once, 10 to 100000; one address may have half of them',
    default: '10000',
  },
  {
    name: 'TRUST_PROXY',
    meaning:
      'addresses of proxies whose `X-Forwarded-For` says where a caller is: IP addresses, CIDR ranges, `loopback`, `linklocal`, `uniquelocal`, with commas',
    default: 'none',
  },
  {
    name: 'MAX_IN_FLIGHT',
    meaning: 'requests in progress in one process, 1 to 100000; more get 503',
    default: '1000',
  },
  {
    name: 'MAX_WAIT_MS',
    meaning:
      'how long a request may wait for earlier ones, in milliseconds, 3 to 600000; under sustained load, requests that would wait longer get 503',
    default: '300',
  },
  {
    name: 'WEBHOOK_ALLOW',
    meaning:
      'addresses webhooks may go to although they are not public: IP addresses, CIDR ranges, `loopback`, `linklocal`, `uniquelocal`, with commas',
    default: 'none',
  },
  { name: 'WEBHOOK_PLAIN_HTTP', meaning: 'whether webhooks may go to http urls: yes or no', default: 'no' },
  {
    name: 'WEBHOOK_TIMEOUT_MS',
    meaning: 'how long an attempt of a webhook may take, in milliseconds, 100 to 30000',
    default: '15000',
  },
  { name: 'WEBHOOK_LOG_DAYS', meaning: 'how long finished deliveries stay in the log', default: '30' },
  {
    name: 'ACCESS_LOG_DAYS',
    meaning: 'how long access events are kept (access to orders, created and revoked keys), 1 to 3650',
    default: '90',
  },
  {
    name: 'ORDER_DAYS',
    meaning:
      'how long an order is kept after its end, with all that hangs on it and tickets whose orders are all gone, 1 to 36500 or none: for ever',
    default: 'none',
  },
  {
    name: 'EVENT_DAYS',
    meaning: 'how long events are kept, 1 to 36500 or none: for ever; those that a webhook has not been sent yet stay',
    default: 'none',
  },
  {
    name: 'SHIPMENT_DAYS',
    meaning:
      'how long an ASN, PO or shipment without papers is kept after it was closed, with its receipts, 1 to 36500 or none: for ever',
    default: 'none',
  },
  {
    name: 'STOCK_DAYS',
    meaning:
      'how long stock moves, stock transactions and counts are kept, 1 to 36500 or none: for ever; levels stay, with the sums of the moves that are gone',
    default: 'none',
  },
  {
    name: 'KEY_DAYS',
    meaning:
      'how long credentials and operator keys are listed after they were revoked or expired, 1 to 36500 or none: for ever',
    default: 'none',
  },
  {
    name: 'PRINTER_ALLOW',
    meaning:
      'addresses label printers may have although they are not private: IP addresses, CIDR ranges, `loopback`, `linklocal`, `uniquelocal`, with commas',
    default: 'none: private networks only (`uniquelocal`)',
  },
  {
    name: 'CONSOLE_CACHE',
    meaning:
      'whether devices keep the console, so that it starts without the network: on or off; off also removes it from devices that have it',
    default: 'on',
  },
  {
    name: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    meaning:
      'where spans of requests and statements are sent by OTLP over HTTP, for example `http://127.0.0.1:4318`; needs the [OpenTelemetry packages](how-to/trace.md)',
    default: 'none',
  },
  { name: 'IDEMPOTENCY_HOURS', meaning: 'how long the response to an Idempotency-Key is kept', default: '24' },
];

/** Settings that hold secrets: each may be in a file instead, which the setting with `_FILE` behind its name tells. */
export const IN_FILES: readonly string[] = [
  'DATABASE_URL',
  'DATABASE_READ_URL',
  'BACKROOM_OPERATOR_KEY',
  'BACKROOM_SECRET',
  'BACKROOM_SECRET_PREVIOUS',
  'METRICS_TOKEN',
];

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

export interface Config {
  port: number;
  host: string;
  /** Files of certificate and key; undefined: plain http. */
  tls: { cert: string; key: string } | undefined;
  /** Where browsers find the service, without a slash at its end; undefined: not said, and HOST is not loopback. */
  publicUrl: string | undefined;
  databaseUrl: string;
  databasePool: number;
  /** A read replica, where `databaseUrl` is PostgreSQL's. */
  databaseReadUrl: string | undefined;
  operatorKey: string | undefined;
  /** 32 bytes, or undefined: then `secrets.ts` keeps one beside the database. */
  secret: Buffer | undefined;
  /** The other key while the key is rotated. */
  previousSecret: Buffer | undefined;
  logLevel: LogLevel;
  bodyLimit: number;
  inboundBodyLimit: number;
  uploadBodyLimit: number;
  requestTimeoutMs: number;
  headersTimeoutMs: number;
  keepAliveTimeoutMs: number;
  shutdownGraceMs: number;
  /** What a start does with the database of an older release. */
  migrate: 'auto' | 'manual';
  /** Requests a minute of a credential; undefined: as many as it likes. */
  rateLimit: number | undefined;
  /** MiB a minute of a credential in long bodies; undefined: any. */
  longBodyRateLimit: number | undefined;
  /** Failed sign-ins a minute from an address and under a credential; undefined: any. */
  failedSignInLimit: number | undefined;
  /** Opens `/metrics` to other machines. */
  metricsToken: string | undefined;
  maxConnections: number;
  /** Proxies that are believed; empty: none. */
  trustProxy: readonly string[];
  maxInFlight: number;
  maxWaitMs: number;
  /** Places webhooks may go to although they are not public; empty: none. */
  webhookAllow: readonly string[];
  webhookPlainHttp: boolean;
  /** Places label printers may have beside private networks; empty: none. */
  printerAllow: readonly string[];
  webhookTimeoutMs: number;
  webhookLogDays: number;
  accessLogDays: number;
  /** Days for which these are kept when they are over; undefined: for ever. */
  orderDays: number | undefined;
  eventDays: number | undefined;
  shipmentDays: number | undefined;
  stockDays: number | undefined;
  keyDays: number | undefined;
  idempotencyHours: number;
  /** Where spans are sent, which of them (OTEL_TRACES_SAMPLER); undefined: none are made. */
  otlp: { url: string; sampler: Sampler; ratio: number } | undefined;
  /** Whether the service worker of the console is served, or what removes it. */
  consoleCache: boolean;
}

/** As the standard variable OTEL_TRACES_SAMPLER names them. */
const SAMPLERS = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;
type Sampler = (typeof SAMPLERS)[number];

/** The standard variables of OpenTelemetry about spans; those about sending (headers, certificate, time-out) its packages read. */
function otlpOf(env: NodeJS.ProcessEnv, faults: string[]): Config['otlp'] {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: all, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: own } = env;
  if (!(all || own) || env['OTEL_SDK_DISABLED'] === 'true' || env['OTEL_TRACES_EXPORTER'] === 'none') return undefined;
  const [name, text] = own ? ['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', own] : ['OTEL_EXPORTER_OTLP_ENDPOINT', all!];
  const url = URL.parse(own || `${all!.replace(/\/+$/, '')}/v1/traces`);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    faults.push(`${name} must be a url such as http://127.0.0.1:4318; it is ${JSON.stringify(text)}`);
  }
  const sampler = env['OTEL_TRACES_SAMPLER'] || 'parentbased_always_on';
  if (!(SAMPLERS as readonly string[]).includes(sampler)) {
    faults.push(`OTEL_TRACES_SAMPLER must be one of ${SAMPLERS.join(', ')}; it is ${JSON.stringify(sampler)}`);
  }
  const ratio = Number(env['OTEL_TRACES_SAMPLER_ARG'] || '1');
  if (sampler.endsWith('traceidratio') && !(ratio >= 0 && ratio <= 1)) {
    faults.push('OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1');
  }
  return { url: url?.href ?? '', sampler: sampler as Sampler, ratio };
}

/** An address, a CIDR range or the name of some, as the settings TRUST_PROXY, WEBHOOK_ALLOW and PRINTER_ALLOW take them. */
function isPlace(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/');
  if (bits === undefined) return isIP(address) > 0 || ['loopback', 'linklocal', 'uniquelocal'].includes(address);
  return (
    isIP(address) > 0 && rest.length === 0 && /^\d+$/.test(bits) && Number(bits) <= (isIP(address) === 4 ? 32 : 128)
  );
}

/** Whether a host name is this machine itself. */
export function isLoopback(host: string): boolean {
  const name = host.toLowerCase().replace(/^\[(.*)\]$/, '$1');
  return (
    name === 'localhost' ||
    name.endsWith('.localhost') ||
    name === '::1' ||
    (isIP(name) === 4 && name.startsWith('127.'))
  );
}

/** What is wrong with a PUBLIC_URL. Over plain http a cookie could be read on the way, so it is for this machine only. */
function publicUrlFault(text: string): string | undefined {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) return 'must be a url such as https://backroom.example.com';
  if (url.search !== '' || url.hash !== '' || url.username !== '' || url.password !== '')
    return 'must have no query, fragment or credentials';
  if (url.protocol === 'http:' && !isLoopback(url.hostname))
    return 'must be https, or http on this machine (127.0.0.1)';
  return undefined;
}

/** How the settings open the store. */
export function storeOptions(config: Config): StoreOptions {
  return {
    connections: config.databasePool,
    ...(config.databaseReadUrl !== undefined && { readUrl: config.databaseReadUrl }),
  };
}

/** A start with a wrong setting is refused with all of its errors at once. */
export class ConfigError extends Error {
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(`The configuration is not valid:\n${faults.map((fault) => `  - ${fault}`).join('\n')}`);
    this.name = 'ConfigError';
    this.faults = faults;
  }
}

/** A hundred years. */
const DAYS_MAX = 36_500;

/** A secret as a file has it: without the line end that editors put behind it. */
function fileText(name: string, file: string, faults: string[]): string | undefined {
  try {
    const value = readFileSync(file, 'utf8').trim();
    if (value === '') faults.push(`${name}: ${JSON.stringify(file)} is empty`);
    return value || undefined;
  } catch (error) {
    const { code = 'unknown error' } = error as NodeJS.ErrnoException;
    faults.push(`${name}: ${JSON.stringify(file)} cannot be read (${code})`);
    return undefined;
  }
}

/**
 * Reads the configuration from an environment, and secrets from the files it names. Empty variables count as unset; variables that start with `BACKROOM_` and
 * are not known are refused, because a misspelt one would silently do nothing.
 * @throws ConfigError with every error.
 */
export function loadConfig(env: NodeJS.ProcessEnv): Config {
  const faults: string[] = [];
  const known = new Set([...SETTINGS.map((setting) => setting.name), ...IN_FILES.map((name) => `${name}_FILE`)]);
  for (const name of Object.keys(env)) {
    if (name.startsWith('BACKROOM_') && !known.has(name) && name !== 'BACKROOM_REAL_DATA') {
      faults.push(`${name} is not a setting; the settings are in docs/operating.md`);
    }
  }
  const text = (name: string): string | undefined => {
    const [value, file] = [env[name], IN_FILES.includes(name) ? env[`${name}_FILE`] : undefined];
    if (!file) return value || undefined;
    if (value) faults.push(`${name} and ${name}_FILE say the same; set one of them`);
    return fileText(`${name}_FILE`, file, faults);
  };
  const whole = (name: string, min: number, max: number): number => {
    const shown = text(name) ?? SETTINGS.find((setting) => setting.name === name)!.default;
    const value = Number(shown);
    if (!/^\d+$/.test(shown) || value < min || value > max) {
      faults.push(`${name} must be a whole number from ${min} to ${max}; it is ${JSON.stringify(shown)}`);
    }
    return value;
  };
  const wholeOrNone = (name: string, min: number, max: number): number | undefined =>
    (text(name) ?? SETTINGS.find((setting) => setting.name === name)!.default) === 'none'
      ? undefined
      : whole(name, min, max);
  const databaseUrl = text('DATABASE_URL') ?? 'sqlite:data/backroom.db';
  if (!/^sqlite:.+/.test(databaseUrl) && !isPostgres(databaseUrl)) {
    faults.push('DATABASE_URL must be sqlite:PATH, such as sqlite:data/backroom.db, or postgres://USER@HOST/DATABASE');
  }
  const [tlsCert, tlsKey] = [text('TLS_CERT'), text('TLS_KEY')];
  if ((tlsCert === undefined) !== (tlsKey === undefined)) {
    faults.push('TLS_CERT and TLS_KEY belong together; set both, or neither');
  }
  const publicUrl = text('PUBLIC_URL');
  const publicFault = publicUrl === undefined ? undefined : publicUrlFault(publicUrl);
  if (publicFault !== undefined) faults.push(`PUBLIC_URL ${publicFault}; it is ${JSON.stringify(publicUrl)}`);
  const databaseReadUrl = text('DATABASE_READ_URL');
  if (databaseReadUrl !== undefined && !(isPostgres(databaseReadUrl) && isPostgres(databaseUrl))) {
    faults.push('DATABASE_READ_URL must be postgres://..., beside a DATABASE_URL that is too; leave it out otherwise');
  }
  const operatorKey = text('BACKROOM_OPERATOR_KEY');
  const isOperatorKey = operatorKey === undefined || /^[\x21-\x7e]{24,200}$/.test(operatorKey);
  if (!isOperatorKey) {
    faults.push('BACKROOM_OPERATOR_KEY must have 24 to 200 visible ASCII characters; take `openssl rand -hex 32`');
  }
  const weakness = operatorKey === undefined || !isOperatorKey ? undefined : weaknessOf(operatorKey);
  if (weakness !== undefined) {
    faults.push(`BACKROOM_OPERATOR_KEY ${weakness}, so it could be guessed; take \`openssl rand -hex 32\``);
  }
  const metricsToken = text('METRICS_TOKEN');
  const metricsWeakness = metricsToken === undefined ? undefined : weaknessOf(metricsToken);
  if (metricsToken !== undefined && (metricsWeakness !== undefined || !/^[\x21-\x7e]{24,200}$/.test(metricsToken))) {
    const why = metricsWeakness ?? 'must have 24 to 200 visible ASCII characters';
    faults.push(`METRICS_TOKEN ${why}; take \`openssl rand -hex 32\``);
  }
  const secret = text('BACKROOM_SECRET');
  if (secret !== undefined && !/^[0-9a-fA-F]{64}$/.test(secret)) {
    faults.push('BACKROOM_SECRET must be 64 hexadecimal digits; take `openssl rand -hex 32`');
  }
  const previousSecret = text('BACKROOM_SECRET_PREVIOUS');
  if (previousSecret !== undefined && !/^[0-9a-fA-F]{64}$/.test(previousSecret)) {
    faults.push('BACKROOM_SECRET_PREVIOUS must be the 64 hexadecimal digits of the other key');
  }
  if (secret === undefined && isPostgres(databaseUrl)) {
    faults.push(
      'BACKROOM_SECRET is required with PostgreSQL, where no file stands beside the database; take `openssl rand -hex 32` once and keep it',
    );
  }
  const logLevel = text('LOG_LEVEL') ?? 'info';
  if (!(LOG_LEVELS as readonly string[]).includes(logLevel)) {
    faults.push(`LOG_LEVEL must be one of ${LOG_LEVELS.join(', ')}; it is ${JSON.stringify(logLevel)}`);
  }
  const migrate = text('MIGRATE') ?? (isPostgres(databaseUrl) ? 'manual' : 'auto');
  if (migrate !== 'auto' && migrate !== 'manual') {
    faults.push(`MIGRATE must be auto or manual; it is ${JSON.stringify(migrate)}`);
  }
  const places = (name: string): string[] => {
    const all = (text(name) ?? '').split(',').flatMap((part) => (part.trim() === '' ? [] : [part.trim()]));
    for (const place of all.filter((one) => !isPlace(one))) {
      faults.push(
        `${name} must list IP addresses, CIDR ranges, loopback, linklocal or uniquelocal; it has ${JSON.stringify(place)}`,
      );
    }
    return all;
  };
  const trustProxy = places('TRUST_PROXY');
  const plainHttp = text('WEBHOOK_PLAIN_HTTP') ?? 'no';
  if (plainHttp !== 'yes' && plainHttp !== 'no') {
    faults.push(`WEBHOOK_PLAIN_HTTP must be yes or no; it is ${JSON.stringify(plainHttp)}`);
  }
  const consoleCache = text('CONSOLE_CACHE') ?? 'on';
  if (consoleCache !== 'on' && consoleCache !== 'off') {
    faults.push(`CONSOLE_CACHE must be on or off; it is ${JSON.stringify(consoleCache)}`);
  }
  const mebibyte = 1024 * 1024;
  const config: Config = {
    port: whole('PORT', 0, 65535),
    host: text('HOST') ?? '127.0.0.1',
    tls: tlsCert === undefined || tlsKey === undefined ? undefined : { cert: tlsCert, key: tlsKey },
    publicUrl: publicUrl?.replace(/\/+$/, ''),
    databaseUrl,
    databasePool: whole('DATABASE_POOL', 1, 500),
    databaseReadUrl,
    operatorKey,
    secret: secret === undefined ? undefined : Buffer.from(secret, 'hex'),
    previousSecret: previousSecret === undefined ? undefined : Buffer.from(previousSecret, 'hex'),
    logLevel: logLevel as LogLevel,
    bodyLimit: whole('BODY_LIMIT', 1024, 64 * mebibyte),
    inboundBodyLimit: whole('INBOUND_BODY_LIMIT', 1024, 64 * mebibyte),
    uploadBodyLimit: whole('UPLOAD_BODY_LIMIT', 1024, 64 * mebibyte),
    requestTimeoutMs: whole('REQUEST_TIMEOUT_MS', 100, 600_000),
    headersTimeoutMs: whole('HEADERS_TIMEOUT_MS', 100, 600_000),
    keepAliveTimeoutMs: whole('KEEP_ALIVE_TIMEOUT_MS', 100, 3_600_000),
    shutdownGraceMs: whole('SHUTDOWN_GRACE_MS', 0, 600_000),
    migrate: migrate as Config['migrate'],
    rateLimit: wholeOrNone('RATE_LIMIT', 1, 1_000_000),
    longBodyRateLimit:
      text('LONG_BODY_RATE_LIMIT') === 'none' ? undefined : whole('LONG_BODY_RATE_LIMIT', 1, 1_000_000),
    failedSignInLimit: wholeOrNone('FAILED_SIGN_IN_LIMIT', 1, 1_000_000),
    metricsToken,
    maxConnections: whole('MAX_CONNECTIONS', 10, 100_000),
    trustProxy,
    maxInFlight: whole('MAX_IN_FLIGHT', 1, 100_000),
    maxWaitMs: whole('MAX_WAIT_MS', 3, 600_000),
    webhookAllow: places('WEBHOOK_ALLOW'),
    printerAllow: places('PRINTER_ALLOW'),
    webhookPlainHttp: plainHttp === 'yes',
    webhookTimeoutMs: whole('WEBHOOK_TIMEOUT_MS', 100, 30_000),
    webhookLogDays: whole('WEBHOOK_LOG_DAYS', 1, 3_650),
    accessLogDays: whole('ACCESS_LOG_DAYS', 1, 3_650),
    orderDays: wholeOrNone('ORDER_DAYS', 1, DAYS_MAX),
    eventDays: wholeOrNone('EVENT_DAYS', 1, DAYS_MAX),
    shipmentDays: wholeOrNone('SHIPMENT_DAYS', 1, DAYS_MAX),
    stockDays: wholeOrNone('STOCK_DAYS', 1, DAYS_MAX),
    keyDays: wholeOrNone('KEY_DAYS', 1, DAYS_MAX),
    idempotencyHours: whole('IDEMPOTENCY_HOURS', 1, 24 * 365),
    consoleCache: consoleCache === 'on',
    otlp: otlpOf(env, faults),
  };
  if (config.headersTimeoutMs > config.requestTimeoutMs) {
    faults.push('HEADERS_TIMEOUT_MS must not exceed REQUEST_TIMEOUT_MS');
  }
  if (faults.length > 0) throw new ConfigError(faults);
  return Object.freeze(config);
}
