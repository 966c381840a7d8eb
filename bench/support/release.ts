/** An older release, built from the history once. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/**
 * The checkout of `before`: a folder as it is, or a commit or tag with its packages, in a folder of the user's cache.
 * @throws Error with a sentence when it is neither.
 */
export function checkoutOf(before: string, say: (line: string) => void): string {
  if (existsSync(join(before, 'bench', 'run.ts'))) return resolve(before);
  const commit = commitOf(before);
  const folder = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'backroom-bench', commit);
  if (existsSync(folder)) return folder;
  say(`${before} is built once, in ${folder}`);
  const part = `${folder}.part`;
  rmSync(part, { recursive: true, force: true });
  mkdirSync(part, { recursive: true });
  const archive = execFileSync('git', ['archive', commit], { cwd: ROOT, maxBuffer: 1024 ** 3 });
  execFileSync('tar', ['-x', '-C', part], { input: archive });
  takeRoundsFromUs(join(part, 'bench', 'support', 'scenario.ts'));
  execFileSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd: part, stdio: ['ignore', 'ignore', 'inherit'] });
  renameSync(part, folder);
  return folder;
}

function commitOf(name: string): string {
  try {
    return execFileSync('git', ['rev-parse', '--verify', '--quiet', `${name}^{commit}`], {
      cwd: ROOT,
      encoding: 'utf8',
    }).trim();
  } catch {
    throw new Error(`${name} is no checkout and no commit of this repository.`);
  }
}

/** Releases up to 0.2.0 know nothing of BENCH_ROUNDS: the one line of their bench that counts rounds is changed. */
function takeRoundsFromUs(file: string): void {
  const text = readFileSync(file, 'utf8');
  const loop = 'round < rounds; round++';
  if (text.includes(loop)) {
    writeFileSync(file, text.replace(loop, "round < Number(process.env['BENCH_ROUNDS'] ?? rounds); round++"));
  }
}
