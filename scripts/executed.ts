/** Runs the examples of contract/examples against the small town. Returns the responses for the OpenAPI document. */
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from '../src/platform/config.ts';
import { createLog } from '../src/platform/log.ts';
import { seededPorts } from '../src/platform/ports.ts';
import { openStore } from '../src/platform/storage/db.ts';
import { loadTown } from '../src/service/demo/town.ts';
import { migrate } from '../src/service/migrate.ts';
import { operations } from '../src/service/operations.ts';
import { createServer } from '../src/service/server.ts';
import type { Answered } from '../src/service/web/openapi.ts';
import { type Answer, type Call, operatorHeaders, townCall } from '../town/call.ts';
import {
  examplesOf,
  expectedBody,
  type Named,
  noteAnswer,
  operationAsked,
  sentOf,
  WITHOUT_CREDENTIAL,
} from '../town/example-files.ts';
import { inject } from '../town/in-process.ts';

const OPERATOR_KEY = 'operator-key-of-the-examples';
/** Noon of a working day. The town is loaded half an hour before. */
const NOON = Date.UTC(2026, 2, 2, 12);
const LOADED_AT = NOON - 30 * 60_000;
const REQUEST_ID = '019ca8c1-7000-7000-8000-00000000e0a1';

export interface Executed {
  answered: Answered[];
  /** The first event of each type, in the form of a webhook delivery. */
  events: { type: string }[];
}

type Send = (request: Call) => Promise<Answer>;

/**
 * Runs every example, with a new town for each operation. Clock and randomness are fixed, so every run has the same
 * result.
 */
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
    const { status, body, headers } = await send(sentOf(here, OPERATOR_KEY, example));
    noteAnswer(here, headers['set-cookie'], body);
    if (operationAsked(example)?.id !== operationId || example.name === WITHOUT_CREDENTIAL) continue;
    // Values in the file of the example replace the values of the response, so that new identifiers do not change the
    // document.
    const shown = example.reply.body === undefined ? body : expectedBody(here, example, body);
    answered.push({ operationId, name: example.name, status, ...(body !== undefined && { body: shown }) });
  }
  return answered;
}

async function eventsOf(send: Send): Promise<{ type: string; at: string }[]> {
  const headers = operatorHeaders(OPERATOR_KEY);
  const { body } = await send({ method: 'GET', path: '/operator/v1/events?clientId=TOWN&limit=500', headers });
  const { events } = body as { events: { type: string; at: string }[] };
  return events.map((event) => ({ ...event, timestamp: event.at }));
}

async function buildTown(file: string): Promise<Named> {
  await migrate(`sqlite:${file}`, { now: () => LOADED_AT });
  const { server, store, send } = await serve(file, LOADED_AT, 'town');
  const { credential, ...town } = await loadTown(townCall(send, OPERATOR_KEY), { now: LOADED_AT });
  await store.backup(`${file}.whole`);
  await server.close();
  copyFileSync(`${file}.whole`, file);
  const { orders, tickets, requests, edi, returns, refunds } = town;
  return { orders, tickets, requests, edi, returns, refunds, credential, last: {}, cookies: new Map() };
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
  // Requests are sent one after another, so one read connection is enough.
  const store = await openStore(databaseUrl, { readers: 1 });
  const server = await createServer(config, seededPorts(seed, clock, createLog('silent')), store, { clock });
  const send: Send = (call) => inject(server, { ...call, headers: { 'x-request-id': REQUEST_ID, ...call.headers } });
  return { server, store, send };
}
