import { execFileSync, spawn } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import ts from 'typescript';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { VERSION } from '../../src/platform/version.ts';
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
    expect(readdirSync(installed)).toEqual(
      expect.arrayContaining(['dist', 'docs', 'examples', 'README.md', 'LICENSE', 'CHANGELOG.md']),
    );
    expect(readdirSync(installed)).not.toEqual(expect.arrayContaining(['src']));
    expect(readdirSync(join(installed, 'dist/migrations'))).toContain('001-init.sql');
  });

  it('has every page, file and anchor that its documentation links to', () => {
    const pages = readdirSync(installed, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.md'));
    expect(pages).toEqual(expect.arrayContaining(['README.md', 'docs/operating.md', 'examples/client/README.md']));
    const broken = pages.flatMap((page) => {
      const prose = readFileSync(join(installed, page), 'utf8').replace(/```[\s\S]*?```|`[^`\n]*`/g, '');
      const targets = [...prose.matchAll(/\]\(([^)\s#]+)[^)]*\)/g)].map(([, target = '']) => target);
      return targets
        .filter((target) => !/^(https?|mailto):/.test(target) && !existsSync(join(installed, dirname(page), target)))
        .map((target) => `${page} -> ${target}`);
    });
    expect(broken).toEqual([]);
  });

  it('has every page that its help and its messages name', () => {
    const dist = join(installed, 'dist');
    const code = readdirSync(dist).filter((name) => name.endsWith('.js'));
    const named = code.flatMap((name) => {
      const text = readFileSync(join(dist, name), 'utf8').replace(/^\s*(\/?\*|\/\/).*$/gm, '');
      return [...text.matchAll(/(?<![\w/.])((?:docs|examples|contract)\/[\w/.-]+\.\w+)/g)].map(([, path = '']) => path);
    });
    expect(named).toEqual(expect.arrayContaining(['docs/operating.md', 'docs/importing.md']));
    expect(backroom('--help')).toContain('docs/operating.md');
    expect([...new Set(named)].filter((path) => !existsSync(join(installed, path)))).toEqual([]);
  });

  it('types an import mapping, and runs the example mappings where they are copied to', () => {
    const own = join(folder, 'mappings');
    cpSync(join(installed, 'examples/online-retail'), own, { recursive: true });
    const checked = { module: ts.ModuleKind.NodeNext, moduleResolution: ts.ModuleResolutionKind.NodeNext };
    const options = { ...checked, strict: true, noEmit: true, allowImportingTsExtensions: true, types: [] };
    const program = ts.createProgram([join(own, 'nodes.ts')], {
      ...options,
      target: ts.ScriptTarget.ES2024,
      skipLibCheck: true,
    });
    const about = program
      .getSemanticDiagnostics(program.getSourceFile(join(own, 'nodes.ts')))
      .map((one) => ts.flattenDiagnosticMessageText(one.messageText, ' '));
    expect(about).toEqual([]);
    const env = { ...process.env, DATABASE_URL: `sqlite:${join(folder, 'mapped.db')}` };
    const run = (...args: string[]) =>
      execFileSync(process.execPath, [MAIN, ...args], {
        cwd: folder,
        env,
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'pipe'],
      });
    run('migrate');
    const store = {
      id: 7,
      type: 'BigBox',
      name: 'Seven',
      address: '7 Street',
      address2: null,
      city: 'Town',
      state: 'MN',
    };
    const more = { zip: '55100', location: { lat: 45, lon: -93 }, hours: 'Mon: 10-9; Tue: 10-9', services: [] };
    writeFileSync(join(folder, 'stores.json'), JSON.stringify([{ ...store, ...more }]));
    // There is no client yet: what the mapping made gets as far as the rules of the service.
    expect(() => run('import', 'nodes', 'stores.json', '--client', 'NONE', '--mapping', 'mappings/nodes.ts')).toThrow(
      /NONE/,
    );
  });

  it('tells its version', () => {
    expect(backroom('version')).toContain(VERSION);
  });

  it('runs the demo', async () => {
    const demo = await started(['demo', '--port', '0'], 'Stop with Ctrl+C.');
    const version = (await (await fetch(`${demo.base}/version`)).json()) as { version: string };
    const code = await demo.stop();
    expect(version.version).toBe(VERSION);
    expect(code).toBe(0);
  });

  it('serves with a bounded heap, shows its documentation, and imports a large file', async () => {
    const key = 'operator-key-of-the-package';
    const env = { PORT: '0', DATABASE_URL: `sqlite:${join(folder, 'shop.db')}`, BACKROOM_OPERATOR_KEY: key };
    // Packages that it does not bring are missing here, as after any installation.
    const traced = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' };
    const service = await started(['serve'], 'listening on', { ...env, ...traced });
    const made = await fetch(`${service.base}/operator/v1/clients/SHOP`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'Shop', catalogIds: ['A'] }),
    });
    const page = await fetch(`${service.base}/docs/scalar.js`);
    const commandLine = process.platform === 'linux' ? readFileSync(`/proc/${service.pid}/cmdline`, 'utf8') : undefined;
    expect(await service.stop()).toBe(0);
    expect(service.said).toContain('(npm install @opentelemetry/api@1 @opentelemetry/sdk-trace@3 ');
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
  return { base: /http:\/\/127\.0\.0\.1:\d+/.exec(text)?.[0] ?? '', said: text, pid: child.pid, stop };
}
