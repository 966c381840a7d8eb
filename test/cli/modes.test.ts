import { chmodSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { backroom, folder, serve, settings } from './support.ts';

/** Returns every file and folder below `root`, with its mode. */
function modes(root: string): string[] {
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .map((name) => ({ name, info: statSync(join(root, name)) }))
    .map(({ name, info }) => `${(info.mode & 0o777).toString(8)} ${info.isDirectory() ? 'folder' : 'file'} ${name}`);
}

const isPrivate = (line: string) => /^(?:600 file|700 folder) /.test(line);

describe('every file that a command writes', () => {
  it('is readable only to its owner, with any umask', { timeout: 180_000 }, async () => {
    const root = join(folder, 'modes');
    mkdirSync(root);
    const env = {
      ...settings('modes/data/backroom.db'),
      XDG_CACHE_HOME: join(root, 'cache'),
      NODE_COMPILE_CACHE: '',
      LOG_LEVEL: 'silent',
    };
    const run = async (...args: string[]) => {
      const ended = await backroom(env, args);
      expect([ended.err, ended.code]).toEqual([expect.any(String), 0]);
      return ended;
    };
    const before = process.umask(0);
    try {
      await run('migrate');
      const { out } = await run('key', 'create', '--operator', '--json');
      const key = (JSON.parse(out) as { operatorKey: string }).operatorKey;
      const service = await serve({ ...env, LOG_LEVEL: 'info' });
      expect(modes(root).filter((line) => !isPrivate(line))).toEqual([]);
      expect(modes(root).some((line) => line.endsWith('-wal'))).toBe(true);
      const put = (path: string, body: object) =>
        fetch(`${service.address}/operator/v1/clients/ACME${path}`, {
          method: 'PUT',
          headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
          body: JSON.stringify(body),
        });
      expect((await put('', { name: 'Acme', catalogIds: ['1'] })).status).toBe(201);
      const store = { name: 'Shop', catalogId: '1', sellerId: 'S', storeCode: '1', currency: 'USD' };
      expect((await put('/stores/SHOP', store)).status).toBe(201);
      await run('backup', join(root, 'while-serving.db'));
      await service.stop('SIGTERM');
      const input = join(root, 'orders.csv');
      writeFileSync(input, 'fulfillmentOrderId,pinNumber\nA1,4711\n', { mode: 0o600 });
      await backroom(env, ['import', 'orders', input, '--client', 'ACME', '--store', 'SHOP']);
      mkdirSync(join(root, 'rejects'), { mode: 0o700 });
      await backroom(env, [
        'import',
        'orders',
        input,
        '--client',
        'ACME',
        '--store',
        'SHOP',
        '--again',
        '--rejects',
        join(root, 'rejects'),
      ]);
      for (const kind of ['items', 'orders', 'nodes'])
        await run('export', kind, '--client', 'ACME', '-o', join(root, `${kind}.ndjson`));
      await run('backup', join(root, 'backup.db'));
      // A copied backup may be readable to all; the files that restore writes from it must not be.
      chmodSync(join(root, 'backup.db'), 0o644);
      chmodSync(join(root, 'backup.db.secret'), 0o644);
      await backroom({ ...env, DATABASE_URL: `sqlite:${join(root, 'other/backroom.db')}` }, [
        'restore',
        join(root, 'backup.db'),
      ]);
      chmodSync(join(root, 'backup.db'), 0o600);
      chmodSync(join(root, 'backup.db.secret'), 0o600);
    } finally {
      process.umask(before);
    }
    const all = modes(root);
    expect(all.filter((line) => !isPrivate(line))).toEqual([]);
    for (const name of [
      'backroom.db',
      'backroom.db.secret',
      'backroom.db.serve',
      '.rejects.csv',
      'orders.ndjson',
      'backup.db',
      'other/backroom.db',
    ])
      expect(
        all.some((line) => line.endsWith(name)),
        name,
      ).toBe(true);
  });

  it('is reported by doctor if others can read it, with the command that fixes it', {
    timeout: 120_000,
  }, async () => {
    const env = settings('loose/backroom.db');
    await backroom(env, ['migrate']);
    const file = join(folder, 'loose/backroom.db');
    // A stricter mode is private, too.
    writeFileSync(`${file}.secret`, 'ab'.repeat(32), { mode: 0o400 });
    const { out } = await backroom(env, ['doctor', '--json']);
    for (const check of ['files', 'secret']) expect(out).toContain(`"check":"${check}","ok":true`);
    chmodSync(file, 0o644);
    chmodSync(join(folder, 'loose'), 0o755);
    const told = await backroom(env, ['doctor']);
    expect(told.code).toBe(1);
    const loose = join(folder, 'loose');
    for (const said of [
      `${loose} has mode 755`,
      `${file} has mode 644`,
      `run chmod 700 ${loose}`,
      `run chmod 600 ${file}`,
    ])
      expect(told.out).toContain(said);
  });
});
