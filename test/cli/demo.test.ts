import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLog } from '../../src/platform/log.ts';
import { systemPorts } from '../../src/platform/ports.ts';
import { startDemo } from '../../src/service/cli/demo.ts';
import { operations } from '../../src/service/operations.ts';
import { RETURN_STATES } from '../../src/shared/return-states.ts';
import { testProgram } from '../../town/test-program.ts';

let demo: ChildProcess;
let lines: string[];

/** Starts `backroom demo` from the sources as `npm run demo` does, and reads its output until the tour is complete. */
beforeAll(async () => {
  demo = spawn(process.execPath, ['src/main.ts', 'demo', '--port', '0'], { stdio: ['ignore', 'pipe', 'inherit'] });
  let text = '';
  for await (const chunk of demo.stdout!) {
    text += String(chunk);
    if (text.includes('Stop with Ctrl+C.')) break;
  }
  lines = text.split('\n');
});
afterAll(() => void demo.kill('SIGKILL'));

/** Returns the value of a variable that the demo prints. */
const exported = (name: string) =>
  execFileSync('bash', ['-c', `${lines.find((line) => line.startsWith(`export ${name}=`))}; printf %s "$${name}"`], {
    encoding: 'utf8',
  });

const isCurl = (line: string) => /^(printf .* \| )?curl /.test(line);

describe('the demo', () => {
  it('listens on loopback only and prints the address', () => {
    expect(lines[0]).toMatch(/^Backroom listens on http:\/\/127\.0\.0\.1:\d+ /);
  });

  it('prints a curl line for every operation except those of a sandbox and those that need an authenticator, a printer, a seller of labels or a receiver', () => {
    const shown = lines
      .filter((_line, index) => isCurl(lines[index + 1] ?? ''))
      .map((line) => /^# (\w+):/.exec(line)?.[1]);
    const needing = [
      'challengePasskey',
      'registerPasskey',
      'addPasskey',
      'signInWithPasskey',
      'deletePasskey',
      'printLabels',
      'buyPackageLabel',
      'testWebhook',
    ];
    const others = operations.filter(({ id, path }) => !path.includes('/sandbox/') && !needing.includes(id));
    expect(new Set(shown)).toEqual(new Set(others.map((operation) => operation.id)));
  });

  it('has a return in each state', async () => {
    const answer = await fetch(`${exported('BASE')}/operator/v1/stores/TOWN_US/returns/search`, {
      method: 'POST',
      headers: { apiKey: exported('API_KEY'), 'content-type': 'application/json' },
      body: '{}',
    });
    const { returns } = (await answer.json()) as { returns: { number: string; state: string }[] };
    expect(new Set(returns.map(({ state }) => state))).toEqual(new Set(RETURN_STATES));
  });

  it('delivers a test event to a receiver on the same machine', async () => {
    const received: string[] = [];
    const receiver = createServer((request, response) => {
      request.on('data', (chunk: Buffer) => received.push(chunk.toString()));
      request.on('end', () => response.end());
    });
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
    const { port } = receiver.address() as AddressInfo;
    const webhook = `${exported('BASE')}/operator/v1/clients/TOWN/webhooks/own-machine`;
    const headers = { apiKey: exported('API_KEY'), 'content-type': 'application/json' };
    const body = JSON.stringify({ url: `http://127.0.0.1:${port}/`, types: ['order.*'] });
    expect((await fetch(webhook, { method: 'PUT', headers, body })).status).toBe(201);
    const tested = await fetch(`${webhook}/test`, { method: 'POST', headers: { apiKey: headers.apiKey } });
    expect(await tested.json()).toMatchObject({ delivered: true, status: 200 });
    expect(received.join()).toContain('webhook.tested');
    await fetch(webhook, { method: 'DELETE', headers: { apiKey: headers.apiKey } });
    receiver.close();
  });

  it('prints lines that all get 2xx when they are run in sequence', () => {
    const exports = lines.filter((line) => line.startsWith('export '));
    const curls = lines.filter(isCurl);
    expect(exports).toHaveLength(5);
    const script = [...exports, ...curls.map((line) => `${line} || echo " refused"`)].join('\n');
    const output = execFileSync('bash', ['-c', script], { encoding: 'utf8' });
    expect(output).not.toContain(' refused');
    const statuses = [...output.matchAll(/ (\d{3})\n/g)].map((match) => match[1]);
    expect(statuses).toHaveLength(curls.length);
    for (const status of statuses) expect(status).toMatch(/^2\d\d$/);
  });

  it('uses other credentials at every start, and rejects a folder that has a database', async () => {
    const { main, env } = testProgram();
    const data = mkdtempSync(join(tmpdir(), 'backroom-demo-test-'));
    const start = () =>
      spawn(process.execPath, [main, 'demo', '--port', '0', '--data', data], { env: { ...process.env, ...env } });
    try {
      const again = start();
      let text = '';
      for await (const chunk of again.stdout) {
        text += String(chunk);
        if (text.includes('Stop with Ctrl+C.')) break;
      }
      again.kill('SIGTERM');
      await once(again, 'exit');
      const secrets = (all: string[]) => all.filter((line) => /^export (API_KEY|BASIC|OPERATOR_KEY)=/.test(line));
      expect(secrets(text.split('\n'))).toHaveLength(3);
      for (const line of secrets(text.split('\n'))) expect(lines).not.toContain(line);

      const files = () => readdirSync(data).map((name) => [name, statSync(join(data, name)).mtimeMs]);
      const before = files();
      const third = start();
      let error = '';
      third.stderr.on('data', (chunk) => {
        error += String(chunk);
      });
      expect(await once(third, 'close')).toEqual([1, null]);
      expect(error).toBe(
        `backroom: ${data} has a database already: serve it with DATABASE_URL=sqlite:${data}/backroom.db backroom serve, or name another folder.\n`,
      );
      expect(files()).toEqual(before);
    } finally {
      rmSync(data, { recursive: true });
    }
  });

  it('leaves no database in its folder if its data fails, so the next start can use the folder', async () => {
    const data = mkdtempSync(join(tmpdir(), 'backroom-demo-test-'));
    const ports = systemPorts(createLog('warn'));
    const fails = () => {
      throw new Error('no passwords');
    };
    const start = () =>
      startDemo({
        port: 0,
        data,
        print: () => undefined,
        // Only the passwords of the town have 12 bytes.
        ports: { ...ports, randomBytes: (size) => (size === 12 ? fails() : ports.randomBytes(size)) },
      });
    try {
      await expect(start()).rejects.toThrow('no passwords');
      expect(readdirSync(data).filter((name) => /\.db(-|$)/.test(name))).toEqual([]);
      await expect(start()).rejects.toThrow('no passwords');
    } finally {
      rmSync(data, { recursive: true });
    }
  });

  it('ends on SIGTERM with exit code 0 and removes its data', async () => {
    const folder = / its data is in (\S+)$/.exec(lines[0]!)?.[1] ?? '';
    expect(existsSync(folder)).toBe(true);
    demo.kill('SIGTERM');
    const code = await new Promise((resolve) => demo.on('exit', resolve));
    expect(code).toBe(0);
    expect(existsSync(folder)).toBe(false);
  });
});
