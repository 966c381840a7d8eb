import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { Tally } from '../../proof/failover/tally.ts';
import { soundApi } from '../../proof/failover/tools.ts';

const SET_UP = new URL('../../deploy/ha/', import.meta.url).pathname;
const RENDER = join(SET_UP, 'render.sh');
const folder = mkdtempSync(join(tmpdir(), 'backroom-ha-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Writes the operator's example with passwords and the given changes to a file. Returns the path of the file. */
function settings(more: Record<string, string> = {}): string {
  const example = readFileSync(join(SET_UP, 'cluster.env.example'), 'utf8').replaceAll(/_PASSWORD=$/gm, '$&of-a-test');
  const file = join(folder, 'cluster.env');
  writeFileSync(
    file,
    `${example}${Object.entries(more)
      .map(([name, value]) => `${name}=${value}\n`)
      .join('')}`,
  );
  return file;
}

const rendered = (file: string) => readFileSync(join(folder, 'out', file), 'utf8');

describe('the files of the highly available set-up', () => {
  it('are filled in for each machine, with no value missing', () => {
    execFileSync('sh', [RENDER, settings(), 'node2', join(folder, 'out')]);
    execFileSync('sh', [RENDER, settings(), 'proxy', join(folder, 'out')]);
    const files = ['patroni.yml', 'etcd.yml', 'haproxy.cfg'].map(rendered);
    for (const text of files) expect(text).not.toMatch(/\$\{/);
    expect(files[0]).toMatch(/^name: node2$/m);
    expect(files[0]).toMatch(/^ {2}listen: 10\.0\.3\.12:5432$/m);
    expect(files[1]).toMatch(/^enable-v2: true$/m);
    expect(files[2]).toMatch(/server node3 10\.0\.3\.13:5432/);
  });

  it('leave out, with the etcd3 API, the settings that an etcd without the old API rejects', () => {
    execFileSync('sh', [RENDER, settings({ ETCD_API: 'etcd3' }), 'node1', join(folder, 'out')]);
    expect(rendered('etcd.yml')).not.toMatch(/^enable-v2/m);
    expect(rendered('patroni.yml')).toMatch(/^etcd3:$/m);
  });

  it.each([
    [{ NODE3: '' }, 'NODE3 has no value'],
    [{ SUPERUSER_PASSWORD: "it's" }, 'SUPERUSER_PASSWORD may have letters, digits'],
    [{ ETCD_API: 'consul' }, 'ETCD_API is etcd3, or etcd'],
  ])('are not filled in from %j', (more, why) => {
    const { status, stderr } = spawnSync('sh', [RENDER, settings(more), 'node1', join(folder, 'none')], {
      encoding: 'utf8',
    });
    expect([status, stderr]).toEqual([1, expect.stringContaining(why)]);
  });
});

it.each([
  ['2.1.4', 'etcd'],
  ['3.0.2', 'etcd'],
  ['3.0.3', 'etcd3'],
  ['3.3.1', 'etcd3'],
  ['4.0.0', 'etcd3'],
])('Patroni %s is used over the API %s', (version, api) => {
  expect(soundApi(version)).toBe(api);
});

describe('the tally of the campaign', () => {
  const good = { acknowledged: 100, repeated: 2, lost: [], faults: [], gapS: 4.2, wholeS: 6.1, statuses: {} };

  it('adds up over runs, and passes only when writes were made and none was lost or wrong', () => {
    const file = join(folder, 'state.json');
    expect(new Tally(file).hasPassed(['kill'])).toBe(false);
    new Tally(file).add('kill', good);
    new Tally(file).add('kill', { ...good, gapS: 7.9 });
    expect(new Tally(file).result(['kill'])).toMatchObject({
      turns: 2,
      failed: 0,
      acknowledged: 200,
      longestGapS: 7.9,
    });
    expect(new Tally(file).hasPassed(['kill'])).toBe(true);
    expect(new Tally(file).table(['kill'])).toContain('| 2 | 200 | 4 | 0 | 0 | 4.2 to 7.9 s |');
    expect([new Tally(file).needsTurn('kill', 2), new Tally(file).needsTurn('kill', 3)]).toEqual([false, true]);
    new Tally(file).add('kill', { ...good, lost: ['an order'] });
    expect(new Tally(file).hasPassed(['kill'])).toBe(false);
  });

  it('does not pass with a control that lost nothing', () => {
    const tally = new Tally(join(folder, 'control.json'));
    tally.add('kill', good);
    tally.add('control', good);
    expect(tally.hasPassed(['kill', 'control'])).toBe(false);
    tally.add('control', { ...good, lost: ['an order'] });
    expect(tally.hasPassed(['kill', 'control'])).toBe(true);
  });
});

it('the control is played until it has lost a write, at most 40 times, so that a sound set-up does not fail by chance', () => {
  const tally = new Tally(join(folder, 'until-lost.json'));
  const turn = { acknowledged: 1, repeated: 0, faults: [], gapS: 0, wholeS: 0, statuses: {} };
  expect(tally.needsTurn('control', 1)).toBe(true);
  for (let at = 1; at <= 39; at += 1) tally.add('control', { ...turn, lost: [] });
  expect([tally.needsTurn('control', 1), tally.needsTurn('kill', 1)]).toEqual([true, true]);
  tally.add('control', { ...turn, lost: ['one'] });
  tally.add('kill', { ...turn, lost: [] });
  expect([tally.needsTurn('control', 1), tally.needsTurn('kill', 1)]).toEqual([false, false]);
  expect(tally.hasPassed(['control', 'kill'])).toBe(true);
});

it('--help of the campaign is its usage', () => {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['proof/failover.ts', '--help'], { encoding: 'utf8' });
  expect([status, stderr]).toEqual([0, '']);
  for (const word of ['--scenes', '--turns', '--state', 'kill', 'Exit code']) expect(stdout).toContain(word);
});
