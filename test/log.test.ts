import { describe, expect, it } from 'vitest';
import { createLog } from '../src/platform/log.ts';

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

  it('is one JSON line an entry with the time in ISO form', () => {
    const line = JSON.parse(logged({ requestId: 'r1' })) as Record<string, unknown>;
    expect(line).toMatchObject({ requestId: 'r1', msg: 'a line' });
    expect(String(line['time'])).toMatch(/^\d{4}-\d\d-\d\dT.*Z$/);
  });
});
