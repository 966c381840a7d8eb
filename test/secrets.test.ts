import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import { Hashing } from '../src/platform/hashing.ts';
import { checkSecret, createSealer, loadSecret, openSecret, sameSecret, secretFile } from '../src/platform/secrets.ts';
import { Disk, SmallDisk, whyNoMount } from '../town/disk.ts';
import { isPassword } from './support/password.ts';
import { openTestStore } from './support/store.ts';

const folder = mkdtempSync(join(tmpdir(), 'backroom-secrets-'));
afterAll(() => rmSync(folder, { recursive: true }));
const noMount = whyNoMount(folder);
const run = promisify(execFile);

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

  it('is made once, readable by its owner alone, and found again', async () => {
    const first = await loadSecret({ secret: undefined, databaseUrl });
    expect(first).toHaveLength(32);
    expect(statSync(secretFile(databaseUrl)).mode & 0o777).toBe(0o600);
    expect(await loadSecret({ secret: undefined, databaseUrl })).toEqual(first);
    expect(readFileSync(secretFile(databaseUrl), 'utf8').trim()).toBe(first.toString('hex'));
  });

  it.each(['data/x.db\r', 'data/x.db ', ' data/x.db'])('has the name of the database for the path %j', (path) => {
    expect(secretFile(`sqlite:${path}`)).toBe('data/x.db.secret');
  });

  it.each(['old.db\r', 'old.db '])('remains the file that 0.5.0 made for the path %j', async (name) => {
    const path = join(folder, name);
    const key = randomBytes(32);
    writeFileSync(`${path}.secret`, key.toString('hex'));
    expect(secretFile(`sqlite:${path}`)).toBe(`${path}.secret`);
    expect(await loadSecret({ secret: undefined, databaseUrl: `sqlite:${path}` })).toEqual(key);
  });

  it('is one for starts at the same time, and leaves no other file', async () => {
    const at = mkdtempSync(join(folder, 'same-time-'));
    const same = `sqlite:${join(at, 'one.db')}`;
    const program = `(await import('./src/platform/secrets.ts')).loadSecret({ databaseUrl: '${same}' }).then((key) => console.log(key.toString('hex')))`;
    const keys = await Promise.all(
      [1, 2, 3].map(() => run(process.execPath, ['--input-type=module', '--eval', program])),
    );
    expect(new Set(keys.map(({ stdout }) => stdout.trim()))).toEqual(
      new Set([readFileSync(secretFile(same), 'utf8').trim()]),
    );
    expect(readdirSync(at)).toEqual(['one.db.secret']);
  });

  describe.skipIf(noMount !== undefined)('on a disk of its own', () => {
    it('is there after a power cut directly after the first start', async () => {
      const disk = Disk.make(join(folder, 'cut'), 16);
      try {
        const there = `sqlite:${join(disk.folder, 'one.db')}`;
        const first = await loadSecret({ secret: undefined, databaseUrl: there });
        disk.cutPower();
        disk.restorePower();
        expect(existsSync(secretFile(there))).toBe(true);
        expect(await loadSecret({ secret: undefined, databaseUrl: there })).toEqual(first);
      } finally {
        disk.remove();
      }
    });

    it('is not made if the disk is full, and is made once there is space', async () => {
      const disk = SmallDisk.make(join(folder, 'full'), 1);
      try {
        const [there, other] = [`sqlite:${join(disk.folder, 'one.db')}`, join(disk.folder, 'other')];
        writeFileSync(other, Buffer.alloc(1024 * 1024));
        await expect(loadSecret({ secret: undefined, databaseUrl: there })).rejects.toThrow('ENOSPC');
        expect(readdirSync(disk.folder)).toEqual(['other']);
        rmSync(other);
        expect(await loadSecret({ secret: undefined, databaseUrl: there })).toHaveLength(32);
      } finally {
        disk.remove();
      }
    });
  });

  it('is not made when the configuration has the key', async () => {
    const other = `sqlite:${join(folder, 'two.db')}`;
    await loadSecret({ secret: Buffer.alloc(32), databaseUrl: other });
    expect(existsSync(secretFile(other))).toBe(false);
  });

  it('may have capital letters, like BACKROOM_SECRET', async () => {
    const capital = `sqlite:${join(folder, 'capital.db')}`;
    writeFileSync(secretFile(capital), 'AB'.repeat(32), { mode: 0o600 });
    expect(await loadSecret({ secret: undefined, databaseUrl: capital })).toEqual(Buffer.alloc(32, 0xab));
  });

  it('is rejected if it is damaged', async () => {
    const broken = `sqlite:${join(folder, 'three.db')}`;
    writeFileSync(secretFile(broken), 'half a key');
    chmodSync(secretFile(broken), 0o600);
    await expect(loadSecret({ secret: undefined, databaseUrl: broken })).rejects.toThrow('restore it from a backup');
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
