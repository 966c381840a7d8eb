import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { nameOf } from '../../src/service/cli/edi-run.ts';
import { type Courier, fileIn, namesIn, openCourier } from './run-support.ts';
import { changed, EDI, NOTICE, notice } from './support.ts';

let courier: Courier;
beforeEach(async () => {
  courier = await openCourier();
});
afterEach(() => courier.close());

const asn = (number: string) =>
  changed(NOTICE, { BSN: `BSN*00*${number}*20261124*0930*0001`, MAN: `MAN*GM*${number}` });
const stored = async (number: string) => {
  const list = await courier.town.operator('GET', `${EDI}/interchanges?direction=IN&number=${number}`);
  return list.body.interchanges as { status: string }[];
};
const waiting = async () =>
  (await courier.town.operator('GET', `${EDI}/interchanges?direction=OUT&status=WAITING`)).body
    .interchanges as unknown[];
/** Waits until `edi run` has written every file for a partner. */
const taken = () => expect.poll(async () => (await waiting()).length, { interval: 100 }).toBe(0);

describe('the name of a file for a partner', () => {
  it.each([
    ['GREENVALLEY', 'GREENVALLEY_997_000000012.x12'],
    ['A.B', 'A.B_997_000000012.x12'],
    ['A_B', 'A_B_997_000000012.x12'],
    ['.hidden', '%2Ehidden_997_000000012.x12'],
    ['../../etc/cron.d', '%2E.%2F..%2Fetc%2Fcron.d_997_000000012.x12'],
  ])('of %s is that of no other partner, and leads to no other folder', (partnerId, name) => {
    expect(nameOf(partnerId, '997', '000000012')).toBe(name);
  });
});

describe('edi run', { timeout: 120_000 }, () => {
  it('sends files, keeps them by day, and writes what waits for partners', async () => {
    courier.put('ship.x12', notice(asn('RUN1'), { number: 1 }));
    const run = courier.start();
    await fileIn(join(courier.in, 'done'), /^ship\.x12$/);
    expect(namesIn(courier.in)).toEqual(['ship.x12']);
    const [{ status }] = (await stored('RUN1')) as [{ status: string }];
    expect(status).toBe('ACCEPTED');
    const name = await fileIn(courier.out, /^GREENVALLEY_997_\d{9}\.x12$/);
    expect(readFileSync(join(courier.out, name), 'utf8')).toMatch(/^ISA\*/);
    await taken();
    run.child.kill('SIGTERM');
    expect((await run.ended).code).toBe(0);
    expect(namesIn(courier.out).filter((one) => one.endsWith('.part'))).toEqual([]);
  });

  it.each([0o2770, 0o755, 0o700])('gives a file for a partner the access of its folder (%o)', async (mode) => {
    chmodSync(courier.out, mode);
    courier.put('ship.x12', notice(asn('RUN1'), { number: 1 }));
    const run = courier.start();
    const name = await fileIn(courier.out, /_997_\d{9}\.x12$/);
    expect(statSync(join(courier.out, name)).mode & 0o777).toBe(mode & 0o666);
    await taken();
    run.child.kill('SIGTERM');
    await run.ended;
  });

  it('sends the files of a folder for its partner only', async () => {
    await courier.town.partner({ theirs: { qualifier: 'ZZ', id: 'HILLTOP' } }, 'HILLTOP');
    courier.put('forged.x12', notice(asn('RUN9'), { number: 9 }));
    const run = courier.start('--partner', 'HILLTOP');
    await fileIn(join(courier.in, 'done'), /^forged\.x12$/);
    const { interchanges } = (await courier.town.operator('GET', `${EDI}/interchanges?status=QUARANTINED`)).body;
    expect(interchanges).toMatchObject([{ sender: { id: 'GREENVALLEY' } }]);
    run.child.kill('SIGTERM');
    expect((await run.ended).code).toBe(0);
  });

  it('leaves what waits for the tests of its partner to the process of the tests', async () => {
    await courier.town.partner({ usage: 'T' }, 'GREENVALLEY-T');
    courier.put('test.x12', notice(asn('RUN9'), { number: 9, usage: 'T' }));
    const run = courier.start('--partner', 'GREENVALLEY');
    await fileIn(join(courier.in, 'done'), /^test\.x12$/);
    courier.put('ship.x12', notice(asn('RUN8'), { number: 8 }));
    await fileIn(join(courier.in, 'done'), /^ship\.x12$/);
    await expect.poll(async () => (await waiting()).length, { interval: 100 }).toBe(1);
    const ofTests = `${EDI}/interchanges?direction=OUT&status=WAITING&partnerId=GREENVALLEY-T`;
    expect((await courier.town.operator('GET', ofTests)).body.interchanges).toHaveLength(1);
    expect(namesIn(courier.out).filter((name) => name.startsWith('GREENVALLEY-T'))).toEqual([]);
    run.child.kill('SIGTERM');
    await run.ended;
  });

  it('writes what waits for the profile of --test-partner, too', async () => {
    await courier.town.partner({ usage: 'T' }, 'GREENVALLEY-T');
    courier.put('test.x12', notice(asn('RUN9'), { number: 9, usage: 'T' }));
    const run = courier.start('--partner', 'GREENVALLEY', '--test-partner', 'GREENVALLEY-T');
    await fileIn(courier.out, /^GREENVALLEY-T_997_\d{9}\.x12$/);
    await taken();
    run.child.kill('SIGTERM');
    expect((await run.ended).err).toBe('');
  });

  it('says at its start if the partner of --partner does not exist, and sends the files', async () => {
    courier.put('ship.x12', notice(asn('RUN5'), { number: 5 }));
    const run = courier.start('--partner', 'GREENVALEY');
    await fileIn(join(courier.in, 'done'), /^ship\.x12$/);
    run.child.kill('SIGTERM');
    const { code, err } = await run.ended;
    expect([code, err]).toEqual([
      0,
      'backroom: client TOWN has no EDI partner "GREENVALEY"; until you create its profile, or correct --partner, the service quarantines all files.\n',
    ]);
  });

  it('keeps sent and rejected files in the folder of --state', async () => {
    const state = join(courier.out, '..', 'state');
    courier.put('letter.txt', 'Dear all');
    courier.put('ship.x12', notice(asn('RUN8'), { number: 8 }));
    const run = courier.start('--state', state);
    await fileIn(join(state, 'done'), /^ship\.x12$/);
    await fileIn(join(state, 'failed'), /^letter\.txt\.json$/);
    expect(readdirSync(courier.in)).toEqual([]);
    run.child.kill('SIGTERM');
    expect((await run.ended).code).toBe(0);
  });

  it('does not start with --state while files that were taken without it may not have been sent', async () => {
    const [state, old] = [join(courier.out, '..', 'state'), join(courier.in, '.work')];
    mkdirSync(old);
    writeFileSync(join(old, 'ship.x12'), notice(asn('RUN6'), { number: 6 }));
    const rejected = await courier.start('--state', state).ended;
    expect([rejected.code, rejected.err]).toEqual([
      2,
      `error: ${old} has files that were taken from --in without this --state, and that may not have been sent; move them to ${join(state, '.work')}.\n`,
    ]);
    mkdirSync(state);
    renameSync(old, join(state, '.work'));
    const run = courier.start('--state', state);
    await fileIn(join(state, 'done'), /^ship\.x12$/);
    run.child.kill('SIGTERM');
    expect((await run.ended).code).toBe(0);
  });

  it.each(['.work', 'failed'])('takes and writes nothing while %s is a link to another folder', async (name) => {
    const other = join(courier.out, '..', 'other');
    mkdirSync(other);
    writeFileSync(join(other, 'OTHER_861_000000001.x12'), 'ISA');
    symlinkSync(other, join(courier.in, name));
    courier.put('letter.txt', 'Dear all');
    const run = courier.start();
    let said = '';
    run.child.stderr!.on('data', (chunk: Buffer) => (said += chunk.toString()));
    await expect
      .poll(() => said, { timeout: 60_000 })
      .toContain(`${name} is a link; the command uses only real folders`);
    await sleep(3_000);
    expect(readdirSync(other)).toEqual(['OTHER_861_000000001.x12']);
    rmSync(join(courier.in, name));
    await fileIn(join(courier.in, 'failed'), /^letter\.txt\.json$/);
    run.child.kill('SIGTERM');
    const { code, err } = await run.ended;
    expect([code, err.split('\n').length]).toEqual([0, 2]);
  });

  it('does not write a file for the partner through a link', async () => {
    const target = join(courier.out, '..', 'target');
    writeFileSync(target, 'kept');
    courier.put('ship.x12', notice(asn('RUN7'), { number: 7 }));
    const first = courier.start();
    courier.at('POST', '/taken', 'before', () => first.child.kill('SIGKILL'));
    await first.ended;
    const [name] = namesIn(courier.out) as [string];
    symlinkSync(target, join(courier.out, `${name}.part`));
    const second = courier.start();
    await taken();
    expect(readFileSync(target, 'utf8')).toBe('kept');
    second.child.kill('SIGTERM');
    await second.ended;
  });

  it('puts what is no X12 aside, with the response beside it', async () => {
    courier.put('letter.txt', 'Dear all');
    const run = courier.start();
    await fileIn(join(courier.in, 'failed'), /^letter\.txt\.json$/);
    const response = JSON.parse(readFileSync(join(courier.in, 'failed', 'letter.txt.json'), 'utf8'));
    expect(response).toMatchObject({ status: 400, code: 'NO_ENVELOPE' });
    expect(namesIn(join(courier.in, 'failed'))).toEqual(['letter.txt', 'letter.txt.json']);
    run.child.kill('SIGTERM');
    expect((await run.ended).code).toBe(0);
  });

  it('leaves a file that it cannot read, says so once, and continues with other files and with those for partners', async () => {
    const closed = join(courier.in, 'closed.x12');
    courier.put('closed.x12', notice(asn('RUN3'), { number: 3 }));
    chmodSync(closed, 0o000);
    mkdirSync(join(courier.in, '.work'));
    writeFileSync(join(courier.in, '.work', 'claimed.x12'), notice(asn('RUN4'), { number: 4 }), { mode: 0o000 });
    courier.put('ship.x12', notice(asn('RUN5'), { number: 5 }));
    const run = courier.startUnprivileged();
    await fileIn(join(courier.in, 'done'), /^ship\.x12$/);
    await fileIn(courier.out, /_997_\d{9}\.x12$/);
    await sleep(2_500);
    expect(namesIn(courier.in)).toEqual(['claimed.x12', 'closed.x12', 'ship.x12']);
    chmodSync(closed, 0o640);
    await fileIn(join(courier.in, 'done'), /^closed\.x12$/);
    run.child.kill('SIGTERM');
    const { code, err } = await run.ended;
    expect([code, err.split('\n').filter(Boolean).sort()]).toEqual([
      0,
      [expect.stringContaining(`${closed} cannot be read`), expect.stringMatching(/EACCES.*claimed\.x12/)],
    ]);
  });

  it('says that it does not send a file whose name is not UTF-8, and sends it when it is renamed', async () => {
    const name = Buffer.concat([Buffer.from(join(courier.in, 'M')), Buffer.from([0xfc]), Buffer.from('ller.x12')]);
    writeFileSync(name, notice(asn('RUN6'), { number: 6 }));
    const run = courier.start();
    let said = '';
    run.child.stderr!.on('data', (chunk: Buffer) => (said += chunk.toString()));
    await expect.poll(() => said, { timeout: 60_000 }).toContain('is not UTF-8, so the file is not sent: rename it');
    renameSync(name, join(courier.in, 'Müller.x12'));
    await fileIn(join(courier.in, 'done'), /^Müller\.x12$/);
    run.child.kill('SIGTERM');
    const { code, err } = await run.ended;
    expect([code, err.split('\n').filter(Boolean)]).toEqual([0, [expect.stringContaining('ller.x12 is not UTF-8')]]);
  });

  it('leaves a file alone that is still being written', async () => {
    writeFileSync(join(courier.in, 'later.x12.part'), 'ISA');
    writeFileSync(join(courier.in, '.hidden'), 'ISA');
    courier.put('first.x12', notice(asn('RUN2'), { number: 1 }));
    // Length of the file, which grows until the other file is sent.
    let letters = 0;
    const growing = setInterval(() => {
      letters += 1;
      writeFileSync(join(courier.in, 'grows.x12'), 'I'.repeat(letters));
    }, 100);
    const run = courier.start();
    try {
      await fileIn(join(courier.in, 'done'), /^first\.x12$/);
    } finally {
      clearInterval(growing);
    }
    expect(namesIn(courier.in)).toEqual(['.hidden', 'first.x12', 'grows.x12', 'later.x12.part']);
    run.child.kill('SIGTERM');
    await run.ended;
  });

  describe('the order of the files', () => {
    const revision = (trailer: string) =>
      changed(asn('RUN3'), { BSN: 'BSN*05*RUN3*20261124*0930*0001', TD3: `TD3*TL**${trailer}` });

    it.each([
      ['the same name twice', ['ship.x12', 'ship.x12']],
      ['names that count without leading zeros', ['856_9.x12', '856_10.x12']],
    ])('is that in which they came, with %s', async (_names, [first, second]) => {
      const run = courier.start();
      await expect.poll(() => readdirSync(courier.in), { timeout: 60_000 }).toContain('.work');
      courier.setAway(true);
      courier.put(first!, notice(revision('EARLY'), { number: 1 }));
      await fileIn(join(courier.in, '.work'), /x12$/);
      courier.put(second!, notice(revision('LATER'), { number: 2 }));
      await expect.poll(() => namesIn(join(courier.in, '.work')).length, { timeout: 60_000 }).toBe(2);
      courier.setAway(false);
      await expect.poll(() => namesIn(join(courier.in, 'done')).length, { timeout: 60_000 }).toBe(2);
      expect(JSON.stringify(await courier.town.message('ASN', 'RUN3'))).toContain('LATER');
      run.child.kill('SIGTERM');
      await run.ended;
    });

    it('is kept when the first file must be sent again', async () => {
      courier.put('a.x12', notice(revision('EARLY'), { number: 1 }));
      courier.put('b.x12', notice(revision('LATER'), { number: 2 }));
      courier.respondOnce(503);
      const run = courier.start();
      await expect.poll(() => namesIn(join(courier.in, 'done')).length, { timeout: 60_000 }).toBe(2);
      expect(JSON.stringify(await courier.town.message('ASN', 'RUN3'))).toContain('LATER');
      run.child.kill('SIGTERM');
      await run.ended;
    });

    it.each([500, 403, 408])(
      'gives way if only one file gets %i again and again, which standard error names',
      async (status) => {
        courier.respondTo('EARLY', status);
        courier.put('a.x12', notice(revision('EARLY'), { number: 1 }));
        courier.put('b.x12', notice(revision('LATER'), { number: 2 }));
        const run = courier.start('--overtake-after', '3');
        await fileIn(join(courier.in, 'done'), /^b\.x12$/);
        expect(namesIn(join(courier.in, '.work'))).toEqual(['a.x12']);
        run.child.kill('SIGTERM');
        const { code, err } = await run.ended;
        const stuck = (later: string) => `a.x12 is not taken (${status}), but the service works; ${later}`;
        expect([code, err.split('\n').filter(Boolean)]).toEqual([
          0,
          [
            expect.stringContaining(stuck('later files wait for at most 3 s')),
            expect.stringContaining(stuck('later files no longer wait for it')),
          ],
        ]);
      },
    );
  });

  it('says once that the service cannot be reached, and that it is back', async () => {
    courier.setAway(true);
    const run = courier.start();
    let said = '';
    run.child.stderr!.on('data', (chunk: Buffer) => (said += chunk.toString()));
    await expect
      .poll(() => said, { timeout: 60_000 })
      .toMatch(/cannot be reached; the command tries again every second/);
    courier.put('ship.x12', notice(asn('RUN3'), { number: 1 }));
    courier.setAway(false);
    await fileIn(join(courier.in, 'done'), /^ship\.x12$/);
    run.child.kill('SIGTERM');
    const { code, err } = await run.ended;
    expect(code).toBe(0);
    expect(err).toMatch(/^backroom: \S+ cannot be reached; .+\nbackroom: \S+ can be reached again\.\n$/);
  });

  it.each([
    ['an address that is none', () => ['--url', 'nourl'], 'error: --url must be an address'],
    [
      'the same folder for both directions',
      () => ['--out', join(courier.in, '.')],
      'error: --in and --out are the same',
    ],
    [
      'a profile for tests without a partner',
      () => ['--test-partner', 'GREENVALLEY-T'],
      'error: --test-partner is only for a folder with --partner',
    ],
    ['a missing folder of files', () => ['--in', join(courier.in, 'none')], 'is not a folder; create it'],
  ])('calls %s wrong usage', async (_name, options, error) => {
    expect(await courier.start(...options()).ended).toEqual({ code: 2, out: '', err: expect.stringContaining(error) });
    expect(namesIn(courier.in)).toEqual([]);
  });

  it('ends with the reason if the service rejects the key', async () => {
    const file = join(courier.out, '..', 'wrong-key');
    writeFileSync(file, 'wrong');
    const { code, err } = await courier.start('--api-key-file', file).ended;
    expect(code).toBe(1);
    expect(err).toContain('backroom: The service rejects the key: {');
    expect(err).toContain('CREDENTIALS_INVALID');
  });

  it.each(['0', '601', '1.5', 'soon'])('rejects --complete-after %s', async (seconds) => {
    const { code, err } = await courier.start('--complete-after', seconds).ended;
    expect(code).not.toBe(0);
    expect(err).toContain('It must be a whole number from 1 to 600.');
  });

  it.each(['before', 'after'] as const)('has one effect if it is killed %s the service took a file', async (when) => {
    courier.put('ship.x12', notice(asn('RUN3'), { number: 1 }));
    const first = courier.start();
    courier.at('POST', '/interchanges', when, () => first.child.kill('SIGKILL'));
    expect((await first.ended).code).toBeNull();
    expect(namesIn(courier.in)).toEqual(['ship.x12']);
    const second = courier.start();
    await fileIn(join(courier.in, 'done'), /^ship\.x12$/);
    expect(await stored('RUN3')).toMatchObject([{ status: 'ACCEPTED' }]);
    await taken();
    // Two of the three 997 acknowledge files that the town had before; the third acknowledges ship.x12.
    expect(namesIn(courier.out).filter((one) => one.includes('_997_'))).toHaveLength(3);
    second.child.kill('SIGTERM');
    await second.ended;
  });

  it.each(['before', 'after'] as const)(
    'writes the same file if it is killed %s the service noted it',
    async (when) => {
      const first = courier.start();
      courier.at('POST', '/taken', when, () => first.child.kill('SIGKILL'));
      expect((await first.ended).code).toBeNull();
      const [name] = namesIn(courier.out) as [string];
      const before = readFileSync(join(courier.out, name), 'utf8');
      const second = courier.start();
      await taken();
      expect(readFileSync(join(courier.out, name), 'utf8')).toBe(before);
      second.child.kill('SIGTERM');
      await second.ended;
    },
  );
});
