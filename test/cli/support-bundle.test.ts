import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { generate } from 'selfsigned';
import { expect, it } from 'vitest';
import { openStore } from '../../src/platform/storage/db.ts';
import { item, node, order } from '../import/support/shop.ts';
import { backroom, folder, serve, settings } from './support.ts';

const KEY = 'k3Jx9QwZk3Jx9QwTk3Jx9Qwx7';
const TOKEN = 'm7Rv2LpXm7Rv2LpYm7Rv2Lpq4';
const SECRET = 'a1'.repeat(32);
/** Unique texts of a customer, an address, a PIN, a user and a note. */
const PERSONAL = [
  'Zaphira',
  'Quillfeather',
  'quillfeather.example',
  '5550 7311',
  'Umbershade',
  'UX9 4ZQ',
  'Orlanthe',
  '86753091',
  'Marmaduke',
  'Brindlewick',
];

it('a bundle for support has versions, settings, findings, counts and metrics, and no secrets or personal data', async () => {
  const env = {
    ...settings('bundle.db'),
    BACKROOM_OPERATOR_KEY: KEY,
    BACKROOM_SECRET: SECRET,
    METRICS_TOKEN: TOKEN,
    LOG_LEVEL: 'info',
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:w0rd-of-the-collector@127.0.0.1:1/key-in-the-path',
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=key-of-the-collector',
    OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
    OTEL_TRACES_SAMPLER_ARG: '0.05',
  };
  const running = await serve(env);
  const send = async (method: string, path: string, body: object) => {
    const answer = await fetch(`${running.address}${path}`, {
      method,
      headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    expect(answer.status, await answer.clone().text()).toBeLessThan(300);
  };
  const client = '/operator/v1/clients/SHOP';
  await send('PUT', client, { name: 'Shop', catalogIds: ['A'] });
  await send('PUT', `${client}/stores/WEB`, {
    name: 'Web',
    catalogId: 'A',
    sellerId: 'S',
    storeCode: 'W',
    currency: 'GBP',
  });
  await send('PUT', `${client}/users/b1`, {
    name: 'Orlanthe Brindlewick',
    role: 'associate',
    nodeIds: [],
    password: 'a-long-word-for-tests',
  });
  const one = order('1', [{ webLineId: '1', itemId: 'A-K1', quantity: 2, unitPrice: 1 }], {
    pinNumber: '86753091',
  }) as {
    destinations: object[];
  };
  const whole = {
    ...one,
    customer: { name: 'Zaphira Quillfeather', email: 'z@quillfeather.example', phone: '+44 20 5550 7311' },
    destinations: [
      {
        ...one.destinations[0],
        personName: { firstName: 'Zaphira', lastName: 'Quillfeather' },
        address: {
          line1: '77 Umbershade Terrace',
          city: 'Bath',
          mainDivisionCode: '',
          postalCode: 'UX9 4ZQ',
          countryCode: 'GB',
        },
        phone: '+44 20 5550 7311',
        email: 'z@quillfeather.example',
      },
    ],
  };
  for (const [kind, value] of Object.entries({ nodes: node('N1'), items: item('K1'), orders: whole })) {
    const file = join(folder, `bundle-${kind}.json`);
    writeFileSync(file, JSON.stringify([value]));
    const done = await backroom(env, ['import', kind, file, '--client', 'SHOP', '--store', 'WEB', '--json']);
    expect(JSON.parse(done.out), done.err).toMatchObject({ rowsImported: 1 });
  }
  // An interrupted import of a file whose name contains the name of a person.
  const store = await openStore(settings('bundle.db')['DATABASE_URL']!, { readers: 1 });
  await store.write((tx) =>
    sql`update imports set finished_at = null, updated_at = 0, file_name = 'items-of-Marmaduke (client 1).csv' where kind = 'items'`.execute(
      tx,
    ),
  );
  await store.close();
  const bundle = join(folder, 'bundle.json');
  const port = new URL(running.address).port;
  const urlFile = join(folder, 'bundle-url');
  writeFileSync(urlFile, settings('bundle.db')['DATABASE_URL']!);
  const inImage = { ...env, PORT: port, DATABASE_URL: 'sqlite:of-the-image.db', DATABASE_URL_FILE: urlFile };
  const made = await backroom(inImage, ['support-bundle', '-o', bundle]);
  expect(made).toMatchObject({ code: 0 });
  expect(statSync(bundle).mode & 0o777).toBe(0o600);
  const text = readFileSync(bundle, 'utf8');
  const collector = ['w0rd-of-the-collector', 'key-in-the-path', 'key-of-the-collector'];
  for (const secret of [KEY, TOKEN, SECRET, 'a-long-word-for-tests', ...collector]) expect(text).not.toContain(secret);
  for (const word of PERSONAL) expect(text.toLowerCase(), word).not.toContain(word.toLowerCase());
  const parsed = JSON.parse(text);
  expect(parsed.settings).toMatchObject({
    BACKROOM_SECRET: 'set',
    METRICS_TOKEN: 'set',
    LOG_LEVEL: 'info',
    PORT: port,
    DATABASE_URL_FILE: 'set',
  });
  expect(parsed.settings).not.toHaveProperty('DATABASE_URL');
  expect(parsed.database).toMatchObject({ engine: 'sqlite', rows: { clients: 1, users: 1, fulfillment_orders: 1 } });
  expect(parsed.doctor).toContainEqual(expect.objectContaining({ check: 'schema', ok: true, level: 'ok' }));
  expect(parsed.doctor).toContainEqual({
    check: 'imports',
    ok: true,
    level: 'warning',
    found: expect.stringMatching(/^items of a file \(client /),
    fix: expect.stringMatching(/^run it again, or end it with backroom import --forget /),
  });
  expect(parsed.traces).toEqual({
    spans: 'on',
    collector: 'http://127.0.0.1:1',
    sampler: 'parentbased_traceidratio',
    ratio: 0.05,
    packages: 'installed',
  });
  expect(parsed.metrics.join('\n')).toContain('backroom_');
  // A second run with the same name must not overwrite the earlier bundle.
  expect(await backroom(env, ['support-bundle', '-o', bundle])).toMatchObject({
    code: 1,
    err: expect.stringContaining('EEXIST'),
  });
  // A folder that is missing is an error before the checks.
  const missing = await backroom(env, ['support-bundle', '-o', join(folder, 'missing', 'bundle.json')]);
  expect([missing.code, missing.err]).toEqual([1, expect.stringMatching(/^backroom: ENOENT/)]);
  await running.stop();
});

it('a bundle has the metrics of a service with a certificate of its public name', async () => {
  const { cert, private: key } = await generate([{ name: 'commonName', value: 'backroom.example' }]);
  const [certFile, keyFile] = [join(folder, 'bundle-cert.pem'), join(folder, 'bundle-key.pem')];
  writeFileSync(certFile, cert);
  writeFileSync(keyFile, key, { mode: 0o600 });
  const env = { ...settings('tls-bundle.db'), TLS_CERT: certFile, TLS_KEY: keyFile };
  const running = await serve(env);
  const bundle = join(folder, 'tls-bundle.json');
  const PORT = new URL(running.address).port;
  expect(await backroom({ ...env, PORT }, ['support-bundle', '-o', bundle])).toMatchObject({ code: 0 });
  await running.stop();
  const { metrics } = JSON.parse(readFileSync(bundle, 'utf8')) as { metrics: string[] };
  expect(metrics).toContainEqual(expect.stringMatching(/^backroom_ready{reason="none"} 1$/));
});

it('a bundle is also made without a service or a database, and says so', async () => {
  const bundle = join(folder, 'nothing.json');
  const made = await backroom({ ...settings('nothing.db'), PORT: '1' }, ['support-bundle', '-o', bundle]);
  expect(made).toMatchObject({ code: 0 });
  const { metrics, doctor } = JSON.parse(readFileSync(bundle, 'utf8'));
  expect(metrics).toEqual([expect.stringContaining('http://127.0.0.1:1/metrics: ')]);
  expect(doctor).toEqual([expect.objectContaining({ check: 'database', ok: false })]);
});

it('a bundle is also made if the database is damaged or does not respond', async () => {
  const damaged = join(folder, 'damaged.db');
  writeFileSync(damaged, 'no database'.repeat(1_000));
  const urls = [
    [`sqlite:${damaged}`, { check: 'file', level: 'error' }],
    ['postgres://127.0.0.1:1/none', { check: 'database', level: 'unknown' }],
  ] as const;
  for (const [index, [DATABASE_URL, found]] of urls.entries()) {
    const bundle = join(folder, `closed-${index}.json`);
    const env = { ...settings('nothing.db'), DATABASE_URL, BACKROOM_SECRET: SECRET, PORT: '1' };
    expect(await backroom(env, ['support-bundle', '-o', bundle])).toMatchObject({ code: 0 });
    const { database, doctor, program } = JSON.parse(readFileSync(bundle, 'utf8'));
    expect(database).toEqual({ error: expect.any(String) });
    expect(doctor).toContainEqual(expect.objectContaining(found));
    expect(program).toHaveProperty('version');
  }
});

it('a bundle shows of a setting with a password or a key only that it is set', async () => {
  const bundle = join(folder, 'urls.json');
  const env = {
    ...settings('urls.db'),
    PORT: '1',
    SMTP_URL: 'smtps://mailer:w0rd-of-the-mail@mail.example',
    MAIL_FROM: 'shop@town.example',
    LABEL_URL: 'https://labels.example/key-in-the-path?token=key-of-labels',
    LABEL_SECRET: `whsec_${'A1b2'.repeat(8)}`,
  };
  expect(await backroom(env, ['support-bundle', '-o', bundle])).toMatchObject({ code: 0 });
  const text = readFileSync(bundle, 'utf8');
  for (const secret of ['w0rd-of-the-mail', 'key-in-the-path', 'key-of-labels', 'A1b2A1b2']) {
    expect(text).not.toContain(secret);
  }
  expect(JSON.parse(text).settings).toMatchObject({
    DATABASE_URL: settings('urls.db')['DATABASE_URL'],
    SMTP_URL: 'set',
    MAIL_FROM: 'shop@town.example',
    LABEL_URL: 'set',
    LABEL_SECRET: 'set',
  });
});
