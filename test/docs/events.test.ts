import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { EVENT_TYPE_NAMES } from '../../src/events/types.ts';
import { RETRY_AFTER_MS } from '../../src/webhooks/schedule.ts';
import { openTown } from '../support/town.ts';
import { ALLOWED, deliverer, openReceiver, WEBHOOKS } from '../webhooks/support.ts';
import { ROOT } from './pages.ts';

const page = readFileSync(join(ROOT, 'docs/events.md'), 'utf8');
const folder = mkdtempSync(join(tmpdir(), 'backroom-docs-'));
afterAll(() => rmSync(folder, { recursive: true }));

type Verify = (secret: string, headers: Record<string, string>, body: string, now: number) => { type: string };

async function verifier(): Promise<Verify> {
  const file = join(folder, 'verify.mjs');
  writeFileSync(file, /^```js verify\n([\s\S]*?)^```/m.exec(page)![1]!);
  return ((await import(pathToFileURL(file).href)) as { verify: Verify }).verify;
}

describe('docs/events.md', () => {
  it('has code that verifies deliveries, and rejects forged ones, old ones and those of another secret', async () => {
    const verify = await verifier();
    const town = await openTown({ env: ALLOWED });
    const receiver = await openReceiver();
    const { body } = await town.client.put(`${WEBHOOKS}/docs`, { url: receiver.url });
    await deliverer(town)();
    const [{ headers, body: text }] = receiver.received as [(typeof receiver.received)[0]];
    expect(verify(body.secret, headers, text, town.clock.now).type).toBe('webhook.created');
    const other = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;
    expect(() => verify(other, headers, text, town.clock.now)).toThrow('not signed');
    expect(() => verify(body.secret, headers, `${text} `, town.clock.now)).toThrow('not signed');
    expect(() => verify(body.secret, headers, text, town.clock.now + 301_000)).toThrow('too old');
    await receiver.close();
    await town.close();
  });

  it('has every type of event', () => {
    const listed = [...page.matchAll(/^\| `([a-z][A-Za-z]*\.[a-z][A-Za-z]*)` \| /gm)].map((match) => match[1]);
    expect(listed, 'run: npm run generate').toEqual(EVENT_TYPE_NAMES);
  });

  it('has the schedule of attempts', () => {
    const units: Record<string, number> = { s: 1_000, min: 60_000, h: 3_600_000 };
    const sentence = /retried after ([^,]+(?:, [^,]+)*? and 10 h)/.exec(page.replaceAll('\n', ' '))![1]!;
    const waits = [...sentence.matchAll(/(\d+) (s|min|h)\b/g)].map((match) => Number(match[1]) * units[match[2]!]!);
    expect(waits).toEqual(RETRY_AFTER_MS);
  });
});
