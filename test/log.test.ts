import { execFileSync } from 'node:child_process';
import { closeSync, constants, mkdtempSync, openSync, readFileSync, readSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createLog } from '../src/platform/log.ts';
import { LogOutput } from '../src/platform/log-output.ts';
import { SmallDisk, whyNoMount } from '../town/disk.ts';

function logged(entry: object): string {
  let text = '';
  const log = createLog('info', {
    write: (line: string) => {
      text += line;
    },
  });
  log.info(entry, 'a line');
  return text;
}

describe('the log', () => {
  it.each([
    ['a header', { headers: { authorization: 'Basic SECRET', apikey: 'SECRET' } }],
    ['a credential', { apiKey: 'SECRET', password: 'SECRET' }],
    ['a PIN', { order: { pinNumber: 'SECRET' } }],
    ['a contact', { order: { customer: { name: 'SECRET' }, proxyDetails: { name: 'SECRET' } } }],
    ['an address', { body: { order: { destinations: [{ phone: 'SECRET' }] } } }],
  ])('never shows %s', (_what, entry) => {
    const text = logged(entry);
    expect(text).not.toContain('SECRET');
    expect(text).toContain('[redacted]');
  });

  it('has the code and the table of an error of PostgreSQL, but not the row that it quotes', () => {
    const quoted = { detail: 'Failing row contains (SECRET)', where: 'SECRET', internalQuery: 'SECRET' };
    const text = logged({
      err: Object.assign(new Error('not null'), { code: '23502', table: 'order_notes', ...quoted }),
    });
    expect(text).not.toContain('SECRET');
    const { err } = JSON.parse(text) as { err: object };
    expect(err).toMatchObject({ type: 'Error', message: 'not null', code: '23502', table: 'order_notes' });
    expect(err).toHaveProperty('stack');
  });

  it('is one JSON line an entry with the time in ISO form', () => {
    const line = JSON.parse(logged({ requestId: 'r1' })) as Record<string, unknown>;
    expect(line).toMatchObject({ requestId: 'r1', msg: 'a line' });
    expect(String(line['time'])).toMatch(/^\d{4}-\d\d-\d\dT.*Z$/);
  });
});

const folder = mkdtempSync(join(tmpdir(), 'backroom-log-'));
const noMount = whyNoMount(join(folder, 'probe'));

describe('a log whose reader hangs', () => {
  it('drops the lines beyond 4 MiB, and says how many when the reader continues', async () => {
    const fifo = join(folder, 'fifo');
    execFileSync('mkfifo', [fifo]);
    const pipe = openSync(fifo, constants.O_RDWR | constants.O_NONBLOCK);
    try {
      const output = new LogOutput(pipe);
      const line = (msg: string) => `${JSON.stringify({ msg })}\n`;
      for (let number = 1; number <= 12_000; number += 1) output.write(line(`${number} ${'x'.repeat(1_000)}`));
      await sleep(200);
      const rest = Buffer.alloc(65_536);
      let text = '';
      const read = () => {
        try {
          for (;;) text += rest.toString('utf8', 0, readSync(pipe, rest));
        } catch (error) {
          expect(error).toMatchObject({ code: 'EAGAIN' });
          return text;
        }
      };
      const hasRead = (words: string, charactersAfter: number) =>
        expect
          .poll(
            () => {
              const at = read().indexOf(words);
              return at >= 0 && text.length - at > charactersAfter;
            },
            { interval: 5 },
          )
          .toBe(true);
      await hasRead('could not be written', 4_000_000);
      output.write(line('last'));
      await hasRead('"last"', 0);
      expect(text.length).toBeLessThan(4.5 * 1024 * 1024);
      const lines = text
        .trimEnd()
        .split('\n')
        .map((one) => (JSON.parse(one) as { msg: string }).msg);
      const told = lines.filter((msg) => msg.startsWith('lines of the log'));
      const arrived = lines.filter((msg) => msg.includes('xx'));
      expect(told).toEqual([`lines of the log that could not be written: at most ${12_000 - arrived.length}`]);
      expect(lines.at(-1)).toBe('last');
    } finally {
      closeSync(pipe);
    }
  });
});

describe.skipIf(noMount !== undefined)('a log on a full disk', () => {
  it('continues when there is space again, and says how many lines were dropped', async () => {
    const disk = SmallDisk.make(join(folder, 'full'), 1);
    const [file, ballast] = [join(disk.folder, 'backroom.log'), join(disk.folder, 'ballast')];
    const log = openSync(file, 'a');
    try {
      const output = new LogOutput(log);
      const lines = () => readFileSync(file, 'utf8').split('\n').filter(Boolean);
      const line = (msg: string) => `${JSON.stringify({ msg })}\n`;
      output.write(line('before'));
      await expect.poll(lines).toHaveLength(1);
      expect(() => writeFileSync(ballast, Buffer.alloc(2 * 1024 * 1024))).toThrow('ENOSPC');
      // The disk has room only in the last page of the file, so the log writes only the beginning of this line.
      output.write(line('x'.repeat(50_000)));
      await expect.poll(lines).toHaveLength(2);
      // The log then immediately tries to write the rest of the line. This must fail before the test frees space.
      await sleep(500);
      rmSync(ballast);
      let written = 0;
      await expect
        .poll(() => {
          written += 1;
          output.write(line(`after ${written}`));
          return lines().at(-1);
        })
        .toMatch(/after/);
      await expect.poll(() => lines().at(-1)).toBe(`{"msg":"after ${written}"}`);
      const [first, torn, dropped, ...after] = lines();
      expect([first, torn]).toEqual(['{"msg":"before"}', expect.stringMatching(/^\{"msg":"xx+$/)]);
      expect(JSON.parse(dropped!)).toMatchObject({
        level: 40,
        msg: expect.stringMatching(/^lines of the log that could not be written: at most \d+$/),
      });
      expect(after.every((one) => one.includes('after'))).toBe(true);
    } finally {
      closeSync(log);
      disk.remove();
      rmSync(folder, { recursive: true });
    }
  });
});
