/**
 * Reads the environment into a typed, validated, frozen configuration. This file has all defaults and all rules between
 * settings. Each setting has a row in docs/operating.md; a test compares the two.
 */

import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import type { LabelHook } from './label-hook.ts';
import type { StoreOptions } from './storage/db.ts';
import { isPostgres, isReadablePostgres } from './storage/url.ts';
import { weaknessOf } from './weak-key.ts';

/** A setting of the environment: its name, its meaning, and its default in the form of the documentation. */
export interface Setting {
  name: string;
  meaning: string;
  default: string;
}

export const SETTINGS: readonly Setting[] = [
  { name: 'PORT', meaning: 'TCP port to listen on, 0 to 65535; 0 chooses a free port', default: '8080' },
  { name: 'HOST', meaning: 'address to listen on', default: '127.0.0.1' },
  {
    name: 'TLS_CERT',
    meaning:
      'file with the certificate chain (PEM); with `TLS_KEY` the service uses https; it reads both files again when they change and on SIGHUP',
    default: 'none',
  },
  { name: 'TLS_KEY', meaning: 'file with the private key of `TLS_CERT` (PEM)', default: 'none' },
  {
    name: 'PUBLIC_URL',
    meaning:
      'URL of the service for browsers, for example `https://backroom.example.com`; people need it to sign in; https, or http on this machine; with a path, everything is served below that path',
    default:
      '`http://HOST:PORT` (with `TLS_CERT` https) if HOST is this machine itself; otherwise none, and people cannot sign in',
  },
  {
    name: 'DATABASE_URL',
    meaning: 'database: `sqlite:PATH` or `postgres://USER:PASSWORD@HOST/DATABASE`',
    default: 'sqlite:data/backroom.db',
  },
  {
    name: 'DATABASE_POOL',
    meaning: 'PostgreSQL: connections of this process, 1 to 500, and the same number for the read replica',
    default: '10',
  },
  {
    name: 'DATABASE_READ_URL',
    meaning:
      'PostgreSQL: a read replica for item reads and the lists of the operator, which then may return data that is seconds old',
    default: 'none',
  },
  {
    name: 'BACKROOM_OPERATOR_KEY',
    meaning:
      'an operator key that cannot be guessed, at least 24 characters (`openssl rand -hex 32`); it is valid beside the keys of `backroom key create --operator`',
    default: 'none',
  },
  {
    name: 'BACKROOM_SECRET',
    meaning:
      'key that encrypts PINs, secrets of webhooks and identity providers, stored responses and proofs of hand-overs at rest: 32 bytes as 64 hexadecimal digits',
    default: 'kept in a file beside the database, made at the first start (mode 600); PostgreSQL: required',
  },
  {
    name: 'MIGRATE',
    meaning:
      'migration when `serve` finds the database of an older release: auto takes a backup beside an SQLite file and migrates; manual stops with a message until you have run `backroom migrate`',
    default: 'auto; PostgreSQL: manual',
  },
  {
    name: 'BACKROOM_SECRET_PREVIOUS',
    meaning:
      'during a key rotation: the previous key, 64 hexadecimal digits, which can still decrypt; see `backroom secret reseal`',
    default: 'none',
  },
  { name: 'LOG_LEVEL', meaning: 'fatal, error, warn, info, debug, trace or silent', default: 'info' },
  { name: 'BODY_LIMIT', meaning: 'largest request body in bytes', default: '2097152' },
  { name: 'INBOUND_BODY_LIMIT', meaning: 'largest body of an ASN or PO in bytes', default: '8388608' },
  { name: 'UPLOAD_BODY_LIMIT', meaning: 'largest CSV upload or X12 file in bytes', default: '8388608' },
  {
    name: 'REQUEST_TIMEOUT_MS',
    meaning: 'time limit in milliseconds for a client to send a whole request',
    default: '30000',
  },
  {
    name: 'HEADERS_TIMEOUT_MS',
    meaning: 'time limit in milliseconds for a client to send the headers',
    default: '10000',
  },
  {
    name: 'KEEP_ALIVE_TIMEOUT_MS',
    meaning: 'time in milliseconds for which an idle connection stays open',
    default: '72000',
  },
  {
    name: 'SHUTDOWN_GRACE_MS',
    meaning: 'time in milliseconds for which a stop waits for requests in progress',
    default: '10000',
  },
  {
    name: 'RATE_LIMIT',
    meaning: 'requests a minute of one credential, 1 to 1000000, counted by each process; more get 429',
    default: 'none',
  },
  {
    name: 'LONG_BODY_RATE_LIMIT',
    meaning:
      'MiB a minute of one credential in bodies over 64 KiB (uploads, ASNs and POs, lists of orders), 1 to 1000000 or none, counted by each process; more get 429',
    default: '120',
  },
  {
    name: 'FAILED_SIGN_IN_LIMIT',
    meaning:
      'requests with a wrong credential a minute, 1 to 1000000 or none, from one address and for one credential, counted by each process; more get 429. Wrong passwords of people have a separate count for each address, with a burst of three times the limit; above it every password from the address gets 429',
    default: '20',
  },
  {
    name: 'METRICS_TOKEN',
    meaning:
      'token for `/metrics` from other machines (`Authorization: Bearer`), 24 to 200 visible ASCII characters (`openssl rand -hex 32`); without it only this machine can read them',
    default: 'none',
  },
  {
    name: 'MAX_CONNECTIONS',
    meaning:
      'open connections of one process, 10 to 100000; one address, except this machine and trusted proxies, may have half of them',
    default: '10000',
  },
  {
    name: 'TRUST_PROXY',
    meaning:
      'addresses of proxies whose `X-Forwarded-For` is trusted: IP addresses, CIDR ranges, `loopback`, `linklocal`, `uniquelocal`, separated by commas',
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
      'longest time that a request waits for earlier requests, in milliseconds, 3 to 600000; under sustained load, requests that would wait longer get 503',
    default: '300',
  },
  {
    name: 'WEBHOOK_ALLOW',
    meaning:
      'non-public addresses that webhooks may be sent to: IP addresses, CIDR ranges, `loopback`, `linklocal`, `uniquelocal`, separated by commas',
    default: 'none',
  },
  { name: 'WEBHOOK_PLAIN_HTTP', meaning: 'whether webhooks may go to http urls: yes or no', default: 'no' },
  {
    name: 'WEBHOOK_TIMEOUT_MS',
    meaning: 'time limit of a webhook attempt, in milliseconds, 100 to 30000',
    default: '15000',
  },
  { name: 'WEBHOOK_LOG_DAYS', meaning: 'days for which finished deliveries stay in the log', default: '30' },
  {
    name: 'ACCESS_LOG_DAYS',
    meaning:
      'days for which access events are kept (for example access to orders, created and revoked keys), 1 to 3650',
    default: '90',
  },
  {
    name: 'ORDER_DAYS',
    meaning:
      'days for which an order and its records are kept after its end, 1 to 36500, or none for no limit; a ticket is deleted with the last of its orders',
    default: 'none',
  },
  {
    name: 'EVENT_DAYS',
    meaning:
      'days for which events are kept, 1 to 36500, or none for no limit; events that a webhook or EDI partner still needs are kept longer',
    default: 'none',
  },
  {
    name: 'SHIPMENT_DAYS',
    meaning:
      'days for which an ASN, PO or shipment without papers and its receipts are kept after closing, 1 to 36500, or none for no limit',
    default: 'none',
  },
  {
    name: 'STOCK_DAYS',
    meaning:
      'days for which stock moves, stock transactions and counts are kept, 1 to 36500, or none for no limit; levels keep the sums of the deleted moves',
    default: 'none',
  },
  {
    name: 'EDI_DAYS',
    meaning:
      'days for which X12 interchanges are kept, 1 to 36500, or none for no limit; those that are WAITING, OVERDUE, QUARANTINED or TAKING are kept longer',
    default: '400',
  },
  {
    name: 'KEY_DAYS',
    meaning:
      'days for which revoked and expired credentials and operator keys are listed, 1 to 36500, or none for no limit',
    default: 'none',
  },
  {
    name: 'PRINTER_ALLOW',
    meaning:
      'addresses of label printers, in addition to private addresses, with any port: IP addresses, CIDR ranges, `loopback`, `linklocal`, `uniquelocal`, separated by commas',
    default: 'none: private networks only (`uniquelocal`)',
  },
  {
    name: 'CONSOLE_CACHE',
    meaning:
      'whether devices store the console, so that it starts without the network: on or off; off also removes it from devices that have stored it',
    default: 'on',
  },
  {
    name: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    meaning:
      'URL that gets spans of requests and statements by OTLP over HTTP, for example `http://127.0.0.1:4318`; needs the [OpenTelemetry packages](how-to/trace.md)',
    default: 'none',
  },
  {
    name: 'SMTP_URL',
    meaning:
      'mail server for [messages to customers](contact.md): `smtps://USER:PASSWORD@HOST`, or `smtp://HOST:PORT`; clients choose by their setting `contact`',
    default: 'none: mails wait, and are given up after a day',
  },
  { name: 'MAIL_FROM', meaning: 'sender address of mails to customers; with `SMTP_URL`', default: 'none' },
  {
    name: 'LABEL_URL',
    meaning:
      'URL, without user and password, of your program that buys [carrier labels](how-to/connect-a-carrier.md#5-buy-labels-by-a-hook); with `LABEL_SECRET`',
    default: 'none: no labels are bought',
  },
  {
    name: 'LABEL_SECRET',
    meaning: 'key that signs these requests: `whsec_` and base64 of at least 24 random bytes',
    default: 'none',
  },
  { name: 'IDEMPOTENCY_HOURS', meaning: 'hours for which the response to an Idempotency-Key is kept', default: '24' },
];

/**
 * Settings that have a secret. Each can be replaced by the setting with the suffix `_FILE`, which has the path of a
 * file with the secret.
 */
export const IN_FILES: readonly string[] = [
  'DATABASE_URL',
  'DATABASE_READ_URL',
  'BACKROOM_OPERATOR_KEY',
  'BACKROOM_SECRET',
  'BACKROOM_SECRET_PREVIOUS',
  'METRICS_TOKEN',
  'SMTP_URL',
  'LABEL_SECRET',
];

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

export interface Config {
  port: number;
  host: string;
  /** Files of certificate and key; undefined: plain http. */
  tls: { cert: string; key: string } | undefined;
  /** URL of the service for browsers, without a slash at its end; undefined: `Site.url` has the default. */
  publicUrl: string | undefined;
  databaseUrl: string;
  databasePool: number;
  /** URL of a read replica; permitted only with PostgreSQL. */
  databaseReadUrl: string | undefined;
  operatorKey: string | undefined;
  /**
   * The installation's key, 32 bytes; undefined: `secrets.ts` uses a key file next to the database and makes it at the
   * first start.
   */
  secret: Buffer | undefined;
  /** The old key during a key rotation. */
  previousSecret: Buffer | undefined;
  logLevel: LogLevel;
  bodyLimit: number;
  inboundBodyLimit: number;
  uploadBodyLimit: number;
  requestTimeoutMs: number;
  headersTimeoutMs: number;
  keepAliveTimeoutMs: number;
  shutdownGraceMs: number;
  /** `auto`: the service migrates the database of an older release when it starts. */
  migrate: 'auto' | 'manual';
  /** Maximum number of requests per minute of one credential; undefined: no limit. */
  rateLimit: number | undefined;
  /** Maximum MiB per minute and credential in bodies over 64 KiB; undefined: no limit. */
  longBodyRateLimit: number | undefined;
  /** Maximum number of failed sign-ins per minute from one address or under one credential; undefined: no limit. */
  failedSignInLimit: number | undefined;
  /** Token with which other machines can read `/metrics`. */
  metricsToken: string | undefined;
  maxConnections: number;
  /** Addresses of trusted proxies; empty: no proxy is trusted. */
  trustProxy: readonly string[];
  maxInFlight: number;
  maxWaitMs: number;
  /** Non-public addresses that webhooks can use; empty: only public addresses are permitted. */
  webhookAllow: readonly string[];
  webhookPlainHttp: boolean;
  /**
   * Addresses of label printers that are permitted with any port, in addition to the raw ports of private addresses.
   */
  printerAllow: readonly string[];
  webhookTimeoutMs: number;
  webhookLogDays: number;
  accessLogDays: number;
  /** Retention in days; undefined: no limit. `SETTINGS` describes what each of these fields keeps. */
  orderDays: number | undefined;
  eventDays: number | undefined;
  shipmentDays: number | undefined;
  stockDays: number | undefined;
  ediDays: number | undefined;
  keyDays: number | undefined;
  idempotencyHours: number;
  /**
   * Mail server for messages to customers. `smtpUrl` and `mailFrom`, the sender address, are set together or not at
   * all.
   */
  smtpUrl: string | undefined;
  mailFrom: string | undefined;
  /** The operator's program that buys labels of carriers. */
  labelHook: LabelHook | undefined;
  /** URL of the OTLP collector, and the sampler (OTEL_TRACES_SAMPLER); undefined: the service makes no spans. */
  otlp: { url: string; sampler: Sampler; ratio: number } | undefined;
  /**
   * Whether the service worker of the console is served; false: the service serves a script that removes it from
   * browsers.
   */
  consoleCache: boolean;
}

/** Values of the standard variable OTEL_TRACES_SAMPLER. */
const SAMPLERS = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;
type Sampler = (typeof SAMPLERS)[number];

/**
 * Reads the standard variables of OpenTelemetry about spans. The packages of OpenTelemetry read the variables about
 * sending: headers, certificate, timeout.
 */
function otlpOf(env: NodeJS.ProcessEnv, errors: string[]): Config['otlp'] {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: all, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: own } = env;
  if (!(all || own) || env['OTEL_SDK_DISABLED'] === 'true' || env['OTEL_TRACES_EXPORTER'] === 'none') return undefined;
  const [name, text] = own ? ['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', own] : ['OTEL_EXPORTER_OTLP_ENDPOINT', all!];
  const url = URL.parse(own || `${all!.replace(/\/+$/, '')}/v1/traces`);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    errors.push(`${name} must be a url such as http://127.0.0.1:4318; it is ${JSON.stringify(text)}`);
  }
  const sampler = env['OTEL_TRACES_SAMPLER'] || 'parentbased_always_on';
  if (!(SAMPLERS as readonly string[]).includes(sampler)) {
    errors.push(`OTEL_TRACES_SAMPLER must be one of ${SAMPLERS.join(', ')}; it is ${JSON.stringify(sampler)}`);
  }
  const ratio = Number(env['OTEL_TRACES_SAMPLER_ARG'] || '1');
  if (sampler.endsWith('traceidratio') && !(ratio >= 0 && ratio <= 1)) {
    errors.push('OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1');
  }
  return { url: url?.href ?? '', sampler: sampler as Sampler, ratio };
}

/**
 * Whether the text is an address, a CIDR range or a name of ranges, for TRUST_PROXY, WEBHOOK_ALLOW and PRINTER_ALLOW.
 */
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

/**
 * Returns the error of a PUBLIC_URL, or undefined. Plain http is permitted only for loopback, because other machines on
 * the network could read the cookies.
 */
function publicUrlError(text: string): string | undefined {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) return 'must be a url such as https://backroom.example.com';
  if (url.search !== '' || url.hash !== '' || url.username !== '' || url.password !== '')
    return 'must have no query, fragment or credentials';
  if (url.protocol === 'http:' && !isLoopback(url.hostname))
    return 'must be https, or http on this machine (127.0.0.1)';
  if (!/^(?:\/|(?:\/[A-Za-z0-9._~-]+)+\/?)$/.test(url.pathname))
    return 'must have no path, or a path of letters, digits and . _ ~ - between single slashes';
  return undefined;
}

/** Options of the store, from the settings. */
export function storeOptions(config: Config): StoreOptions {
  return {
    connections: config.databasePool,
    ...(config.databaseReadUrl !== undefined && { readUrl: config.databaseReadUrl }),
  };
}

/** Thrown with the errors of all settings. The service does not start if a setting is wrong. */
export class ConfigError extends Error {
  readonly errors: readonly string[];

  constructor(errors: readonly string[]) {
    super(`The configuration is not valid:\n${errors.map((error) => `  - ${error}`).join('\n')}`);
    this.name = 'ConfigError';
    this.errors = errors;
  }
}

/** A hundred years, in days. */
const DAYS_MAX = 36_500;

/**
 * Reads a secret from a file, without white space at its ends. If the file cannot be read or is empty, adds an error
 * and returns undefined.
 */
function fileText(name: string, file: string, errors: string[]): string | undefined {
  try {
    const value = readFileSync(file, 'utf8').trim();
    if (value === '') errors.push(`${name}: ${JSON.stringify(file)} is empty`);
    return value || undefined;
  } catch (error) {
    const { code = 'unknown error' } = error as NodeJS.ErrnoException;
    errors.push(`${name}: ${JSON.stringify(file)} cannot be read (${code})`);
    return undefined;
  }
}

/** Reads settings from environment variables and collects every error. */
class SettingsReader {
  readonly errors: string[] = [];
  readonly #env: NodeJS.ProcessEnv;
  /** Each setting is read once, so its errors are listed once. */
  readonly #texts = new Map<string, string | undefined>();

  constructor(env: NodeJS.ProcessEnv) {
    this.#env = env;
    const known = new Set([...SETTINGS.map((setting) => setting.name), ...IN_FILES.map((name) => `${name}_FILE`)]);
    for (const name of Object.keys(env)) {
      if (name.startsWith('BACKROOM_') && env[name] && !known.has(name) && name !== 'BACKROOM_REAL_DATA') {
        this.errors.push(
          `${name} is not a setting; correct the name, or remove it (docs/operating.md lists the settings)`,
        );
      }
    }
  }

  /**
   * Returns the value of a setting, from the variable or from the file that `NAME_FILE` names; undefined if it is
   * empty.
   */
  text(name: string): string | undefined {
    if (!this.#texts.has(name)) this.#texts.set(name, this.#read(name));
    return this.#texts.get(name);
  }

  #read(name: string): string | undefined {
    const [value, file] = [this.#env[name], IN_FILES.includes(name) ? this.#env[`${name}_FILE`] : undefined];
    if (!file) return value || undefined;
    // The image and the units of systemd set DATABASE_URL to an SQLite file, so DATABASE_URL_FILE can replace such a
    // value without an error.
    if (value && !(name === 'DATABASE_URL' && value.startsWith('sqlite:')))
      this.errors.push(`${name} and ${name}_FILE are both set; set only one of them`);
    return fileText(`${name}_FILE`, file, this.errors);
  }

  /** Returns the value of a setting, which must match the pattern. `rule` ends the error message after the name. */
  matching(name: string, pattern: RegExp, rule: string): string | undefined {
    const value = this.text(name);
    if (value !== undefined && !pattern.test(value)) this.errors.push(`${name} ${rule}`);
    return value;
  }

  /**
   * Returns the value of a setting, which must be a URL with a host. The error does not show the value, because a URL
   * can have a password.
   */
  url(name: string, protocol: RegExp, rule: string): string | undefined {
    const value = this.text(name);
    const url = value === undefined ? undefined : URL.parse(value);
    if (url === null || (url !== undefined && !(protocol.test(url.protocol) && url.hostname !== ''))) {
      this.errors.push(`${name} ${rule}`);
    }
    return value;
  }

  oneOf<const T extends string>(name: string, values: readonly T[], otherwise: T): T {
    const value = this.text(name) ?? otherwise;
    const found = values.find((one) => one === value);
    if (found === undefined) {
      const list = values.length === 2 ? values.join(' or ') : `one of ${values.join(', ')}`;
      this.errors.push(`${name} must be ${list}; it is ${JSON.stringify(value)}`);
    }
    return found ?? otherwise;
  }

  whole(name: string, min: number, max: number): number {
    const shown = this.text(name) ?? defaultOf(name);
    const value = Number(shown);
    if (!/^\d+$/.test(shown) || value < min || value > max) {
      this.errors.push(`${name} must be a whole number from ${min} to ${max}; it is ${JSON.stringify(shown)}`);
    }
    return value;
  }

  /** Returns a whole number, or undefined for `none`. */
  wholeOrNone(name: string, min: number, max: number): number | undefined {
    return (this.text(name) ?? defaultOf(name)) === 'none' ? undefined : this.whole(name, min, max);
  }

  places(name: string): string[] {
    const all = (this.text(name) ?? '').split(',').flatMap((part) => (part.trim() === '' ? [] : [part.trim()]));
    for (const place of all.filter((one) => !isPlace(one))) {
      this.errors.push(
        `${name} must list IP addresses, CIDR ranges, loopback, linklocal or uniquelocal; it has ${JSON.stringify(place)}`,
      );
    }
    return all;
  }

  /** Reports an error if only one of two settings is set. */
  both(first: string, second: string): void {
    if ((this.text(first) === undefined) !== (this.text(second) === undefined)) {
      this.errors.push(`only one of ${first} and ${second} is set; set both, or neither`);
    }
  }
}

const defaultOf = (name: string) => SETTINGS.find((setting) => setting.name === name)!.default;

function databaseOf(settings: SettingsReader): Pick<Config, 'databaseUrl' | 'databaseReadUrl'> {
  const databaseUrl = settings.text('DATABASE_URL') ?? 'sqlite:data/backroom.db';
  if (!/^sqlite:.*\S/.test(databaseUrl) && !isPostgres(databaseUrl)) {
    settings.errors.push(
      'DATABASE_URL must be sqlite:PATH, such as sqlite:data/backroom.db, or postgres://USER@HOST/DATABASE',
    );
  }
  const databaseReadUrl = settings.text('DATABASE_READ_URL');
  if (databaseReadUrl !== undefined && !(isPostgres(databaseReadUrl) && isPostgres(databaseUrl))) {
    settings.errors.push(
      'DATABASE_READ_URL and DATABASE_URL must both be postgres://...; leave DATABASE_READ_URL out otherwise',
    );
  }
  for (const [name, url] of Object.entries({ DATABASE_URL: databaseUrl, DATABASE_READ_URL: databaseReadUrl })) {
    // The error does not show the URL, because it may have a password.
    if (url !== undefined && isPostgres(url) && !isReadablePostgres(url)) {
      settings.errors.push(
        `${name} is not a url; use postgres://USER:PASSWORD@HOST:PORT/DATABASE, and percent-encode special characters such as @ / : # of the password`,
      );
    }
  }
  return { databaseUrl, databaseReadUrl };
}

function addressOf(settings: SettingsReader): Pick<Config, 'tls' | 'publicUrl'> {
  settings.both('TLS_CERT', 'TLS_KEY');
  const [cert, key] = [settings.text('TLS_CERT'), settings.text('TLS_KEY')];
  const publicUrl = settings.text('PUBLIC_URL');
  const error = publicUrl === undefined ? undefined : publicUrlError(publicUrl);
  // A URL with credentials is not shown, because errors are logged.
  const shown = /@/.test(publicUrl ?? '') ? '' : `; it is ${JSON.stringify(publicUrl)}`;
  if (error !== undefined) settings.errors.push(`PUBLIC_URL ${error}${shown}`);
  return {
    tls: cert === undefined || key === undefined ? undefined : { cert, key },
    publicUrl: publicUrl?.replace(/\/+$/, ''),
  };
}

/** Reads the address to listen on. An IPv6 address can have brackets, as in a URL. */
function hostOf(settings: SettingsReader): string {
  const host = (settings.text('HOST') ?? '127.0.0.1').replace(/^\[(.+)\]$/, '$1');
  const isName = /^(?=.{1,253}$)[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)*$/.test(host) && !/^[\d.]+$/.test(host);
  if (isIP(host) === 0 && !isName) {
    settings.errors.push(`HOST must be an IP address or a host name of this machine; it is ${JSON.stringify(host)}`);
  }
  return host;
}

const KEY = /^[\x21-\x7e]{24,200}$/;
const HEX_KEY = /^[0-9a-fA-F]{64}$/;

function keysOf(
  settings: SettingsReader,
  databaseUrl: string,
): Pick<Config, 'operatorKey' | 'metricsToken' | 'secret' | 'previousSecret'> {
  const keyOf = (name: string) => {
    const key = settings.text(name);
    const weakness = key === undefined ? undefined : weaknessOf(key);
    if (key !== undefined && !KEY.test(key)) {
      settings.errors.push(`${name} must have 24 to 200 visible ASCII characters; use \`openssl rand -hex 32\``);
    } else if (weakness !== undefined) {
      settings.errors.push(`${name} ${weakness}, so it can be guessed; use \`openssl rand -hex 32\``);
    }
    return key;
  };
  const [operatorKey, metricsToken] = [keyOf('BACKROOM_OPERATOR_KEY'), keyOf('METRICS_TOKEN')];
  const secret = settings.matching(
    'BACKROOM_SECRET',
    HEX_KEY,
    'must be 64 hexadecimal digits; use `openssl rand -hex 32`',
  );
  const previousSecret = settings.matching(
    'BACKROOM_SECRET_PREVIOUS',
    HEX_KEY,
    'must be the 64 hexadecimal digits of the other key',
  );
  if (secret === undefined && isPostgres(databaseUrl)) {
    settings.errors.push(
      'BACKROOM_SECRET is required with PostgreSQL, which has no key file beside the database; make one with `openssl rand -hex 32` and keep it',
    );
  }
  return {
    operatorKey,
    metricsToken,
    secret: secret === undefined ? undefined : Buffer.from(secret, 'hex'),
    previousSecret: previousSecret === undefined ? undefined : Buffer.from(previousSecret, 'hex'),
  };
}

/**
 * Reads the mail server and the program that buys carrier labels. No error shows the URL of the mail server or the
 * secret of labels.
 */
function outsideOf(settings: SettingsReader): Pick<Config, 'smtpUrl' | 'mailFrom' | 'labelHook'> {
  settings.both('SMTP_URL', 'MAIL_FROM');
  const smtpUrl = settings.url('SMTP_URL', /^smtps?:$/, 'must be smtps://USER:PASSWORD@HOST, or smtp://HOST:PORT');
  const mailFrom = settings.text('MAIL_FROM');
  if (mailFrom !== undefined && !/^[^\s@<>]+@[^\s@<>]+$/.test(mailFrom)) {
    settings.errors.push(`MAIL_FROM must be an e-mail address alone; it is ${JSON.stringify(mailFrom)}`);
  }
  settings.both('LABEL_URL', 'LABEL_SECRET');
  const url = settings.url('LABEL_URL', /^https?:$/, 'must be a url that begins with https:// or http://');
  // `fetch` sends no request to a URL with a user.
  const { username = '', password = '' } = (url !== undefined && URL.parse(url)) || {};
  if (username + password !== '') {
    settings.errors.push('LABEL_URL must not have a user or password; requests are signed with LABEL_SECRET');
  }
  const secret = settings.matching(
    'LABEL_SECRET',
    /^whsec_[A-Za-z0-9+/]{32,}={0,2}$/,
    'must be whsec_ and base64 of at least 24 bytes; make it with `openssl rand -base64 32`',
  );
  return { smtpUrl, mailFrom, labelHook: url === undefined || secret === undefined ? undefined : { url, secret } };
}

/**
 * Reads the configuration from an environment, and secrets from the files that it names. Empty variables count as
 * unset. Unknown variables that start with `BACKROOM_` are errors, because a misspelled name would have no effect.
 * @throws ConfigError with every error.
 */
export function loadConfig(env: NodeJS.ProcessEnv): Config {
  const settings = new SettingsReader(env);
  const database = databaseOf(settings);
  const address = addressOf(settings);
  const keys = keysOf(settings, database.databaseUrl);
  const outside = outsideOf(settings);
  const logLevel = settings.oneOf('LOG_LEVEL', LOG_LEVELS, 'info');
  const migrate = settings.oneOf('MIGRATE', ['auto', 'manual'], isPostgres(database.databaseUrl) ? 'manual' : 'auto');
  const webhookPlainHttp = settings.oneOf('WEBHOOK_PLAIN_HTTP', ['yes', 'no'], 'no') === 'yes';
  const consoleCache = settings.oneOf('CONSOLE_CACHE', ['on', 'off'], 'on') === 'on';
  const mebibyte = 1024 * 1024;
  const config: Config = {
    ...database,
    ...address,
    ...keys,
    ...outside,
    port: settings.whole('PORT', 0, 65535),
    host: hostOf(settings),
    databasePool: settings.whole('DATABASE_POOL', 1, 500),
    logLevel,
    bodyLimit: settings.whole('BODY_LIMIT', 1024, 64 * mebibyte),
    inboundBodyLimit: settings.whole('INBOUND_BODY_LIMIT', 1024, 64 * mebibyte),
    uploadBodyLimit: settings.whole('UPLOAD_BODY_LIMIT', 1024, 64 * mebibyte),
    requestTimeoutMs: settings.whole('REQUEST_TIMEOUT_MS', 100, 600_000),
    headersTimeoutMs: settings.whole('HEADERS_TIMEOUT_MS', 100, 600_000),
    keepAliveTimeoutMs: settings.whole('KEEP_ALIVE_TIMEOUT_MS', 100, 3_600_000),
    shutdownGraceMs: settings.whole('SHUTDOWN_GRACE_MS', 0, 600_000),
    migrate,
    rateLimit: settings.wholeOrNone('RATE_LIMIT', 1, 1_000_000),
    longBodyRateLimit: settings.wholeOrNone('LONG_BODY_RATE_LIMIT', 1, 1_000_000),
    failedSignInLimit: settings.wholeOrNone('FAILED_SIGN_IN_LIMIT', 1, 1_000_000),
    maxConnections: settings.whole('MAX_CONNECTIONS', 10, 100_000),
    trustProxy: settings.places('TRUST_PROXY'),
    maxInFlight: settings.whole('MAX_IN_FLIGHT', 1, 100_000),
    maxWaitMs: settings.whole('MAX_WAIT_MS', 3, 600_000),
    webhookAllow: settings.places('WEBHOOK_ALLOW'),
    printerAllow: settings.places('PRINTER_ALLOW'),
    webhookPlainHttp,
    webhookTimeoutMs: settings.whole('WEBHOOK_TIMEOUT_MS', 100, 30_000),
    webhookLogDays: settings.whole('WEBHOOK_LOG_DAYS', 1, 3_650),
    accessLogDays: settings.whole('ACCESS_LOG_DAYS', 1, 3_650),
    orderDays: settings.wholeOrNone('ORDER_DAYS', 1, DAYS_MAX),
    eventDays: settings.wholeOrNone('EVENT_DAYS', 1, DAYS_MAX),
    shipmentDays: settings.wholeOrNone('SHIPMENT_DAYS', 1, DAYS_MAX),
    stockDays: settings.wholeOrNone('STOCK_DAYS', 1, DAYS_MAX),
    ediDays: settings.wholeOrNone('EDI_DAYS', 1, DAYS_MAX),
    keyDays: settings.wholeOrNone('KEY_DAYS', 1, DAYS_MAX),
    idempotencyHours: settings.whole('IDEMPOTENCY_HOURS', 1, 24 * 365),
    consoleCache,
    otlp: otlpOf(env, settings.errors),
  };
  if (config.headersTimeoutMs > config.requestTimeoutMs) {
    settings.errors.push('HEADERS_TIMEOUT_MS must not exceed REQUEST_TIMEOUT_MS');
  }
  if (settings.errors.length > 0) throw new ConfigError(settings.errors);
  return Object.freeze(config);
}
