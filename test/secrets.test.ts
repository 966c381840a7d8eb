import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { Hashing } from '../src/platform/hashing.ts';
import { checkSecret, createSealer, loadSecret, openSecret, sameSecret, secretFile } from '../src/platform/secrets.ts';
import { isPassword } from './support/password.ts';
import { openTestStore } from './support/store.ts';

const folder = mkdtempSync(join(tmpdir(), 'backroom-secrets-'));
afterAll(() => rmSync(folder, { recursive: true }));

const sealer = createSealer(Buffer.alloc(32, 7));
const iv = (byte: number) => Buffer.alloc(12, byte);

describe('sealing of PINs', () => {
  it('opens what it sealed and shows nothing of it', () => {
    const sealed = sealer.seal('4711', iv(1));
    expect(sealed).not.toContain('4711');
    expect(sealer.open(sealed)).toBe('4711');
  });

  it('rejects a changed sealed text and a wrong key', () => {
    const sealed = sealer.seal('4711', iv(1));
    const parts = sealed.split('.');
    expect(() => sealer.open([...parts.slice(0, 3), 'AAAA'].join('.'))).toThrow();
    expect(() => createSealer(Buffer.alloc(32, 8)).open(sealed)).toThrow();
  });

  it('gives equal PINs of one client one fingerprint, and those of two clients two', () => {
    expect(sealer.fingerprint('TOWN', '4711')).toBe(sealer.fingerprint('TOWN', '4711'));
    expect(sealer.fingerprint('TOWN', '4711')).not.toBe(sealer.fingerprint('OTHER', '4711'));
    expect(sealer.fingerprint('TOWN', '4711')).not.toBe(sealer.fingerprint('TOWN', '4712'));
  });
});

describe('passwords', () => {
  it('recognises the right one only, in any Unicode form', async () => {
    const stored = await new Hashing().hash({ kind: 'client', key: 'TOWN' }, 'ångström', iv(3));
    expect(stored).not.toContain('ångström');
    expect(isPassword('ångström', stored)).toBe(true);
    expect(isPassword('angstrom', stored)).toBe(false);
  });

  it('compares secrets of different lengths without an error', () => {
    expect(sameSecret('a', 'a')).toBe(true);
    expect(sameSecret('a', 'ab')).toBe(false);
  });
});

describe('the key file beside the database', () => {
  const databaseUrl = `sqlite:${join(folder, 'one.db')}`;

  it('is made once, readable by its owner alone, and found again', () => {
    const first = loadSecret({ secret: undefined, databaseUrl });
    expect(first).toHaveLength(32);
    expect(statSync(secretFile(databaseUrl)).mode & 0o777).toBe(0o600);
    expect(loadSecret({ secret: undefined, databaseUrl })).toEqual(first);
    expect(readFileSync(secretFile(databaseUrl), 'utf8').trim()).toBe(first.toString('hex'));
  });

  it('is not made when the configuration has the key', () => {
    const other = `sqlite:${join(folder, 'two.db')}`;
    loadSecret({ secret: Buffer.alloc(32), databaseUrl: other });
    expect(existsSync(secretFile(other))).toBe(false);
  });

  it('is rejected if it is damaged', () => {
    const broken = `sqlite:${join(folder, 'three.db')}`;
    writeFileSync(secretFile(broken), 'half a key');
    chmodSync(secretFile(broken), 0o600);
    expect(() => loadSecret({ secret: undefined, databaseUrl: broken })).toThrow('restore it from a backup');
  });
});

describe('the key of an installation', () => {
  it('is recorded in the database: a start with another key fails and says how to fix it', async () => {
    const store = await openTestStore();
    await checkSecret(store, Buffer.alloc(32, 1));
    await checkSecret(store, Buffer.alloc(32, 1));
    await expect(checkSecret(store, Buffer.alloc(32, 2))).rejects.toThrow('Restore the key file');
    await store.close();
  });
});

describe('a start without the key file', () => {
  it('of a database that was used with a key fails, and creates no new key file', async () => {
    const store = await openTestStore();
    await checkSecret(store, Buffer.alloc(32, 1));
    const databaseUrl = `sqlite:${join(folder, 'lost.db')}`;
    await expect(openSecret({ secret: undefined, databaseUrl }, store)).rejects.toThrow('Restore the key file');
    expect(existsSync(secretFile(databaseUrl))).toBe(false);
    await store.close();
  });
});
