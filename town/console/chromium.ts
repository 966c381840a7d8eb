/**
 * Finds the Chromium for the tests of the console: first at CHROMIUM_PATH, then in the system, then in the packages of
 * `npm ci`. So the tests need only the two commands of the README.
 */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, type BrowserContext, chromium, type LaunchOptions } from 'playwright-core';
import { PACKAGE_ROOT } from '../../src/platform/version.ts';

const SYSTEM_PATHS = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** Returns the options that launch a Chromium of this machine. */
export function launchOptions(): LaunchOptions {
  const own = process.env['CHROMIUM_PATH'] || SYSTEM_PATHS.find((path) => existsSync(path));
  // A container runs tests as root, and Chromium has no sandbox for root. The tests open only pages of this repository.
  const common = { chromiumSandbox: false, args: ['--no-zygote', '--force-color-profile=srgb', '--disable-gpu'] };
  return own === undefined ? { ...common, ...bundled() } : { ...common, executablePath: own };
}

/** A browser with a separate profile, like a device. Its stored data survives a restart. */
export interface DeviceBrowser {
  browser: Browser;
  context: BrowserContext;
  /** Kills all processes of the browser at the same moment, as an empty battery does. */
  kill: () => Promise<void>;
}

/** Starts a browser whose profile is in `folder`. */
export async function launchDevice(folder: string): Promise<DeviceBrowser> {
  const { executablePath = '', args = [], env = process.env } = launchOptions();
  const own = ['--headless', '--no-sandbox', '--remote-debugging-port=0', `--user-data-dir=${folder}`, ...args];
  // With `detached`, the browser has a separate process group, so that `kill` also ends its renderers.
  const child = spawn(executablePath, own, {
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe'],
    env: env,
  });
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const address = await new Promise<string>((resolve, reject) => {
    let said = '';
    child.once('exit', () => reject(new Error(`Chromium did not start: ${said}`)));
    child.stderr.on('data', (part: Buffer) => {
      said += part.toString('utf8');
      const found = /DevTools listening on (ws:\S+)/.exec(said)?.[1];
      if (found !== undefined) resolve(found);
    });
  });
  const browser = await chromium.connectOverCDP(address);
  return {
    browser,
    context: browser.contexts()[0]!,
    kill: async () => {
      process.kill(-child.pid!, 'SIGKILL');
      await gone;
    },
  };
}

/** Returns the options that launch the Chromium of @sparticuz/chromium, unpacked once per checkout (200 MB, 3 s). */
function bundled(): Pick<LaunchOptions, 'executablePath' | 'env'> {
  const folder = join(PACKAGE_ROOT, 'node_modules/.cache', `chromium-${versionOfBundled()}`);
  if (!existsSync(folder)) unpack(folder);
  const executablePath = join(folder, 'chromium');
  // With the fonts of the package, pages look the same on every machine.
  const env = { ...process.env, FONTCONFIG_PATH: join(folder, 'fonts') } as Record<string, string>;
  const starts = spawnSync(executablePath, ['--version'], { env }).status === 0;
  if (!starts) env['LD_LIBRARY_PATH'] = join(folder, 'al2023/lib');
  return { executablePath, env };
}

function versionOfBundled(): string {
  const text = readFileSync(join(PACKAGE_ROOT, 'node_modules/@sparticuz/chromium/package.json'), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}

/**
 * Unpacks Chromium. Test processes may do this concurrently: each unpacks into a separate folder, and the first to
 * finish renames its folder to `folder`.
 */
function unpack(folder: string): void {
  mkdirSync(join(folder, '..'), { recursive: true });
  const own = mkdtempSync(`${folder}-`);
  // TMPDIR makes the package unpack Chromium into `own`. AWS_EXECUTION_ENV makes it unpack the shared libraries too,
  // which it otherwise does only in a cloud function.
  execFileSync(
    process.execPath,
    ['--input-type=module', '-e', "await (await import('@sparticuz/chromium')).default.executablePath()"],
    { cwd: PACKAGE_ROOT, env: { ...process.env, TMPDIR: own, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x' } },
  );
  writeFileSync(join(own, 'fonts/fonts.conf'), fontsConf(join(folder, 'fonts')));
  try {
    renameSync(own, folder);
  } catch (error) {
    rmSync(own, { recursive: true });
    if (!existsSync(folder)) throw error;
  }
}

function fontsConf(folder: string): string {
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><dir>${folder}/fonts</dir><cachedir>${folder}/cache</cachedir></fontconfig>
`;
}
