import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import ts from 'typescript';
import { afterAll, beforeAll, describe, expect, it, type TestContext } from 'vitest';
import { VERSION } from '../../src/platform/version.ts';
import { item } from '../import/support/shop.ts';

const folder = mkdtempSync(join(tmpdir(), 'backroom-package-'));
const installed = join(folder, 'node_modules/backroom-fulfillment');
const MAIN = join(installed, 'dist/main.js');
/** The command that npm links. */
const COMMAND = join(folder, 'node_modules/.bin/backroom');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Packs the project and installs the package into an empty folder, as a user without the sources does. */
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
  it('contains the built program and its migrations, and no sources or tests', () => {
    expect(readdirSync(installed)).toEqual(
      expect.arrayContaining(['dist', 'docs', 'examples', 'README.md', 'LICENSE', 'CHANGELOG.md']),
    );
    expect(readdirSync(installed)).not.toEqual(expect.arrayContaining(['src']));
    expect(readdirSync(join(installed, 'dist/migrations'))).toContain('001-init.sql');
  });

  it('contains the contract with the types of a client', () => {
    const types = readFileSync(join(installed, 'contract/client.d.ts'), 'utf8');
    expect(types).toMatch(/^export interface paths \{$/m);
    expect(types).toMatch(/^ {4}"order\.canceled": \{$/m);
    expect(readdirSync(join(installed, 'contract'))).toEqual(expect.arrayContaining(['examples', 'openapi.json']));
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

  it('provides types for an import mapping, and runs copies of the example mappings', () => {
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
    const load = () => run('import', 'nodes', 'stores.json', '--client', 'NONE', '--mapping', 'mappings/nodes.ts');
    writeFileSync(join(own, 'package.json'), '{ "type": "commonjs" }');
    expect(load).toThrow(
      /mappings\/nodes\.ts is an ES module, but .* put a package\.json with "type": "module" next to it/,
    );
    writeFileSync(join(own, 'package.json'), '{ "type": "module" }');
    // The command loads the mapping first. It then fails because the client does not exist.
    expect(load).toThrow(/There is no client "NONE"/);
  });

  it('prints its version', () => {
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
    // npm does not install the optional packages of OpenTelemetry with Backroom. The service must serve without them.
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

    // The file is so large that the import reads it in a separate thread.
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

const { engines } = JSON.parse(readFileSync(resolve('package.json'), 'utf8')) as { engines: { node: string } };
const OLDEST = engines.node.replace('>=', '');

describe(`Node.js ${OLDEST}, the oldest that package.json names`, () => {
  const [major = 0, minor = 0] = OLDEST.split('.').map(Number);
  const before = `${major}.${minor - 1}.0`;
  let problem: string | undefined;
  beforeAll(() => {
    problem = installNodes([OLDEST, before]);
  }, 120_000);
  /** Skips the test if npm cannot install the Node.js versions, and reports the reason. */
  const needNodes = ({ skip }: TestContext) => skip(problem !== undefined, `npm cannot install Node.js: ${problem}`);

  it('starts, serves and signs a user in', { timeout: 60_000 }, async (context) => {
    needNodes(context);
    const node = nodeOf(OLDEST);
    expect(execFileSync(node, [COMMAND, 'version'], { encoding: 'utf8' })).toContain(`(node ${OLDEST})`);
    const env = {
      PORT: '0',
      DATABASE_URL: `sqlite:${join(folder, 'oldest.db')}`,
      BACKROOM_OPERATOR_KEY: 'operator-key-of-the-oldest-node',
    };
    const service = await started(['serve'], 'listening on', env, [node, COMMAND]);
    const send = (method: string, path: string, body: unknown) =>
      fetch(`${service.base}${path}`, {
        method,
        headers: {
          authorization: `Bearer ${env.BACKROOM_OPERATOR_KEY}`,
          'content-type': 'application/json',
          'sec-fetch-site': 'same-origin',
        },
        body: JSON.stringify(body),
      });
    const password = 'a stack of brown boxes';
    await send('PUT', '/operator/v1/clients/SHOP', { name: 'Shop', catalogIds: ['A'] });
    await send('PUT', '/operator/v1/clients/SHOP/users/ana', { name: 'Ana', role: 'associate', nodeIds: [], password });
    const session = await send('POST', '/session', { clientId: 'SHOP', userId: 'ana', password });
    const wrong = await send('POST', '/session', { clientId: 'SHOP', userId: 'ana', password: `${password}!` });
    const code = await service.stop();
    expect([session.status, wrong.status, code]).toEqual([201, 401, 0]);
  });

  it(`is named as required in one sentence on ${before}, by every command and by the program itself`, (context) => {
    needNodes(context);
    for (const args of [
      [COMMAND, 'version'],
      [COMMAND, 'serve'],
      [MAIN, 'serve'],
    ]) {
      const { status, stdout, stderr } = spawnSync(nodeOf(before), args, { cwd: folder, encoding: 'utf8' });
      const sentence = `backroom: Node.js ${OLDEST} or newer is needed; this is ${before}.\n`;
      expect({ args, status, stdout, stderr }).toEqual({ args, status: 1, stdout: '', stderr: sentence });
    }
  });
});

/** Returns the path of the executable of an installed version. */
function nodeOf(version: string): string {
  return join(folder, 'nodes/node_modules', `node-${version}`, 'bin/node');
}

/**
 * Installs versions of Node.js from the registry or the cache of npm. Returns the reason if the registry cannot be
 * reached; undefined after a success. @throws Error with the output of npm after any other error
 */
function installNodes(versions: readonly string[]): string | undefined {
  // The `node` package takes its executables from these packages.
  const family = process.platform === 'darwin' && process.arch === 'arm64' ? 'node-bin' : 'node';
  const about = versions.map((one) => `node-${one}@npm:${family}-${process.platform}-${process.arch}@${one}`);
  const place = join(folder, 'nodes');
  mkdirSync(place);
  writeFileSync(join(place, 'package.json'), '{"private": true}');
  const { status, stderr } = spawnSync(
    'npm',
    ['install', '--no-save', '--no-audit', '--no-fund', '--prefer-offline', '--fetch-retries=1', ...about],
    { cwd: place, encoding: 'utf8' },
  );
  const isUnreachable = /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|ENOTCACHED/.test(stderr);
  if (status === 0 || isUnreachable) return status === 0 ? undefined : 'the registry cannot be reached';
  throw new Error(stderr);
}

/** Starts a serving command of the package and waits until it prints `saying`. */
async function started(
  args: string[],
  saying: string,
  env: Record<string, string> = {},
  [node, program]: readonly [string, string] = [process.execPath, MAIN],
) {
  const child = spawn(node, [program, ...args], {
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
