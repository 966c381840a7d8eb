/**
 * No page, systemd unit, script or message fetches a package named `backroom` from the public registry, because that
 * package is not this project. Users install from a file and run it without a download.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from './pages.ts';

const PLACES = [
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'CHANGELOG.md',
  'package.json',
  '.ci',
  'bench',
  'bin',
  'console',
  'contract/openapi.json',
  'deploy',
  'docs',
  'examples',
  'proof',
  'scripts',
  'town',
  'src',
];

/** Commands that fetch a package of the public registry by a name that this project does not own. */
const WRONG: readonly (readonly [why: string, pattern: RegExp])[] = [
  ['npx without --no downloads what is not installed', /\bnpx (?!--no )(?:-\S+ )*backroom\b/],
  ['npm exec downloads what is not installed', /\bnpm (?:exec|x) (?:-\S+ )*backroom/],
  [
    'a name of the registry in place of a file',
    /\b(?:npm (?:i|install|add|update)|yarn add|pnpm add)\b[^`\n|]*\sbackroom/,
  ],
  ['a version of the registry', /\bbackroom[\w-]*@(?:latest|next|[\^~\d])/],
  ['the page of a package that is not ours', /npmjs\.com\/package\/backroom/],
  ['an import of a package that is not ours', /(?:from|import|require)\s*\(?\s*['"]backroom(?:\/|['"])/],
];

function problemsOf(text: string): string[] {
  return text
    .split('\n')
    .flatMap((line) => WRONG.filter(([, pattern]) => pattern.test(line)).map(([why]) => `${why}: ${line.trim()}`));
}

describe('a line that fetches the package', () => {
  it.each([
    'npx backroom serve',
    'npx --yes backroom demo',
    'npm exec backroom -- serve',
    'npm install backroom',
    'npm install --global --prefix /opt/backroom backroom@latest',
    'npm i backroom-fulfillment',
    'Documentation=https://www.npmjs.com/package/backroom',
    "import type { Mapping } from 'backroom/mapping';",
  ])('is found: %s', (line) => {
    expect(problemsOf(line)).not.toEqual([]);
  });

  it.each([
    'npx --no backroom serve',
    'npm run --silent backroom -- serve',
    'npm install ../backroom-fulfillment-*.tgz',
    'npm install --global --prefix /opt/backroom ./backroom-fulfillment-*.tgz',
    "import type { Mapping } from 'backroom-fulfillment/mapping';",
  ])('is valid: %s', (line) => {
    expect(problemsOf(line)).toEqual([]);
  });
});

it('no page, unit, script or message fetches a package by a name', () => {
  const files = PLACES.flatMap((place) =>
    statSync(join(ROOT, place)).isFile()
      ? [place]
      : readdirSync(join(ROOT, place), { recursive: true, encoding: 'utf8' }).map((name) => join(place, name)),
  ).filter((name) => !/\.(?:png|woff2?|gz|db|tgz)$|node_modules/.test(name) && statSync(join(ROOT, name)).isFile());
  expect(files.length).toBeGreaterThan(1_000);
  expect(
    files.flatMap((name) => problemsOf(readFileSync(join(ROOT, name), 'utf8')).map((one) => `${name}: ${one}`)),
  ).toEqual([]);
});

it('package.json and its lock have our own name, and the command is backroom', () => {
  const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { name: string; bin: object };
  const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
    name: string;
    packages: Record<string, { name?: string }>;
  };
  expect([manifest.name, lock.name, lock.packages['']?.name]).toEqual(Array(3).fill('backroom-fulfillment'));
  expect(Object.keys(manifest.bin)).toEqual(['backroom']);
});
