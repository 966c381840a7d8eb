/**
 * Builds the package: the bundled program with its migrations, the console, the types of a client and of import
 * mappings, and the licences of the libraries.
 */
import { spawnSync } from 'node:child_process';
import { chmodSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { bundleProgram } from '../town/bundle.ts';
import { buildConsole } from './console.ts';

const OUT = 'dist';

rmSync(OUT, { recursive: true, force: true });
const types = spawnSync(process.execPath, ['scripts/generate-client.ts'], { stdio: 'inherit' });
if (types.status !== 0) throw new Error('the types of a client could not be made');
const output = await bundleProgram(OUT);
const bundle = await buildConsole(join(OUT, 'console'));
const mapping = readFileSync('src/service/import/mapping-api.ts', 'utf8');
writeFileSync(join(OUT, 'mapping.d.ts'), ts.transpileDeclaration(mapping, { fileName: 'mapping.ts' }).outputText);
const modules = [
  ...output.flatMap((file) => (file.type === 'chunk' ? Object.keys(file.modules) : [])),
  ...bundle.modules,
];
writeFileSync(join(OUT, 'LICENSES.txt'), licences(new Set(modules.flatMap(packageFolder))));
chmodSync(join(OUT, 'main.js'), 0o755);

/** Returns the folder of the package that a module belongs to; empty for a module of this project. */
function packageFolder(module: string): string[] {
  const [, folder] = /^[^/]*(\/.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+)[\\/]/.exec(module) ?? [];
  return folder === undefined ? [] : [folder];
}

/** Returns name, version and licence text of each library, because most licences require the text with each copy. */
function licences(folders: Set<string>): string {
  const texts = [...folders].map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;
    const file = readdirSync(folder).find((entry) => /^(licen[cs]e|copying)/i.test(entry));
    if (file === undefined && license === undefined) throw new Error(`${name} has no licence.`);
    return `${name} ${version} (${license})\n\n${file === undefined ? '' : readFileSync(join(folder, file), 'utf8')}`;
  });
  return [...new Set(texts)].sort().join(`\n${'-'.repeat(78)}\n\n`);
}

interface Manifest {
  name: string;
  version: string;
  license?: string;
}
