import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'backroom-package-'));
const installed = join(folder, 'node_modules/backroom');
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
  return execFileSync(process.execPath, [join(installed, 'dist/main.js'), ...args], { cwd: folder, encoding: 'utf8' });
}

describe('the published package', () => {
  it('holds the built program and its migrations, and no sources or tests', () => {
    expect(readdirSync(installed)).toEqual(expect.arrayContaining(['dist', 'README.md', 'LICENSE', 'CHANGELOG.md']));
    expect(readdirSync(installed)).not.toEqual(expect.arrayContaining(['src']));
    expect(readdirSync(join(installed, 'dist/storage/migrations'))).toContain('001-init.sql');
  });

  it('tells its version', () => {
    expect(backroom('version')).toContain('0.1.0');
  });

  it('runs the demo', async () => {
    const demo = spawn(process.execPath, [join(installed, 'dist/main.js'), 'demo', '--port', '0'], {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let text = '';
    for await (const chunk of demo.stdout) {
      text += String(chunk);
      if (text.includes('Stop with Ctrl+C.')) break;
    }
    const base = /http:\/\/127\.0\.0\.1:\d+/.exec(text)?.[0] ?? '';
    const version = (await (await fetch(`${base}/version`)).json()) as { version: string };
    expect(version.version).toBe('0.1.0');
    demo.kill('SIGTERM');
    expect(await new Promise((done) => demo.on('exit', done))).toBe(0);
  });
});
