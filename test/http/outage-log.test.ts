import type { FastifyRequest } from 'fastify';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { OutageLog } from '../../src/platform/http/outage-log.ts';
import { createLog } from '../../src/platform/log.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

it('an outage of the database is a line a second with the count of rejected requests', () => {
  const lines: { level: number; count: number; requestId: string; msg: string }[] = [];
  const log = createLog('info', { write: (line: string) => lines.push(JSON.parse(line)) });
  const outage = new OutageLog(log);
  const reject = (times: number) => {
    for (let at = 1; at <= times; at += 1)
      outage.note(new Error('gone'), { id: `r${at}`, headers: {} } as FastifyRequest);
  };
  reject(776);
  expect(lines.map(({ count }) => count)).toEqual([1]);
  vi.advanceTimersByTime(1_000);
  expect(lines.map(({ count }) => count)).toEqual([1, 775]);
  expect(lines[1]).toMatchObject({
    level: 50,
    requestId: 'r776',
    msg: expect.stringContaining('775 requests were rejected'),
  });
  vi.advanceTimersByTime(60_000);
  expect(lines).toHaveLength(2);
  reject(1);
  expect(lines.map(({ count }) => count)).toEqual([1, 775, 1]);
});
