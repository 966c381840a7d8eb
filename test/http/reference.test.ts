/** The reference page: its samples run unchanged, and only a browser on this machine gets the demo's credentials. */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CodeSample } from '../../src/service/web/samples.ts';
import { type ListeningTown, listenTown } from '../docs/listening.ts';
import { openBackroom } from '../support/backroom.ts';
import { hasLanguage } from '../support/languages.ts';

let listening: ListeningTown;
let operations: { operationId: string; tags: string[]; 'x-codeSamples': CodeSample[] }[];
let groups: { name: string; tags: string[] }[];
const folder = mkdtempSync(join(tmpdir(), 'backroom-samples-'));

beforeAll(async () => {
  listening = await listenTown();
  const response = await listening.town.server.app.inject('/docs/openapi.json');
  const document = response.json();
  operations = Object.values(document.paths).flatMap((methods) => Object.values(methods as object));
  groups = document['x-tagGroups'];
});
afterAll(async () => {
  await listening.town.close();
  rmSync(folder, { recursive: true });
});

const COMMANDS: Record<CodeSample['lang'], readonly [file: string, command: string]> = {
  Shell: ['sample.sh', 'bash'],
  TypeScript: ['sample.ts', process.execPath],
  Python: ['sample.py', 'python3'],
  Java: ['Sample.java', 'java'],
};

async function run(operationId: string, lang: CodeSample['lang'], wrong: Record<string, string> = {}): Promise<string> {
  const samples = operations.find((operation) => operation.operationId === operationId)!['x-codeSamples'];
  const [file, command] = COMMANDS[lang];
  writeFileSync(join(folder, file), samples.find((sample) => sample.lang === lang)!.source);
  const env = { ...process.env, ...listening.env, ...wrong };
  const { stdout } = await promisify(execFile)(command, [file], { cwd: folder, env }).catch((error: unknown) => {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    throw new Error(`${stdout}${stderr}`);
  });
  return stdout;
}

describe('the reference page', () => {
  it('has every tag in one group, and a sample of every operation in four languages', () => {
    const jobs = new Set(operations.flatMap(({ tags }) => tags));
    const grouped = groups.flatMap(({ tags }) => tags);
    expect(grouped.filter((tag, index) => grouped.indexOf(tag) !== index)).toEqual([]);
    expect([...jobs].filter((tag) => !grouped.includes(tag))).toEqual([]);
    expect(groups.map(({ name }) => name)).not.toContain('More');
    // Session operations have no sample: they need the cookies of a browser.
    for (const operation of operations.filter(({ tags }) => !tags.includes('Sessions'))) {
      expect(operation['x-codeSamples'].map(({ lang }) => lang)).toEqual(['Shell', 'TypeScript', 'Python', 'Java']);
    }
  });

  const languages = (Object.keys(COMMANDS) as CodeSample['lang'][]).filter((lang) => hasLanguage(COMMANDS[lang][1]));

  it.each(languages)(
    'has samples in %s that run unchanged',
    async (lang) => {
      // The samples have one operation for each kind of credential, and operations without a body, with JSON and with a
      // file.
      expect(JSON.parse(await run('readItem', lang))).toMatchObject({ itemId: '21-MUG-WHT' });
      expect(JSON.parse(await run('putItem', lang))).toMatchObject({ itemId: '21-DEMO-1' });
      expect(JSON.parse(await run('uploadItems', lang))).toMatchObject({ fileName: 'items.csv' });
      expect(JSON.parse(await run('searchQueue', lang))).toHaveProperty('fulfillmentOrders');
      expect(JSON.parse(await run('putClient', lang))).toMatchObject({ clientId: 'NEXT' });
    },
    120_000,
  );

  it.each(languages)(
    'has samples in %s that fail when the service rejects the request',
    async (lang) => {
      await expect(run('readItem', lang, { API_KEY: 'br_TOWN_wrong' })).rejects.toThrow('CREDENTIALS_INVALID');
    },
    60_000,
  );
});

describe('credentials for "try it"', () => {
  const tryCredentials = { apiKey: 'a', username: 'b', password: 'c', operatorKey: 'd' };
  const ask = async (host: string, remoteAddress: string, given?: typeof tryCredentials) => {
    const backroom = await openBackroom({}, { tryCredentials: given && (() => given) });
    const response = await backroom.server.app.inject({ url: '/docs/try.json', headers: { host }, remoteAddress });
    await backroom.close();
    return response.json();
  };

  it('are sent only by the demo, to a browser on its machine', async () => {
    const given = await ask('localhost:8080', '127.0.0.1', tryCredentials);
    expect(given).toHaveProperty('operatorKey', { token: 'd' });
    expect(await ask('localhost:8080', '127.0.0.1')).toEqual({});
    // Another host name that resolves to this machine, as in DNS rebinding.
    expect(await ask('evil.example', '127.0.0.1', tryCredentials)).toHaveProperty('code', 'MISDIRECTED_REQUEST');
    expect(await ask('localhost:8080', '10.0.0.7', tryCredentials)).toEqual({});
  });
});

describe('the people of a demo', () => {
  const people = [{ role: 'associate', clientId: 'TOWN', userId: 'ana', name: 'Ana Ruiz', password: 'secret-of-ana' }];
  const ask = async (host: string, given?: typeof people) => {
    const backroom = await openBackroom({}, { tryPeople: given && (() => given) });
    const { app } = backroom.server;
    const response = await app.inject({ url: '/console/demo-people', headers: { host }, remoteAddress: '127.0.0.1' });
    await backroom.close();
    return { status: response.statusCode, body: response.json<unknown>(), headers: response.headers };
  };

  it('are offered by the sign-in page of a demo to a browser on its machine, and by no other service', async () => {
    const given = await ask('localhost:8080', people);
    expect(given).toMatchObject({ status: 200, body: { people }, headers: { 'cache-control': 'no-store' } });
    expect((await ask('evil.example', people)).status).toBe(421);
    expect((await ask('localhost:8080')).status).toBe(404);
  });
});
