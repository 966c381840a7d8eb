/** What `npm run proof:pitr` says where its programs are not to be had; with them CI plays it. */
import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { Stream } from '../../proof/pitr/stream.ts';

it('without pgBackRest it is not passed: exit 2, and what to install', () => {
  const done = spawnSync(process.execPath, [resolve('proof/pitr.ts')], { env: { PATH: '/none' }, encoding: 'utf8' });
  expect(done).toMatchObject({ status: 2, stdout: '', stderr: expect.stringContaining('Debian: pgbackrest') });
});

it('a restore around which nothing was written proves nothing', () => {
  expect(new Stream('none', {}).judge(0, [])).toEqual(['nothing was written before the instant, or nothing after it']);
});
