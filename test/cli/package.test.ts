import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { item } from '../import/support/shop.ts';

const folder = mkdtempSync(join(tmpdir(), 'backroom-package-'));
const installed = join(folder, 'node_modules/backroom');
const MAIN = join(installed, 'dist/main.js');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Packs the project and installs the package into an empty folder, as somebody without the sources does. */
beforeAll(() => {
  const run = (args: string[], cwd: string) => execFileSync('npm', args, { cwd, encoding: 'utf8', stdio: 'pipe' });
  run(['pack', '--pack-destination', folder], resolve('.'));
  const archive = readdirSync(folder).find((name) => name.endsWith('.tgz'))!;
  run(['init', '--yes'], folder);
  run(['install', '--omit=dev', '--no-save', join(folder, archive)], folder);
}, 300_000);

function backroom(...args: string[]): string {
  return execFileSync(process.execPath, [MAIN, ...args], { cwd: folder, encoding: 'utf8' });
}

describe('the published package', () => {
  it('holds the built program and its migrations, and no sources or tests', () => {
    expect(readdirSync(installed)).toEqual(expect.arrayContaining(['dist', 'README.md', 'LICENSE', 'CHANGELOG.md']));
    expect(readdirSync(installed)).not.toEqual(expect.arrayContaining(['src']));
    expect(readdirSync(join(installed, 'dist/migrations'))).toContain('001-init.sql');
  });

  it('tells its version', () => {
    expect(backroom('version')).toContain('0.1.0');
  });

  it('runs the demo', async () => {
    const demo = await started(['demo', '--port', '0'], 'Stop with Ctrl+C.');
    const version = (await (await fetch(`${demo.base}/version`)).json()) as { version: string };
    const code = await demo.stop();
    expect(version.version).toBe('0.1.0');
    expect(code).toBe(0);
  });

  it('serves with a bounded heap, shows its documentation, and imports a large file', async () => {
    const key = 'operator-key-of-the-package';
    const env = { PORT: '0', DATABASE_URL: `sqlite:${join(folder, 'shop.db')}`, BACKROOM_OPERATOR_KEY: key };
    const service = await started(['serve'], 'listening on', env);
    const made = await fetch(`${service.base}/operator/v1/clients/SHOP`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'Shop', catalogIds: ['A'] }),
    });
    const page = await fetch(`${service.base}/docs/static/swagger-ui.css`);
    const commandLine = process.platform === 'linux' ? readFileSync(`/proc/${service.pid}/cmdline`, 'utf8') : undefined;
    expect(await service.stop()).toBe(0);
    expect(made.status).toBe(201);
    expect(page.status).toBe(200);
    if (commandLine !== undefined) expect(commandLine).toContain('--max-semi-space-size=');

    // Large enough for a thread that reads ahead.
    const attributes = Array.from({ length: 6 }, (_, n) => ({ name: `note ${n}`, value: 'x'.repeat(250) }));
    const line = (n: number) => `${JSON.stringify(item(`K${n}`, { customDynamicAttributes: attributes }))}\n`;
    writeFileSync(join(folder, 'items.ndjson'), Array.from({ length: 3_000 }, (_, n) => line(n)).join(''));
    const said = execFileSync(
      process.execPath,
      [MAIN, 'import', 'items', 'items.ndjson', '--client', 'SHOP', '--json'],
      {
        cwd: folder,
        env: { ...process.env, ...env },
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      },
    );
    expect(JSON.parse(said)).toMatchObject({ rowsRead: 3_000, rowsImported: 3_000 });
  });
});

/** A command of the package that serves, as soon as it has said so. */
async function started(args: string[], saying: string, env: Record<string, string> = {}) {
  const child = spawn(process.execPath, [MAIN, ...args], {
    cwd: folder,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exit = new Promise<number | null>((done) => child.on('exit', done));
  let text = '';
  for await (const chunk of child.stdout.iterator({ destroyOnReturn: false })) {
    text += String(chunk);
    if (text.includes(saying)) break;
  }
  child.stdout.resume();
  const stop = () => {
    child.kill('SIGTERM');
    return exit;
  };
  return { base: /http:\/\/127\.0\.0\.1:\d+/.exec(text)?.[0] ?? '', pid: child.pid, stop };
}
