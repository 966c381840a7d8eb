/** Builds the package: compiled sources and the migrations beside them. Types are stripped from sources only outside node_modules. */
import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';

const compiler = createRequire(import.meta.url).resolve('typescript/bin/tsc');
rmSync('dist', { recursive: true, force: true });
execFileSync(process.execPath, [compiler, '-p', 'tsconfig.build.json'], { stdio: 'inherit' });
cpSync('src/storage/migrations', 'dist/storage/migrations', { recursive: true });
chmodSync('dist/main.js', 0o755);
