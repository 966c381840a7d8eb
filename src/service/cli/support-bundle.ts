import { once } from 'node:events';
import { accessSync, constants, existsSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import os from 'node:os';
import { dirname } from 'node:path';
import type { Command } from 'commander';
import { type Config, IN_FILES, loadConfig, SETTINGS } from '../../platform/config.ts';
import { useStore } from '../../platform/storage/db.ts';
import { currentVersion, isMade } from '../../platform/storage/migrate.ts';
import { tableNames } from '../../platform/storage/sums.ts';
import { shownUrl } from '../../platform/storage/url.ts';
import { formatDateTime } from '../../platform/time.ts';
import { VERSION } from '../../platform/version.ts';
import { countRows } from '../backup/content.ts';
import { examine } from './doctor.ts';
import type { Finding } from './doctor-finding.ts';
import { tracesFinding } from './doctor-machine.ts';
import { type Io, print } from './io.ts';

/** Time limit for a response of the service, which can hang when a bundle is needed. */
const METRICS_MS = 5_000;

export function add(program: Command, io: Io): void {
  program
    .command('support-bundle')
    .description(
      'Write a file for support: versions, settings without secrets, the target of spans, the findings of doctor, rows of each table, metrics. No personal data.',
    )
    .requiredOption('-o, --output <file>', 'file to create')
    .addHelpText('after', '\nExample:\n  backroom support-bundle -o backroom-support.json')
    .action(({ output }: { output: string }) => run(io, output));
}

async function run(io: Io, output: string): Promise<void> {
  // Fails early: the checks take minutes, and the write would fail after them.
  accessSync(dirname(output), constants.W_OK);
  if (existsSync(output)) throw new Error(`${output} exists already (EEXIST); use a new file name.`);
  const config = loadConfig(io.env);
  const now = io.ports(config).now();
  io.err.write('Examining the database...\n');
  const bundle = {
    madeAt: formatDateTime(now),
    program: { version: VERSION, node: process.versions.node, platform: process.platform, arch: process.arch },
    machine: {
      system: `${os.type()} ${os.release()}`,
      cores: os.availableParallelism(),
      memoryBytes: os.totalmem(),
      freeBytes: os.freemem(),
      load: os.loadavg(),
    },
    settings: settingsOf(io.env),
    database: await databaseOf(config),
    traces: await tracesOf(config),
    doctor: (await examine(config, now)).map(withoutNames),
    metrics: await metricsOf(config),
  };
  writeFileSync(output, `${JSON.stringify(bundle, null, 2)}\n`, { flag: 'wx', mode: 0o600 });
  print(io, `${output} is written. It contains no secrets and no personal data; read it before you send it.`);
}

/**
 * Target and sampling of spans, and whether the packages are installed. The URL is shortened because it can contain a
 * key.
 */
async function tracesOf(config: Config) {
  const { otlp } = config;
  if (otlp === undefined) return { spans: 'off' };
  const { level } = await tracesFinding(config);
  const { url, sampler, ratio } = otlp;
  const packages = level === 'ok' ? 'installed' : 'missing';
  return { spans: 'on', collector: new URL(url).origin, sampler, ratio, packages };
}

/** A finding without file names, which can identify people. */
function withoutNames(found: Finding): Finding {
  if (found.check !== 'imports' || found.level === 'ok') return found;
  return { ...found, found: found.found.replaceAll(/ of .*? \(client /g, ' of a file (client ') };
}

/** Settings that are not secret as a whole, but whose URLs can contain a key. */
const WITH_KEYS = ['LABEL_URL', 'OTEL_EXPORTER_OTLP_ENDPOINT'];

/** The settings that are set, without the values of secrets. The URL of the database has no password. */
function settingsOf(env: NodeJS.ProcessEnv): Record<string, string> {
  const set = SETTINGS.flatMap(({ name }): [string, string][] => {
    // A file replaces the DATABASE_URL of the image and of the units.
    if (env[`${name}_FILE`] && IN_FILES.includes(name)) return [[`${name}_FILE`, 'set']];
    const value = env[name];
    if (!value) return [];
    if (/^DATABASE_(?:READ_)?URL$/.test(name)) return [[name, shownUrl(value)]];
    return [[name, IN_FILES.includes(name) || WITH_KEYS.includes(name) ? 'set' : value]];
  });
  return Object.fromEntries(set);
}

/** Engine, schema and the number of rows of each table, or the reason why they cannot be read. */
async function databaseOf({ databaseUrl }: Config) {
  try {
    if (!(await isMade(databaseUrl))) return undefined;
    return await useStore(databaseUrl, { readers: 1, jobTimeoutMs: 600_000 }, async (store) => ({
      engine: store.engine,
      schema: await currentVersion(store),
      rows: await countRows(store, tableNames()),
    }));
  } catch (error) {
    return { error: (error as Error).message };
  }
}

/** The metrics of the service on this machine, or the reason why they are missing. */
async function metricsOf({ tls, host, port, publicUrl, metricsToken }: Config): Promise<string[]> {
  const name = ['0.0.0.0', '::'].includes(host) ? '127.0.0.1' : host;
  const below = publicUrl === undefined ? '' : new URL(publicUrl).pathname.replace(/\/$/, '');
  const url = `${tls === undefined ? 'http' : 'https'}://${name.includes(':') ? `[${name}]` : name}:${port}${below}/metrics`;
  try {
    const { status, text } = await get(url, metricsToken);
    return status === 200
      ? text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
      : [`${url}: ${status}`];
  } catch (error) {
    const { message, code } = error as NodeJS.ErrnoException;
    return [`${url}: ${message || code}`];
  }
}

/**
 * Sends a GET request without verifying the certificate: the certificate has the public name of the service, not the
 * address of this machine.
 */
async function get(url: string, token: string | undefined): Promise<{ status: number | undefined; text: string }> {
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const options = {
    headers,
    rejectUnauthorized: false,
    agent: false,
    signal: AbortSignal.timeout(METRICS_MS),
  } as const;
  const asked = (url.startsWith('https:') ? https : http).get(url, options);
  const [response] = (await once(asked, 'response')) as [http.IncomingMessage];
  let text = '';
  for await (const chunk of response.setEncoding('utf8')) text += String(chunk);
  return { status: response.statusCode, text };
}
