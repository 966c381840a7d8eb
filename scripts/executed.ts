/** Runs the examples of contract/examples against the small town and tells what was answered, for the OpenAPI document. */
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from '../src/platform/config.ts';
import { createLog } from '../src/platform/log.ts';
import { parseJson, stringifyJson } from '../src/platform/message/json.ts';
import { seededPorts } from '../src/platform/ports.ts';
import { openStore } from '../src/platform/storage/db.ts';
import { loadTown } from '../src/service/demo/town.ts';
import { migrate } from '../src/service/migrate.ts';
import { operations } from '../src/service/operations.ts';
import { createServer, type Server } from '../src/service/server.ts';
import type { Answered } from '../src/service/web/openapi.ts';
import {
  examplesOf,
  expectedBody,
  type Named,
  noteAnswer,
  operationAsked,
  type Sent,
  sentOf,
} from '../test/support/example-files.ts';

const OPERATOR_KEY = 'operator-key-of-the-examples';
/** Noon of a working day; the town was loaded half an hour before. */
const NOON = Date.UTC(2026, 2, 2, 12);
const LOADED_AT = NOON - 30 * 60_000;
const REQUEST_ID = '019ca8c1-7000-7000-8000-00000000e0a1';

export interface Executed {
  answered: Answered[];
  /** The first event of each type, as a webhook gets it. */
  events: { type: string }[];
}

type Send = (request: Sent) => Promise<{ status: number; body: unknown; cookies?: string | string[] | undefined }>;

/** Runs every example, those of an operation against a town of their own. What varies is the same each time. */
export async function executeExamples(): Promise<Executed> {
  const folder = mkdtempSync(join(tmpdir(), 'backroom-examples-'));
  try {
    const template = join(folder, 'town.db');
    const named = await buildTown(template);
    const answered: Answered[] = [];
    const events = new Map<string, { type: string }>();
    for (const { id } of operations) {
      const file = join(folder, `${id}.db`);
      copyFileSync(template, file);
      const { server, send } = await serve(file, NOON, id);
      answered.push(...(await answersOf(id, named, send)));
      for (const event of await eventsOf(send)) if (!events.has(event.type)) events.set(event.type, event);
      await server.close();
    }
    return { answered, events: [...events.values()] };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function answersOf(operationId: string, named: Named, send: Send): Promise<Answered[]> {
  const answered: Answered[] = [];
  const here: Named = { ...named, last: {}, cookies: new Map() };
  for (const example of examplesOf(operationId)) {
    const { status, body, cookies } = await send(sentOf(here, OPERATOR_KEY, example));
    noteAnswer(here, cookies, body);
    if (operationAsked(example)?.id !== operationId) continue;
    // Where the file has a value it is shown, so that the document changes with the files and not with each new identifier.
    const shown = example.reply.body === undefined ? body : expectedBody(here, example, body);
    answered.push({ operationId, name: example.name, status, ...(body !== undefined && { body: shown }) });
  }
  return answered;
}

async function eventsOf(send: Send): Promise<{ type: string; at: string }[]> {
  const headers = { authorization: `Bearer ${OPERATOR_KEY}` };
  const { body } = await send({ method: 'GET', path: '/operator/v1/events?clientId=TOWN&limit=500', headers });
  const { events } = body as { events: { type: string; at: string }[] };
  return events.map((event) => ({ ...event, timestamp: event.at }));
}

async function buildTown(file: string): Promise<Named> {
  const { server, store, send } = await serve(file, LOADED_AT, 'town');
  const { orders, tickets, requests, credential } = await loadTown(
    (method, path, { as, body }) => {
      const authorization =
        as === 'operator'
          ? `Bearer ${OPERATOR_KEY}`
          : `Basic ${Buffer.from(`${as.username}:${as.password}`).toString('base64')}`;
      const headers = { authorization, ...(as !== 'operator' && { apikey: as.apiKey }) };
      return send({ method, path, headers, ...(body !== undefined && { body }) });
    },
    { now: LOADED_AT },
  );
  await store.backup(`${file}.whole`);
  await server.close();
  copyFileSync(`${file}.whole`, file);
  return { orders, tickets, requests, credential, last: {}, cookies: new Map() };
}

async function serve(file: string, now: number, seed: string) {
  const databaseUrl = `sqlite:${file}`;
  const config = loadConfig({
    DATABASE_URL: databaseUrl,
    BACKROOM_OPERATOR_KEY: OPERATOR_KEY,
    BACKROOM_SECRET: 'ab'.repeat(32),
    LOG_LEVEL: 'silent',
  });
  const clock = { now };
  await migrate(databaseUrl, { now: () => now });
  const store = await openStore(databaseUrl);
  const server = await createServer(config, seededPorts(seed, clock, createLog('silent')), store, { clock });
  return { server, store, send: sender(server) };
}

function sender({ app }: Server): Send {
  return async ({ method, path, headers, body, raw }) => {
    const payload = raw ?? (body === undefined ? undefined : stringifyJson(body));
    const response = await app.inject({
      method,
      url: path,
      headers: {
        'x-request-id': REQUEST_ID,
        ...(payload !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(payload !== undefined && { payload }),
    });
    const answer = response.payload === '' ? undefined : parseJson(response.payload);
    return { status: response.statusCode, body: answer, cookies: response.headers['set-cookie'] };
  };
}
