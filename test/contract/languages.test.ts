import { globSync, readFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type OpenTown, openTown } from '../support/town.ts';

let town: OpenTown;
beforeAll(async () => {
  town = await openTown({ upTo: 'returns' });
});
afterAll(() => town.close());

const ORDERS = '/operator/v1/stores/TOWN_US/fulfillmentOrders';
const NODE = '/stores/TOWN_US/nodes/TOWN-Store001';
const NO_TICKET = `/operator/v1${NODE}/pickTickets/T-0/takeOver`;
const TAKE_OVER = { modifyAssociateId: 'mara', userId: 'mara', fromUserId: 'ben' };

/** Sends a request of the client in a language. */
function send(language: string | undefined, method: 'GET' | 'POST', path: string, body?: unknown, more = {}) {
  const headers = { ...town.client.headers, ...(language !== undefined && { 'accept-language': language }), ...more };
  return town.call({ method, path, headers, ...(body !== undefined && { body }) });
}

describe('an error', () => {
  it('is in the language of Accept-Language, with Content-Language and Vary', async () => {
    const { status, body, headers } = await send('de-CH, en;q=0.5', 'POST', NO_TICKET, TAKE_OVER);
    expect(status).toBe(404);
    expect(body.detail).toBe('Den Schein "T-0" gibt es in dieser Filiale nicht; prüfen Sie die Nummer.');
    expect(body.code).toBe('NOT_FOUND');
    expect(headers['content-language']).toBe('de');
    expect(headers['vary']).toBe('accept-language');
  });

  it('is in Spanish for a caller of that language', async () => {
    const { body, headers } = await send('es', 'POST', NO_TICKET, TAKE_OVER);
    expect(body.detail).toBe('No hay ninguna hoja "T-0" en esta tienda; compruebe el número.');
    expect(headers['content-language']).toBe('es');
  });

  it.each([undefined, 'fr', 'fr-FR, *;q=0.1', 'en-GB'])('is in English for %j', async (language) => {
    const { body, headers } = await send(language, 'POST', NO_TICKET, TAKE_OVER);
    expect(body.detail).toBe('There is no pick ticket "T-0" of this store and node; check its id.');
    expect(headers['content-language']).toBe('en');
    expect(headers['vary']).toBe('accept-language');
  });

  it('has its list of errors, its subject and its hint in one language', async () => {
    const { status, body } = await send('de', 'POST', `${ORDERS}/${town.orders.waiting}/cancel`, {
      reasonCode: 7,
      lines: [{ webLineId: '', quantity: 0 }],
      reason: 'x',
    });
    expect(status).toBe(400);
    expect(body.errors.map(({ message }: { message: string }) => message)).toEqual([
      expect.stringMatching(/^'reasonCode' muss ein Text sein \(erhalten: 7\)$/),
      expect.stringMatching(/^unbekanntes Feld 'reason'; /),
      expect.stringMatching(/^'webLineId' ist leer; senden Sie mindestens 1 Zeichen \(erhalten: ""\)$/),
      expect.stringMatching(/^'quantity' muss mindestens 1 sein \(erhalten: 0\)$/),
    ]);
    expect(body.detail).toBe(`Die Anfrage hat 4 Fehler; der erste: ${body.errors[0].message}`);
  });

  it('of an operation of the interface has the words of its language and the same code', async () => {
    const path = `${NODE}/pickTicket/generate`;
    const german = await send('de', 'POST', path, {});
    const english = await send(undefined, 'POST', path, {});
    expect(german.body.description).toMatch(/^Die Anfrage hat \d Fehler; der erste: 'storeId' fehlt; ergänzen Sie es$/);
    expect(english.body.description).toMatch(/^The request has \d errors; the first: 'storeId' is missing; add it$/);
    expect([german.status, german.body.code]).toEqual([english.status, english.body.code]);
  });

  it('that quotes an English text names both languages in Content-Language', async () => {
    const headers = { ...town.client.headers, 'accept-language': 'de', 'content-type': 'application/json' };
    const { body, headers: sent } = await town.call({
      method: 'POST',
      path: `${NODE}/pickTicket/generate`,
      headers,
      raw: '{"a":',
    });
    expect(JSON.stringify(body)).toContain('der Inhalt ist kein gültiges JSON: the text ends');
    expect(sent['content-language']).toBe('de, en');
  });

  it('without access is in the language, too', async () => {
    const { status, body } = await send('de', 'GET', '/operator/v1/stores/ELSEWHERE/fulfillmentOrders/1');
    expect(status).toBe(403);
    expect(body.detail).toBe(
      'Sie haben darauf keinen Zugriff: der Mandant hat diesen Webshop, Standort oder Verkäufer nicht; prüfen Sie den Namen.',
    );
  });
});

describe('a response', () => {
  it('has the reasons of its blocked actions in the language of the request', async () => {
    const path = `${ORDERS}/${town.orders.waiting}`;
    const { body, headers } = await send('de', 'GET', path);
    const { reason } = body.allowedActions.find(({ action }: { action: string }) => action === 'handOver');
    expect(reason).toMatch(/^der Auftrag ist 1100 /);
    expect(headers['content-language']).toBe('de');
    expect(headers['vary']).toMatch(/\baccept-language\b/);
  });

  it('without a sentence has neither Content-Language nor Vary by language', async () => {
    const { status, headers } = await send('de', 'GET', '/operator/v1/clients/TOWN/stores');
    expect(status).toBe(200);
    expect(headers['content-language']).toBeUndefined();
    expect(headers['vary'] ?? '').not.toMatch(/language/);
  });

  it('that is compressed varies by both headers', async () => {
    const { headers } = await send('de', 'GET', `${ORDERS}/${town.orders.waiting}`, undefined, {
      'accept-encoding': 'gzip',
    });
    expect(headers['vary']).toMatch(/^accept-language(, accept-encoding)?$/);
  });

  it('to a retry is the stored one, in its first language', async () => {
    const path = `${ORDERS}/${town.orders.waiting}/change`;
    const change = { changeId: 'call-1', userId: 'mara', note: 'Ring twice' };
    const retry = { 'idempotency-key': 'change-in-german' };
    const first = await send('de', 'POST', path, change, retry);
    const again = await send('es', 'POST', path, change, retry);
    expect(first.status).toBe(200);
    expect(first.text).toMatch(/der Auftrag ist /);
    expect(again.headers['idempotent-replayed']).toBe('true');
    expect(again.text).toBe(first.text);
    expect([first, again].map(({ headers }) => headers['content-language'])).toEqual(['de', 'de']);
    expect(again.headers['vary']).toBe('accept-language');
  });
});

describe('the sentences of a room', () => {
  const files = globSync('src/**/*.ts').sort();
  const tables = files.filter((file) => basename(file) === 'sentences.ts');
  const rowsOf = (text: string) => [...text.matchAll(/^ {2}(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"|(\w+)): \{/gm)];

  it.each(tables)('are all said in its files: %s', (table) => {
    const said = files
      .filter((file) => file !== table && file.startsWith(`${dirname(table)}/`))
      .map((file) => readFileSync(file, 'utf8'))
      .join('\n');
    const templates = rowsOf(readFileSync(table, 'utf8')).map(([, single, double, word]) => single ?? double ?? word!);
    expect(templates.length).toBeGreaterThan(0);
    expect(templates.filter((one) => !said.includes(`'${one}'`) && !said.includes(`"${one}"`))).toEqual([]);
  });

  it.each(tables)('have every value in each language, but paths and English words: %s', (table) => {
    const text = readFileSync(table, 'utf8');
    const lost = [...text.matchAll(/^ {2}(['"]?)(.*)\1: \{\n\s+de:\s+(.*),\n\s+es:\s+(.*),\n/gm)].flatMap(
      ([, , english, de, es]) => {
        const values = [...english!.matchAll(/\{(\w+)\}/g)].map(([value]) => value);
        return values.filter((value) => ![de!, es!].every((one) => one.includes(value)));
      },
    );
    expect(lost.filter((value) => !LEFT_OUT.has(value))).toEqual([]);
  });

  /**
   * Placeholders that the German and Spanish sentences omit: the sentence has words for the value, or the console shows
   * the value next to the sentence.
   */
  const LEFT_OUT = new Set(['{path}', '{who}', '{kind}', '{reset}']);

  it('are in English only where no screen shows them; the list only gets shorter', () => {
    const counts = files.flatMap((file) => {
      const text = readFileSync(file, 'utf8');
      const count = [...text.matchAll(/(?<!function )\binEnglish\(/g)].length;
      return count === 0 ? [] : [[file, count] as const];
    });
    expect(Object.fromEntries(counts)).toEqual(IN_ENGLISH);
  });
});

/**
 * Number of sentences that exist only in English, by file. They are about the order intake, announced ASNs and POs,
 * imports by commands, malformed HTTP and JSON, OAuth, metrics, examples of the OpenAPI document, and GS1 codes. The
 * console has its own texts for errors of GS1 codes.
 */
const IN_ENGLISH: Record<string, number> = {
  'src/orders/exchanges.ts': 1,
  'src/orders/intake-rules.ts': 25,
  'src/orders/intake.ts': 3,
  'src/platform/http/body.ts': 3,
  'src/platform/http/framework.ts': 9,
  'src/platform/http/headers.ts': 2,
  'src/platform/http/oauth.ts': 1,
  'src/platform/http/page.ts': 3,
  'src/platform/http/query.ts': 1,
  'src/platform/message/explain.ts': 1,
  'src/receiving/faults.ts': 2,
  'src/receiving/replace.ts': 2,
  'src/service/import/sink-inbound.ts': 4,
  'src/service/import/sink-stock.ts': 4,
  'src/service/import/sinks.ts': 6,
  'src/service/web/openapi/errors.ts': 2,
  'src/service/web/status.ts': 1,
  'src/work/scan.ts': 1,
};
