/** Checks the output of `npm run proof:pitr` without the programs that it needs. CI runs the campaign with them. */
import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { Stream } from '../../proof/pitr/stream.ts';

it('fails without pgBackRest: exit 2, and the programs to install', () => {
  const done = spawnSync(process.execPath, [resolve('proof/pitr.ts')], { env: { PATH: '/none' }, encoding: 'utf8' });
  expect(done).toMatchObject({ status: 2, stdout: '', stderr: expect.stringContaining('Debian: pgbackrest') });
});

it('a restore without writes before and after the instant proves nothing', () => {
  expect(new Stream('none', {}).judge(0, [])).toEqual(['nothing was written before the instant, or nothing after it']);
});
