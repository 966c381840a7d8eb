import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ConfigError, loadConfig, SETTINGS, storeOptions } from '../src/platform/config.ts';
import { shownUrl } from '../src/platform/storage/url.ts';

function faultsOf(env: Record<string, string>): readonly string[] {
  try {
    loadConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.errors;
    throw error;
  }
  return [];
}

describe('configuration', () => {
  it('listens on loopback and keeps its data in data/backroom.db unless told otherwise', () => {
    const config = loadConfig({});
    expect(config.host).toBe('127.0.0.1');
    expect(config.port).toBe(8080);
    expect(config.databaseUrl).toBe('sqlite:data/backroom.db');
    expect(config.operatorKey).toBeUndefined();
  });

  it('counts an empty variable as unset', () => {
    expect(loadConfig({ PORT: '', HOST: '', BACKROOM_FOO: '' }).port).toBe(8080);
  });

  it('lists every error in one message', () => {
    const faults = faultsOf({ PORT: '70000', LOG_LEVEL: 'loud', BACKROOM_SECRET: 'short', DATABASE_URL: 'mysql://x' });
    expect(faults.map((fault) => fault.split(' ')[0])).toEqual([
      'DATABASE_URL',
      'BACKROOM_SECRET',
      'LOG_LEVEL',
      'PORT',
    ]);
  });

  it('rejects a misspelt BACKROOM_ variable, which would have no effect', () => {
    expect(faultsOf({ BACKROOM_OPERATER_KEY: 'x'.repeat(30) })[0]).toContain('BACKROOM_OPERATER_KEY is not a setting');
  });

  it.each([
    ['SMTP_URL', 'smtp://:::'],
    ['SMTP_URL', 'smtp://u:p@ss@host:99999'],
    ['LABEL_URL', 'http://['],
    ['LABEL_URL', 'https://me:sEcReT@x.example/'],
    ['PUBLIC_URL', 'https://x.example//a//b/'],
    ['PUBLIC_URL', 'https://x.example/%zz'],
    ['PUBLIC_URL', 'https://me:sEcReT@x.example/'],
    ['HOST', '256.1.1.1'],
    ['HOST', 'not a host'],
    ['DATABASE_URL', 'sqlite: '],
  ])('rejects %s %s, and shows no password', (name, value) => {
    const others = { MAIL_FROM: 'a@b.example', LABEL_SECRET: `whsec_${'A'.repeat(32)}` };
    const errors = faultsOf({ ...(name === 'SMTP_URL' || name === 'LABEL_URL' ? others : {}), [name]: value });
    expect(errors.filter((error) => error.startsWith(`${name} must`))).toHaveLength(1);
    expect(errors.join()).not.toMatch(/sEcReT|p@ss/);
  });

  it('accepts an IPv6 address with brackets, names of this machine, and a path in PUBLIC_URL', () => {
    expect(loadConfig({ HOST: '[::1]' }).host).toBe('::1');
    for (const host of ['localhost', '0.0.0.0', '::', 'node-1.store_7.example'])
      expect(loadConfig({ HOST: host }).host).toBe(host);
    expect(loadConfig({ PUBLIC_URL: 'https://x.example/a/b-c/' }).publicUrl).toBe('https://x.example/a/b-c');
  });

  it('reads secrets from files, and says which file cannot be read, is empty, or says what a variable says too', () => {
    const folder = mkdtempSync(join(tmpdir(), 'backroom-config-'));
    const file = (name: string, text: string) => {
      writeFileSync(join(folder, name), text);
      return join(folder, name);
    };
    const secret = 'ab'.repeat(32);
    const [url, key] = ['postgres://me@db/backroom', 'k3Jx9QwZk3Jx9QwTk3Jx9Qwx7'];
    const config = loadConfig({
      DATABASE_URL_FILE: file('url', `${url}\n`),
      BACKROOM_SECRET_FILE: file('secret', `${secret}\r\n`),
      BACKROOM_OPERATOR_KEY_FILE: file('key', key),
      METRICS_TOKEN_FILE: '',
    });
    expect([config.databaseUrl, config.secret?.toString('hex'), config.operatorKey]).toEqual([url, secret, key]);
    // The image and the units of systemd set DATABASE_URL to a file.
    const isSet = { DATABASE_URL: 'sqlite:/data/backroom.db', BACKROOM_SECRET: secret };
    expect(loadConfig({ ...isSet, DATABASE_URL_FILE: join(folder, 'url') }).databaseUrl).toBe(url);
    expect(faultsOf({ ...isSet, DATABASE_URL: url, DATABASE_URL_FILE: join(folder, 'url') })).toEqual([
      expect.stringContaining('set only one of them'),
    ]);
    const faults = faultsOf({
      BACKROOM_SECRET: secret,
      BACKROOM_SECRET_FILE: file('secret', secret),
      METRICS_TOKEN_FILE: join(folder, 'none'),
      DATABASE_READ_URL_FILE: file('empty', '\n'),
      BACKROOM_OPERATOR_KEY_FILE: file('weak', 'x'.repeat(24)),
    });
    for (const [name, what] of [
      ['BACKROOM_SECRET', 'set only one of them'],
      ['METRICS_TOKEN_FILE', 'ENOENT'],
      ['DATABASE_READ_URL_FILE', 'is empty'],
      ['BACKROOM_OPERATOR_KEY', 'openssl rand'],
    ]) {
      expect(faults).toContainEqual(expect.stringMatching(new RegExp(`^${name}\\b.*${what}`)));
    }
    expect(faults).toHaveLength(4);
    expect(faults.join()).not.toContain(secret);
    expect(faultsOf({ PORT_FILE: 'x', BACKROOM_PORT_FILE: 'x' })).toEqual([
      expect.stringContaining('BACKROOM_PORT_FILE is not'),
    ]);
    rmSync(folder, { recursive: true });
  });

  it('rejects an operator key that is easy to guess', () => {
    for (const name of ['BACKROOM_OPERATOR_KEY', 'METRICS_TOKEN']) {
      for (const weak of [
        '4f1c22ab9d7e60c35a81b2f',
        'x'.repeat(24),
        'abababababababababababababab',
        'k3Jx9Qw-k3Jx9Qw-k3Jx9Qw-k3Jx',
        'abcdefghijklmnopqrstuvwxyz',
        '0123456789012345678901234',
        '98765432109876543210abcd',
        'passwordpassword1234567890',
        'changeme-changeme-please!',
        'Qwertyuiop-admin-secret-1',
      ]) {
        expect([weak, faultsOf({ [name]: weak })]).toEqual([weak, [expect.stringContaining('openssl rand -hex 32')]]);
      }
      fc.assert(
        fc.property(fc.uint8Array({ minLength: 24, maxLength: 32 }), (bytes) => {
          // A hash of random bytes looks like a key from `openssl rand`.
          const hash = createHash('sha256').update(bytes).digest();
          for (const text of [hash.toString('hex'), hash.toString('base64url').slice(0, 32)]) {
            expect(faultsOf({ [name]: text })).toEqual([]);
          }
        }),
      );
    }
  });

  it('rejects a header timeout that exceeds the timeout of the whole request', () => {
    expect(faultsOf({ HEADERS_TIMEOUT_MS: '2000', REQUEST_TIMEOUT_MS: '1000' })[0]).toContain('HEADERS_TIMEOUT_MS');
  });

  it('limits no rates unless told to, and takes whole numbers from 1 for them', () => {
    const { rateLimit, failedSignInLimit } = loadConfig({ RATE_LIMIT: 'none', FAILED_SIGN_IN_LIMIT: 'none' });
    expect({ rateLimit, failedSignInLimit }).toEqual({ rateLimit: undefined, failedSignInLimit: undefined });
    expect(loadConfig({ RATE_LIMIT: '1', FAILED_SIGN_IN_LIMIT: '1000000' })).toMatchObject({
      rateLimit: 1,
      failedSignInLimit: 1_000_000,
    });
    for (const name of ['RATE_LIMIT', 'FAILED_SIGN_IN_LIMIT']) {
      for (const value of ['0', '-1', '1.5', 'many', '1000001']) expect(faultsOf({ [name]: value })).toHaveLength(1);
    }
  });

  it('believes the proxies it is told, and names each that is none', () => {
    expect(loadConfig({}).trustProxy).toEqual([]);
    const list = '10.0.0.1, 10.1.0.0/16, ::1, 2001:db8::/32, loopback,uniquelocal';
    expect(loadConfig({ TRUST_PROXY: list }).trustProxy).toHaveLength(6);
    for (const wrong of ['true', 'proxy.example', '10.0.0.0/33', '10.0.0.1/x', '2001:db8::/129', '1/2/3']) {
      expect(faultsOf({ TRUST_PROXY: `10.0.0.1,${wrong}` })).toHaveLength(1);
    }
  });

  it.each(SETTINGS.filter((setting) => /^\d+$/.test(setting.default)).map((setting) => setting.name))(
    '%s takes whole numbers only',
    (name) => {
      for (const value of ['-1', '1.5', 'ten', '1e3', '99999999999999']) {
        expect(faultsOf({ [name]: value }).some((fault) => fault.startsWith(`${name} must be a whole number`))).toBe(
          true,
        );
      }
    },
  );
});

describe('PostgreSQL in the configuration', () => {
  const secret = { BACKROOM_SECRET: 'ab'.repeat(32) };
  const url = 'postgres://backroom:hidden@db/backroom';

  it('is named by a URL of either spelling, with ten connections unless told otherwise', () => {
    expect(loadConfig({ ...secret, DATABASE_URL: url })).toMatchObject({ databaseUrl: url, databasePool: 10 });
    expect(loadConfig({ ...secret, DATABASE_URL: 'postgresql://db/x', DATABASE_POOL: '500' }).databasePool).toBe(500);
    expect(faultsOf({ ...secret, DATABASE_URL: url, DATABASE_POOL: '501' })).toHaveLength(1);
  });

  it('requires BACKROOM_SECRET, because there is no key file beside the database', () => {
    expect(faultsOf({ DATABASE_URL: url })).toEqual([expect.stringContaining('BACKROOM_SECRET is required')]);
  });

  it('supports a replica, unlike SQLite', () => {
    const replica = 'postgres://replica/backroom';
    const config = loadConfig({ ...secret, DATABASE_URL: url, DATABASE_READ_URL: replica });
    expect(storeOptions(config)).toEqual({ connections: 10, readUrl: replica });
    expect(faultsOf({ DATABASE_READ_URL: replica })).toHaveLength(1);
    expect(faultsOf({ ...secret, DATABASE_URL: url, DATABASE_READ_URL: 'sqlite:x.db' })).toHaveLength(1);
  });

  it('must have a URL that the driver can read; the error names the setting, but not the password', () => {
    const broken = 'postgres://backroom:hidden@x:99999/br';
    const faults = [
      ...faultsOf({ ...secret, DATABASE_URL: broken }),
      ...faultsOf({ ...secret, DATABASE_URL: url, DATABASE_READ_URL: broken }),
    ];
    expect(faults.map((one) => one.split(' is ')[0])).toEqual(['DATABASE_URL', 'DATABASE_READ_URL']);
    expect(faults.join()).not.toContain('hidden');
    for (const read of [
      'postgres://backroom:hidden@/br?host=/run/postgresql',
      'postgres://%2Frun%2Fpostgresql/br',
      'postgres:///br',
      'postgres:// backroom@db/b r',
    ]) {
      expect(loadConfig({ ...secret, DATABASE_URL: read }).databaseUrl).toBe(read);
    }
  });

  it('is never shown with its password', () => {
    expect(shownUrl(url)).toBe('postgres://backroom@db/backroom');
    expect(shownUrl('postgres://db/x?password=hidden')).not.toContain('hidden');
    expect(shownUrl('postgres://not a url:hidden@')).not.toContain('hidden');
    expect(shownUrl('sqlite:data/backroom.db')).toBe('sqlite:data/backroom.db');
  });
});
