/** `backroom demo`: the service on loopback with the small town loaded, and a curl line for every operation. */
import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Command, Option } from 'commander';
import { loadConfig } from '../../platform/config.ts';
import { parseJson, stringifyJson } from '../../platform/message/json.ts';
import { type Ports, seededPorts } from '../../platform/ports.ts';
import type { ManualClock } from '../../platform/sandbox-clock.ts';
import { openStore } from '../../platform/storage/db.ts';
import { takeServing } from '../../platform/storage/serving.ts';
import { DAY_MS, formatDateTime } from '../../platform/time.ts';
import { loadArrivals } from '../demo/arrivals.ts';
import {
  clockStops,
  curlLine,
  type Devices,
  type Stop,
  sessionStops,
  titleOf,
  tourStops,
  tourVariables,
} from '../demo/tour.ts';
import { loadTown, type Secrets, type Town, type TownCall } from '../demo/town.ts';
import { migrate } from '../migrate.ts';
import { createServer, type Server } from '../server.ts';
import type { TryPerson } from '../web/console.ts';
import type { TryCredentials } from '../web/docs.ts';
import { type Io, print, wholeFrom } from './io.ts';
import { stopped } from './serve.ts';

export function addDemo(program: Command, io: Io): void {
  program
    .command('demo')
    .description('Serve the small town on 127.0.0.1 with fresh data, and print a curl line for every operation.')
    .option(
      '--port <number>',
      'port to listen on (default: PORT, or 8080); if it is in use, a free one is used',
      wholeFrom(0, 65_535),
    )
    .option('--data <folder>', 'keep the database in this folder (default: a fresh one, removed at the end)')
    .addOption(
      new Option(
        '--clock <clock>',
        'manual: time starts on a Monday morning and moves only with POST /operator/v1/sandbox/clock',
      )
        .choices(['system', 'manual'])
        .default('system'),
    )
    .addHelpText('after', '\nExample:\n  backroom demo --port 8080')
    .action(async ({ port, data, clock }: { port?: number; data?: string; clock: 'system' | 'manual' }) => {
      const ports = io.ports({ logLevel: 'warn' });
      const server = await startDemo({
        port: port ?? loadConfig({ PORT: io.env.PORT }).port,
        ...(data !== undefined && { data }),
        print: (line) => print(io, line),
        ...(clock === 'manual' ? sandboxPorts(ports.log) : { ports }),
      });
      await stopped(io.signal);
      await server.close();
    });
}

/** 2026-01-05, 9:00 local time of the town. */
const SANDBOX_STARTS = Date.UTC(2026, 0, 5, 14);

const ID_BYTES = 8;

/** Ports that make the results of requests repeatable: a manual clock, and fixed identifiers. */
export function sandboxPorts(log: Ports['log']): Pick<DemoOptions, 'ports'> & { clock: ManualClock } {
  const clock = { now: SANDBOX_STARTS };
  const seeded = seededPorts('sandbox', clock, log);
  // Identifiers are short and fixed. Longer values are secrets, which must differ between sandboxes.
  const bytes = (size: number) => (size <= ID_BYTES ? seeded.randomBytes(size) : randomBytes(size));
  return { clock, ports: { ...seeded, randomBytes: bytes } };
}

export interface DemoOptions {
  /** The port to use. With 0, or if the port is in use, the demo uses a free port. */
  port: number;
  /** Folder of the database, which must not contain one yet; default: a new folder that is removed at the end. */
  data?: string;
  print: (line: string) => void;
  ports: Ports;
  /** Clock of `ports`, if it is manual. */
  clock?: ManualClock;
}

/** Starts the demo and prints how to call it; returns the running server. */
export async function startDemo(options: DemoOptions): Promise<Server> {
  const { ports, clock } = options;
  const folder = options.data ?? mkdtempSync(join(tmpdir(), 'backroom-demo-'));
  const file = join(folder, 'backroom.db');
  // The users of a loaded town would get other passwords.
  if (existsSync(file)) {
    throw new Error(
      `${folder} has a database already: serve it with DATABASE_URL=sqlite:${file} backroom serve, or name another folder.`,
    );
  }
  const operatorKey = ports.randomBytes(24).toString('base64url');
  const config = loadConfig({
    PORT: String(options.port),
    DATABASE_URL: `sqlite:${file}`,
    BACKROOM_OPERATOR_KEY: operatorKey,
    LOG_LEVEL: 'warn',
    // Visitors try webhooks with a receiver on their own machine, because the demo listens on loopback only.
    WEBHOOK_ALLOW: 'loopback',
    WEBHOOK_PLAIN_HTTP: 'yes',
  });
  const giveBack = takeServing(config.databaseUrl);
  await migrate(config.databaseUrl, { now: ports.now });
  const store = await openStore(config.databaseUrl);
  const given: { credentials?: TryCredentials; people?: readonly TryPerson[] } = {};
  // Some orders of the town are days old, so the clock is set back during their intake.
  const shift = { ms: 0 };
  const shifted: Ports = { ...ports, now: () => ports.now() - shift.ms };
  const server = await createServer(config, shifted, store, {
    tryCredentials: () => given.credentials,
    tryPeople: () => given.people,
    ...(clock && { clock }),
  });
  const close = async () => {
    await server.close();
    giveBack();
    if (options.data === undefined) rmSync(folder, { recursive: true, force: true });
  };
  try {
    const address = await listen(server);
    const call = caller(address, operatorKey);
    const goBack = async (days: number) => {
      shift.ms = days * DAY_MS;
      if (days === 0) await server.runDue();
      return shifted.now();
    };
    const town = await loadTown(call, {
      now: ports.now(),
      // A manual clock is not set back. With a manual clock the scheduler is idle, so it would not run work that becomes
      // due for the old orders.
      ...(clock === undefined && { goBack }),
      password: () => ports.randomBytes(12).toString('base64url'),
      pictures: true,
    });
    await loadArrivals(call, town.credential, ports.now());
    const spare = (
      await call('POST', '/operator/v1/clients/TOWN/credentials', { as: 'operator', body: { label: 'Spare' } })
    ).body as Secrets;
    const pins = await givePins(call, town);
    const devices = await makeDevices(call, address);
    given.credentials = { ...town.credential, operatorKey };
    given.people = Object.values(town.people).map(({ role, clientId, userId, name, password }) => ({
      role,
      ...(clientId !== undefined && { clientId }),
      userId,
      name,
      password,
    }));
    const made = { town, pins, spare, devices };
    for (const line of describe(address, folder, operatorKey, made, ports.now(), clock !== undefined))
      options.print(line);
  } catch (error) {
    // An open server would keep the process running.
    await close();
    // A next start rejects a folder that has a database, and no user could sign in with the passwords of this one.
    for (const end of ['', '-wal', '-shm']) rmSync(`${file}${end}`, { force: true });
    throw error;
  }
  return { ...server, close };
}

/** Gives a one-time PIN to each user of shared devices. Returns the PINs by login. */
async function givePins(call: TownCall, { people }: Town): Promise<Record<string, string>> {
  const pins: Record<string, string> = {};
  for (const { userId } of [people.associate, people.lead, people.manager, people.clerk]) {
    const { body } = await call('POST', `/operator/v1/clients/TOWN/users/${userId}/pin`, { as: 'operator' });
    pins[userId] = (body as { pin: string }).pin;
  }
  return pins;
}

/** Enrolls a device for the tour to revoke, and makes the code to enroll another device. */
async function makeDevices(call: TownCall, address: string): Promise<Devices> {
  const codes = '/operator/v1/clients/TOWN/nodes/TOWN-Store001/deviceCodes';
  const makeCode = async () => ((await call('POST', codes, { as: 'operator' })).body as { code: string }).code;
  const response = await fetch(`${address}/session/device`, {
    method: 'POST',
    headers: { origin: address, 'content-type': 'application/json' },
    body: JSON.stringify({ code: await makeCode(), name: 'Handheld 6' }),
  });
  const { deviceId } = (await response.json()) as { deviceId: string };
  return { deviceId, code: await makeCode() };
}

async function listen(server: Server): Promise<string> {
  try {
    return await server.listen();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    return server.listen(0);
  }
}

function caller(address: string, operatorKey: string): TownCall {
  return async (method, path, { as, body, x12 }) => {
    const credentials =
      as === 'operator'
        ? { authorization: `Bearer ${operatorKey}` }
        : {
            authorization: `Basic ${Buffer.from(`${as.username}:${as.password}`).toString('base64')}`,
            apikey: as.apiKey,
          };
    const response = await fetch(`${address}${path}`, {
      method,
      headers: {
        ...credentials,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(x12 !== undefined && { 'content-type': 'application/edi-x12' }),
      },
      ...(body !== undefined && { body: stringifyJson(body) }),
      ...(x12 !== undefined && { body: x12 }),
    });
    const text = await response.text();
    return { status: response.status, body: text === '' ? undefined : parseJson(text) };
  };
}

function describe(
  address: string,
  folder: string,
  operatorKey: string,
  {
    town,
    pins,
    spare,
    devices,
  }: { town: Town; pins: Readonly<Record<string, string>>; spare: Secrets; devices: Devices },
  now: number,
  isSandbox: boolean,
): string[] {
  const variables = tourVariables(address, town.credential, operatorKey, join(folder, 'cookies.txt'));
  const lines = (stops: readonly Stop[]) => stops.flatMap((stop) => [`# ${titleOf(stop)}`, curlLine(stop)]);
  return [
    `Backroom listens on ${address} (reference: ${address}/docs); its data is in ${folder}`,
    'The small town is loaded: client TOWN, store TOWN_US, node TOWN-Store001.',
    ...(isSandbox ? [`It is ${formatDateTime(now)} until you move the clock.`] : []),
    '',
    `# Sign in at ${address}/console/ as one of these people of client TOWN (the operator has no client):`,
    ...Object.values(town.people).map(({ role, userId, password }) => {
      const pin = pins[userId];
      const shown = pin === undefined ? '' : `  one-time PIN ${pin}`;
      return `# ${role.padEnd(10)}  user ${userId.padEnd(4)}  password ${password}${shown}`;
    }),
    '',
    '# Credentials, for the lines below:',
    ...Object.entries(variables).map(([name, value]) => `export ${name}='${value}'`),
    '',
    '# One line for every operation; each works once, in this order:',
    ...lines(tourStops(town, now, spare)),
    '',
    '# The same for a person, with the cookies of a browser (the code for a device is valid for ten minutes):',
    ...lines(sessionStops(devices)),
    '# Passkeys are created and used in a browser: sign in with them at /console/.',
    // The lines of the clock come last, because a move of the clock would expire the code of the device.
    ...(isSandbox ? ['', '# The clock of this town; only these lines move it:', ...lines(clockStops())] : []),
    '',
    'Stop with Ctrl+C.',
  ];
}
