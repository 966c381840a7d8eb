import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CLIENT, faultsIn, type Loose, openProbe, type Probe, STORE } from './whole-item.ts';

let probe: Probe;
beforeAll(async () => {
  probe = await openProbe();
});
afterAll(() => probe.close());

const PATH = `/item-service/clients/${CLIENT}/upload`;
const HEADER = 'clientId,catalogId,clientItemId,itemId,type,salesClass,styleId,taxCode';
const row = (id: string, ...more: string[]) =>
  [CLIENT, '21', id, `21-${id}`, 'MERCH', 'stock', '', '', ...more].join(',');
const rows = (count: number) => Array.from({ length: count }, (_, index) => row(`U${index}`));

function upload(content: string | Buffer, headers: Record<string, string> = {}) {
  const raw = Buffer.concat([
    Buffer.from(
      '--b\r\nContent-Disposition: form-data; name="filename"; filename="items.csv"\r\nContent-Type: text/csv\r\n\r\n',
    ),
    Buffer.from(content),
    Buffer.from('\r\n--b--\r\n'),
  ]);
  return probe.probe.call({
    method: 'POST',
    path: PATH,
    raw,
    headers: { 'content-type': 'multipart/form-data; boundary=b', ...headers },
  });
}

const messages = (body: Loose) =>
  (body.errItemList.entry as Loose[]).map((entry) => [entry.key, entry.value.errMsg] as [string, string[]]);

describe('upload items', () => {
  it('stores valid records and returns their count', async () => {
    const answer =
      await upload(`${HEADER},description,hierarchy.deptNumber,hierarchy.subDeptNumber,hierarchy.classNumber,hierarchy.subClassNumber,upcs.0.upcType,upcs.0.upc,unitCost.currency,unitCost.value,infiniteInventory
${row('CSV', '"A mug, white"', '992', '998', '1', '2', 'A', '400000000015', 'USD', '9999999999999999999.99', 'TRUE')}
`);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      fileName: 'items.csv',
      itemCount: 1,
      uploadedItemCount: 1,
      rejectedItemCount: 0,
      uploadedTime: '2026-03-02T12:00:00+00:00',
      errItemList: { entry: [] },
    });
    const item = await probe.read('21-CSV');
    expect(item.body).toMatchObject({
      description: 'A mug, white',
      styleId: '',
      hierarchy: { deptNumber: 992, subDeptNumber: 998, classNumber: 1, subClassNumber: 2 },
      upcs: [{ upcType: 'A', upc: '400000000015' }],
      infiniteInventory: true,
    });
    expect(item.text).toContain('"value":9999999999999999999.99');
  });

  it('returns 200 also with rejected records, each with all its errors and its line', async () => {
    const answer = await upload(
      [
        `${HEADER},description,bundle`,
        row('GOOD', 'x', ''),
        row('BAD', '"two\nlines"', 'maybe').replace('stock', 'never'),
        row('LAST', 'x', 'false'),
      ].join('\n'),
    );
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ itemCount: 3, uploadedItemCount: 2, rejectedItemCount: 1 });
    const [[key, errMsg]] = messages(answer.body) as [[string, string[]]];
    expect(key).toBe('21-BAD');
    expect(errMsg).toHaveLength(2);
    expect(errMsg[0]).toMatch(/^line 3: 'bundle' must be true or false \(got "maybe"\)/);
    expect(errMsg[1]).toMatch(/^line 3: 'salesClass' must be one of/);
    expect((await probe.read('21-BAD')).status).toBe(404);
    expect((await probe.read('21-LAST')).status).toBe(200);
  });

  it('names the line of a record without itemId, with a cell too many or too few, or with an item sent twice', async () => {
    const answer = await upload(
      [HEADER, row('').replace('21-,', ','), row('WIDE', 'extra'), row('SAME'), '', row('SAME')].join('\r\n'),
    );
    const refused = messages(answer.body);
    expect(refused.map(([key]) => key)).toEqual(['line 2', '21-WIDE', '21-SAME']);
    expect(refused[0]![1].join()).toContain("'itemId' is missing");
    expect(refused[1]![1]).toEqual([
      'line 3: the record has 9 cells, but the header has 8; quote cells that contain a separator',
    ]);
    expect(refused[2]![1]).toEqual(["line 6: 'itemId' is already on line 4; send an item once"]);
  });

  it('checks what a put checks, stored bundles included', async () => {
    const header = `${HEADER},bundle,bundleItems.0.itemId`;
    const answer = await upload(
      [header, row('UB1', 'true', '21-UB2'), row('UB2', 'true', '21-UB1'), row('UB3', '', '21-UB1')].join('\n'),
    );
    expect(messages(answer.body).map(([key, [message]]) => [key, message?.slice(0, 30)])).toEqual([
      ['21-UB2', 'line 3: "21-UB1" contains "21-'],
      ['21-UB3', "line 4: 'bundleItems' is for b"],
    ]);
  });

  it.each(['4E+11', '4,00001E+11', '4.00001E+11'])(
    'rejects %s, which a spreadsheet has made of a bar code, and keeps the right one',
    async (shortened) => {
      await upload(`${HEADER},upcs.0.upcType,upcs.0.upc\n${row('SHORT', 'A', '400000000411')}`);
      const { body } = await upload(`${HEADER},upcs.0.upcType,upcs.0.upc\n${row('SHORT', 'A', `"${shortened}"`)}`);
      const [[key, [message]]] = messages(body) as [[string, [string]]];
      expect(key).toBe('21-SHORT');
      expect(message).toContain(`a spreadsheet has shortened the number to ${shortened}; format the column as text`);
      const { upcs } = (await probe.read('21-SHORT')).body as { upcs: Loose[] };
      expect(upcs.map(({ upc }) => upc)).toEqual(['400000000411']);
    },
  );

  it('accepts 1000 records and rejects 1001 with EXCEED_MAX_COUNT, storing none', async () => {
    const full = await upload([HEADER, ...rows(1000)].join('\n'));
    expect(full.body).toMatchObject({ itemCount: 1000, uploadedItemCount: 1000, rejectedItemCount: 0 });
    const more = await upload([HEADER, row('ONE-MORE'), ...rows(1000)].join('\n'));
    expect(more.status).toBe(400);
    expect(more.body).toMatchObject({
      category: 'VALIDATION',
      code: 'EXCEED_MAX_COUNT',
      description: 'The maximum record count of 1000 has been exceeded',
    });
    expect((await probe.read('21-ONE-MORE')).status).toBe(404);
  });

  it('rejects unknown and repeated columns together, with the nearest name', async () => {
    const answer = await upload(
      `${HEADER},descripton,itemId,upcs.x.upc,__proto__,constructor\n${row('C', '', '', '', '', '')}`,
    );
    expect(answer.status).toBe(400);
    expect(faultsIn(answer)).toEqual([
      '/descripton unknown',
      '/itemId duplicate',
      '/upcs/x/upc unknown',
      '/__proto__ unknown',
      '/constructor unknown',
    ]);
    expect(answer.body.errors[0].message).toContain("did you mean 'description'?");
  });

  it('rejects files that are no CSV of items', async () => {
    const bad: (string | Buffer)[] = [
      '',
      HEADER,
      '\n\n',
      `${HEADER}\n"open`,
      Buffer.from([0x61, 0xff, 0xfe]),
      `${HEADER}\n${row('N\0')}`,
    ];
    for (const content of bad) {
      const answer = await upload(content);
      expect([answer.status, answer.body.code], String(content).slice(-20)).toEqual([400, 'INVALID_REQUEST']);
    }
  });

  it('names the line of a misplaced quote, and how to correct it', async () => {
    const header = `${HEADER},description`;
    const answer = await upload([header, row('A', '"two\nlines"'), row('B', '5" PIPE')].join('\n'));
    expect(answer.status).toBe(400);
    expect(answer.body.errors[0].message).toBe(
      'the file is not a CSV: line 4 begins a record with a quote in the wrong place; ' +
        'quote the whole cell, and double each quote inside it',
    );
  });

  it('reads semicolons and tabs between the columns, also with quoted cells', async () => {
    const other = (id: string, sign: string) =>
      [HEADER, row(id)].join('\r\n').replaceAll(',', sign).replace('stock', `"stock"`);
    for (const content of [
      other('SEMICOLON', ';'),
      `\ufeff${other('MARK', ';')}`,
      other('QUOTED', ';').replaceAll(/\w+Id\b/g, '"$&"'),
      other('TAB', '\t'),
    ]) {
      expect((await upload(content)).body).toMatchObject({ uploadedItemCount: 1, rejectedItemCount: 0 });
    }
  });

  it('reads a file with a byte order mark', async () => {
    expect((await upload(`\ufeff${HEADER}\n${row('BOM')}`)).body.uploadedItemCount).toBe(1);
  });

  describe('in German or Spanish', () => {
    const wrong = [
      HEADER,
      row('DE').replace('stock', 'stok'),
      row('DE'),
      row('DE-2', 'x'),
      row('DE-3').replace('21,', '22,'),
    ];
    const found = [
      ['21-DE', ["Zeile 2: 'salesClass' muss einer von stock, backOrderLimited, "]],
      ['21-DE', ["Zeile 3: 'itemId' steht schon in Zeile 2; senden Sie einen Artikel nur einmal"]],
      ['21-DE-2', ['Zeile 4: die Zeile hat 9 Zellen, die Kopfzeile aber 8; setzen Sie Zellen mit']],
      ['21-DE-3', ["Zeile 5: 'catalogId' muss ein Katalog des Mandanten sein: 21, ABCD, X", "Zeile 5: 'itemId' muss"]],
    ];
    const begins = (body: Loose) =>
      messages(body).map(([key, errMsg], at) => [
        key,
        errMsg.map((message, index) => message.slice(0, found[at]![1]![index]!.length)),
      ]);

    it('lists the errors of records in the language of the request, also if a thread reads the file', async () => {
      const small = await upload(wrong.join('\n'), { 'accept-language': 'de' });
      expect(begins(small.body)).toEqual(found);
      expect(small.headers['content-language']).toBe('de');
      const { body, headers } = await upload(`${wrong.join('\n')}${'\n'.repeat(70_000)}`, { 'accept-language': 'de' });
      expect(body.errItemList).toEqual(small.body.errItemList);
      expect(headers['content-language']).toBe('de');
    });

    it('lists the errors of stored bundles in the language of the request', async () => {
      const header = `${HEADER},bundle,bundleItems.0.itemId`;
      const file = [header, row('ES1', 'true', '21-ES2'), row('ES2', 'true', '21-ES1')].join('\n');
      const { body } = await upload(file, { 'accept-language': 'es' });
      expect(messages(body)[0]![1]).toEqual([
        'línea 3: "21-ES1" contiene "21-ES2", así que el conjunto se contendría a sí mismo; quite uno del otro',
      ]);
    });

    it.each([
      ['', 'die Datei hat keine Zeilen; senden Sie eine Kopfzeile und mindestens eine Zeile'],
      ['itemId,typ\n1,2', "unbekannte Spalte 'typ'; meinten Sie 'type'?"],
      ['itemId,itemId\n1,2', "die Spalte 'itemId' steht zweimal in der Kopfzeile; behalten Sie eine davon"],
      [
        'itemId\n5"',
        'die Datei ist kein CSV: in Zeile 2 beginnt ein Datensatz mit einem Anführungszeichen an falscher',
      ],
      [Buffer.from([0x61, 0xff]), 'die Datei ist kein gültiges UTF-8; speichern Sie sie als UTF-8'],
    ])('says why the file %j is rejected', async (content, words) => {
      const { status, body, headers } = await upload(content, { 'accept-language': 'de' });
      expect([status, headers['content-language']]).toEqual([400, 'de']);
      expect(body.errors[0].message).toContain(words);
    });

    it('says that the file has too many records, and that the form has no file', async () => {
      const german = { 'accept-language': 'de' };
      const many = await upload([HEADER, ...rows(1001)].join('\n'), german);
      expect(many.body.description).toBe('Die Datei hat mehr als 1000 Zeilen; teilen Sie sie auf');
      const headers = { 'content-type': 'multipart/form-data; boundary=b', ...german };
      const empty = await probe.probe.call({ method: 'POST', path: PATH, raw: '--b--\r\n', headers });
      expect([empty.status, empty.headers['content-language']]).toEqual([400, 'de']);
    });
  });

  it('returns 415 for a body that is no form', async () => {
    for (const type of ['application/json', 'text/csv', 'application/x-www-form-urlencoded']) {
      const answer = await probe.probe.call({
        method: 'POST',
        path: PATH,
        raw: HEADER,
        headers: { 'content-type': type },
      });
      expect([answer.status, answer.body.category, answer.body.code]).toEqual([
        415,
        'VALIDATION',
        'UNSUPPORTED_MEDIA_TYPE',
      ]);
    }
  });

  it('returns 400 for a form with a second part or a part of another name, and stores nothing of it', async () => {
    const part = (name: string, id: string) =>
      `--b\r\nContent-Disposition: form-data; name="${name}"; filename="f.csv"\r\n\r\n${HEADER}\n${row(id)}\r\n`;
    const field = '--b\r\nContent-Disposition: form-data; name="note"\r\n\r\nhello\r\n';
    for (const form of [
      part('filename', 'P1') + part('second', 'P2'),
      part('other', 'P1'),
      part('filename', 'P1') + field,
    ]) {
      const answer = await probe.probe.call({
        method: 'POST',
        path: PATH,
        raw: `${form}--b--\r\n`,
        headers: { 'content-type': 'multipart/form-data; boundary=b' },
      });
      expect([answer.status, answer.body.errors?.[0]?.rule]).toEqual([400, 'parts']);
    }
    const stored = await probe.probe.get(`/item-service/stores/${STORE}/items/21-P1`);
    expect(stored.status).toBe(404);
  });

  it('returns 400 for a form without a file, 413 for a file over the limit', async () => {
    const empty = await probe.probe.call({
      method: 'POST',
      path: PATH,
      raw: '--b--\r\n',
      headers: { 'content-type': 'multipart/form-data; boundary=b' },
    });
    expect(empty.status).toBe(400);
    expect((await upload(`${HEADER}\n${'x'.repeat(9 * 1024 * 1024)}`)).status).toBe(413);
  });

  it('keeps custom attributes that the file does not have', async () => {
    await upload(`${HEADER},customDynamicAttributes.0.name\n${row('ATTR', 'kept')}`);
    await upload(`${HEADER}\n${row('ATTR')}`);
    expect((await probe.read('21-ATTR')).body.customDynamicAttributes).toEqual([{ name: 'kept' }]);
  });
});
