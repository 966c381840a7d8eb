/** The receivers of docs/how-to/receive-webhooks.md accept real deliveries and reject forged ones. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { freePort } from '../../town/free-port.ts';
import { openBackroom } from '../support/backroom.ts';
import { hasLanguage } from '../support/languages.ts';
import { ALLOWED, deliverer, openReceiver } from '../webhooks/support.ts';
import { ROOT } from './pages.ts';

const page = readFileSync(join(ROOT, 'docs/how-to/receive-webhooks.md'), 'utf8');
const folder = mkdtempSync(join(tmpdir(), 'backroom-receivers-'));
let child: ChildProcess | undefined;
afterEach(() => child?.kill('SIGKILL'));
afterAll(() => rmSync(folder, { recursive: true }));

const LANGUAGES = [
  { mark: 'ts', file: 'receiver.ts', command: process.execPath },
  { mark: 'python', file: 'receiver.py', command: 'python3' },
  { mark: 'java', file: 'Receiver.java', command: 'java' },
].filter(({ command }) => hasLanguage(command));

describe('docs/how-to/receive-webhooks.md', () => {
  it.each(LANGUAGES)(
    'has a receiver in $mark that accepts only genuine deliveries',
    async ({ mark, file, command }) => {
      const operator = { authorization: `Bearer ${OPERATOR}` };
      const port = await freePort();
      const url = `http://127.0.0.1:${port}/hook`;
      const backroom = await openBackroom({ ...ALLOWED, BACKROOM_OPERATOR_KEY: OPERATOR }, { now: Date.now() });
      const put = (path: string, body: unknown) => backroom.call({ method: 'PUT', path, body, headers: operator });
      await put('/operator/v1/clients/SHOP', { name: 'Shop', catalogIds: ['1'] });
      const { body } = await put('/operator/v1/clients/SHOP/webhooks/docs', { url });

      writeFileSync(
        join(folder, file),
        new RegExp(`^\`\`\`${mark} receiver\\n([\\s\\S]*?)^\`\`\``, 'm').exec(page)![1]!,
      );
      child = spawn(command, [file], {
        cwd: folder,
        env: { PATH: process.env.PATH, WEBHOOK_SECRET: body.secret, PORT: String(port) },
      });
      let output = '';
      child.stdout!.on('data', (chunk: Buffer) => (output += chunk.toString()));
      child.stderr!.on('data', (chunk: Buffer) => (output += chunk.toString()));
      await expect
        .poll(
          () =>
            fetch(url, { method: 'POST' }).then(
              ({ status }) => status,
              () => output,
            ),
          POLL,
        )
        .toBe(401);

      await deliverer(backroom as never, backroom.store, ALLOWED)();
      await expect.poll(() => output, POLL).toContain('webhook.created');

      // The receiver must reject a delivery that was changed after it was signed.
      const tap = await openReceiver();
      await put('/operator/v1/clients/SHOP/webhooks/docs', { url: tap.url });
      await deliverer(backroom as never, backroom.store, ALLOWED)();
      const { headers, body: text } = tap.received.at(-1)!;
      const send = async (changed: Record<string, string>, sent = text) => {
        const own = Object.entries(headers).filter(([name]) => name.startsWith('webhook-'));
        return (await fetch(url, { method: 'POST', headers: { ...Object.fromEntries(own), ...changed }, body: sent }))
          .status;
      };
      expect(await send({})).toBe(204);
      expect(await send({ 'webhook-signature': `v1,AAAA ${headers['webhook-signature']}` })).toBe(204);
      expect(await send({}, `${text} `)).toBe(401);
      expect(await send({ 'webhook-id': 'another' })).toBe(401);
      expect(await send({ 'webhook-signature': 'v1,AAAA' })).toBe(401);
      expect(await send({ 'webhook-timestamp': 'soon' })).toBe(401);
      expect(await send({ 'webhook-timestamp': String(Number(headers['webhook-timestamp']) - 400) })).toBe(401);
      await tap.close();
      await backroom.close();
    },
    60_000,
  );
});

const OPERATOR = 'operator-key-of-the-receivers-4711';
const POLL = { timeout: 20_000, interval: 100 };
