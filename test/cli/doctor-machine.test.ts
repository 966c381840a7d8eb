/** Findings of doctor about the machine, the exit codes of doctor, and the list of checks in docs/doctor.md. */
import { chmodSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generate } from 'selfsigned';
import { afterAll, describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/platform/config.ts';
import { syncFolder } from '../../src/platform/private-files.ts';
import { DAY_MS } from '../../src/platform/time.ts';
import { add } from '../../src/service/cli/doctor.ts';
import { CHECKS, type Finding, sentenceOf } from '../../src/service/cli/doctor-finding.ts';
import {
  certificateFinding,
  diskFinding,
  modesFinding,
  plainTextFinding,
  tracesFinding,
} from '../../src/service/cli/doctor-machine.ts';
import { migrate } from '../../src/service/migrate.ts';
import { Disk, whyNoMount } from '../../town/disk.ts';
import { ROOT } from '../docs/pages.ts';
import { perform } from './in-process.ts';
import { launch, settings } from './support.ts';

const folder = mkdtempSync(join(tmpdir(), 'backroom-doctor-'));
afterAll(() => rmSync(folder, { recursive: true }));
const now = Date.now();

const told = (found: Finding) => [found.level, sentenceOf(found)];

describe('the files of a database', () => {
  it('are private to their owner, with every backup of an upgrade, its manifest and its keys', () => {
    const file = join(mkdtempSync(join(folder, 'modes-')), 'shop.db');
    const own = ['', '-wal', '.serve', '.schema-30.backup', '.schema-30.2.backup'];
    const beside = [
      '.schema-30.2.backup.manifest.json',
      '.schema-30.backup.secret',
      '.schema-30.backup.secret.previous',
    ];
    for (const end of [...own, ...beside]) writeFileSync(file + end, '', { mode: 0o600 });
    writeFileSync(`${file}.notes.txt`, 'of the operator', { mode: 0o644 });
    expect(modesFinding(file).level).toBe('ok');
    for (const end of [...own, ...beside]) {
      chmodSync(file + end, 0o644);
      expect([end, ...told(modesFinding(file))]).toEqual([
        end,
        'error',
        expect.stringContaining(`${file + end} has mode 644; run chmod 600`),
      ]);
      chmodSync(file + end, 0o600);
    }
  });

  it('are not checked on Windows, which has no modes and cannot sync a folder', async () => {
    const file = join(mkdtempSync(join(folder, 'windows-')), 'shop.db');
    writeFileSync(file, '', { mode: 0o666 });
    const { platform } = process;
    Object.defineProperty(process, 'platform', { value: 'win32' });
    try {
      expect(modesFinding(file).level).toBe('ok');
      await syncFolder(join(folder, 'missing'));
    } finally {
      Object.defineProperty(process, 'platform', { value: platform });
    }
  });

  it('are checked beside the link of DATABASE_URL and beside its target', async () => {
    const [linked, real] = ['link-', 'target-'].map((name) => join(mkdtempSync(join(folder, name)), 'shop.db'));
    const env = { DATABASE_URL: `sqlite:${linked}`, BACKROOM_SECRET: 'ab'.repeat(32) };
    symlinkSync(real!, linked!);
    await migrate(env.DATABASE_URL, { now: () => now });
    writeFileSync(`${linked}.schema-30.backup`, '', { mode: 0o644 });
    const { out } = await perform(add, env, ['doctor']);
    expect(out).toContain(`${linked}.schema-30.backup has mode 644`);
    chmodSync(`${linked}.schema-30.backup`, 0o600);
    chmodSync(real!, 0o640);
    expect(told(modesFinding(linked!, real!))).toEqual(['error', expect.stringContaining(`${real} has mode 640`)]);
  });
});

describe('the certificate of the service', () => {
  const tls = { cert: join(folder, 'cert.pem'), key: join(folder, 'key.pem') };
  const validFor = async (fromDays: number, toDays: number) => {
    const [notBeforeDate, notAfterDate] = [new Date(now + fromDays * DAY_MS), new Date(now + toDays * DAY_MS)];
    const pair = await generate([{ name: 'commonName', value: 'backroom' }], { notBeforeDate, notAfterDate });
    writeFileSync(tls.cert, pair.cert);
  };

  it.each([
    [-30, 60, 'ok', /^it is valid until /],
    [-80, 10, 'warning', /^it is valid until .*; put a valid certificate and its key into TLS_CERT and TLS_KEY/],
    [-90, -1, 'error', /^it has expired: it was valid until .*; put a valid certificate/],
    [1, 90, 'error', /^it is not valid before .*; check the clock of this machine, or wait$/],
  ])('that is valid from day %i to day %i is reported as %s', async (from, to, level, said) => {
    await validFor(from, to);
    expect(told(certificateFinding({ tls }, now))).toEqual([level, expect.stringMatching(said)]);
  });

  it('that is invalid or not set is reported', () => {
    writeFileSync(tls.cert, 'no certificate');
    expect(told(certificateFinding({ tls }, now))).toEqual(['error', expect.stringContaining('cannot be read')]);
    expect(certificateFinding({ tls: undefined }, now).level).toBe('ok');
  });
});

describe('the machine', () => {
  const noMount = whyNoMount(join(folder, 'mount'));
  it.skipIf(noMount !== undefined)('with an almost full disk is reported with the space that is needed', async () => {
    const disk = Disk.make(join(folder, 'disk'), 16);
    try {
      const file = join(disk.folder, 'backroom.db');
      await migrate(`sqlite:${file}`, { now: () => 0 });
      const [level, said] = told(await diskFinding(file));
      expect(level).toBe('error');
      expect(said).toMatch(/^\d+ MiB are free; free at least 256 MiB on the disk of .*backroom\.db,/);
    } finally {
      disk.remove();
    }
  });

  it('with a service open in plain text, or with missing packages, gets warnings', async () => {
    expect(plainTextFinding(loadConfig({ HOST: '0.0.0.0' })).level).toBe('warning');
    expect(plainTextFinding(loadConfig({ HOST: 'till.localhost' })).level).toBe('ok');
    expect(plainTextFinding(loadConfig({ HOST: '0.0.0.0', TRUST_PROXY: '10.0.0.1' })).level).toBe('ok');
    const traced = loadConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://user:word@collector:4318/path' });
    expect(told(await tracesFinding(traced))).toEqual(['ok', 'spans go to http://collector:4318']);
    expect((await tracesFinding(loadConfig({}))).level).toBe('ok');
  });
});

it('a start logs the findings of doctor about its environment, and serves', async () => {
  const [tls, until] = [{ cert: join(folder, 'late.pem'), key: join(folder, 'late.key') }, new Date(now - DAY_MS)];
  const pair = await generate([{ name: 'commonName', value: 'late' }], {
    notBeforeDate: new Date(now - 9 * DAY_MS),
    notAfterDate: until,
  });
  writeFileSync(tls.cert, pair.cert);
  writeFileSync(tls.key, pair.private);
  const env = { ...settings('start.db'), TLS_CERT: tls.cert, TLS_KEY: tls.key };
  const { child, ended } = launch(env, ['serve']);
  let out = '';
  child.stdout!.on('data', (chunk: Buffer) => {
    out += chunk.toString();
  });
  await expect
    .poll(() => out)
    .toMatch(/"check":"certificate","msg":"certificate: it has expired: .*; put a valid certificate/);
  expect(out).toContain('"msg":"listening on https://');
  child.kill('SIGTERM');
  expect((await ended).code).toBe(0);
});

describe('for scripts, doctor', () => {
  const env = { DATABASE_URL: `sqlite:${join(folder, 'own', 'own.db')}`, BACKROOM_SECRET: 'ab'.repeat(32) };
  const doctor = (more: Record<string, string> = {}, ...args: string[]) =>
    perform(add, { ...env, ...more }, ['doctor', ...args]);

  it('ends with 0 without an error, and prints each check with its level', async () => {
    await migrate(env.DATABASE_URL, { now: Date.now });
    const { code, out } = await doctor({ HOST: '0.0.0.0' }, '--json');
    expect(code, out).toBe(0);
    const { ok, findings } = JSON.parse(out) as { ok: boolean; findings: Finding[] };
    expect(ok).toBe(true);
    for (const { check, ok: isOk, level, found, fix } of findings) {
      expect(Object.keys(CHECKS)).toContain(check);
      expect([isOk, found.length > 0, fix !== undefined]).toEqual([true, true, level !== 'ok']);
    }
    expect(findings.filter(({ level }) => level === 'warning').map(({ check }) => check)).toEqual(['plain text']);
    const ofFile = Object.entries(CHECKS).filter(([, { of }]) => of !== 'server');
    expect(findings.map(({ check }) => check).toSorted()).toEqual(ofFile.map(([name]) => name).toSorted());
  });

  it('ends with 1 if there is an error', async () => {
    const none = await doctor({ DATABASE_URL: `sqlite:${join(folder, 'none.db')}` });
    expect(none.code).toBe(1);
    expect(none.out).toMatch(
      /^error {2}database: there is no database at .*; set DATABASE_URL or run backroom migrate$/m,
    );
    const damaged = join(folder, 'damaged.db');
    writeFileSync(damaged, 'this is no database, but it is longer than its header would be'.repeat(99), {
      mode: 0o600,
    });
    const { code, out } = await doctor({ DATABASE_URL: `sqlite:${damaged}` });
    expect([code, out]).toEqual([
      1,
      expect.stringMatching(/^error {2}file: it is damaged, or not a database.*; restore a backup$/m),
    ]);
  });

  it('ends with 3 if a check could not be completed, and completes all others', async () => {
    const { code, out } = await doctor({
      DATABASE_URL: 'postgres://somebody:word@127.0.0.1:1/backroom',
      HOST: '0.0.0.0',
    });
    expect(code).toBe(3);
    const unknown =
      /^unknown {2}database: The database cannot be reached: .*ECONNREFUSED.*; start the server, or correct host and port/m;
    expect(out).toMatch(unknown);
    expect(out).toMatch(/^warning {2}plain text: /m);
    expect(out).not.toContain('word');
  });
});

it('the page of doctor has a row for each check, and no other row', () => {
  const page = readFileSync(join(ROOT, 'docs/doctor.md'), 'utf8').split('<!-- checks:')[1]!;
  const rows = [...page.matchAll(/^\| ([^|]+) \| (both|SQLite|PostgreSQL)(, start)? \|/gm)];
  const words = { both: 'both', server: 'PostgreSQL', file: 'SQLite' };
  const checks: [string, { of: keyof typeof words; start?: true }][] = Object.entries(CHECKS);
  expect(rows.map(([, name, of, start]) => [name, of, start !== undefined])).toEqual(
    checks.map(([name, { of, start = false }]) => [name, words[of], start]),
  );
});
