/**
 * Checkouts of released versions, each built once from the git history. The benches compare this version with them, and
 * the upgrade campaign starts from them.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const CACHE = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'backroom-releases');

/** Every released version, with its commit or tag. */
export const RELEASES: Readonly<Record<string, string>> = {
  '0.1.0': '03f3edd',
  '0.2.0': 'e840649',
  '0.3.0': 'e9e12ed',
  '0.5.0': '997a595',
};

/** The error for a required release that is not available on this machine. The message has the reason. */
export class NotHere extends Error {
  override readonly name = 'NotHere';
}

/**
 * Returns the checkout of a released version, a commit or a tag, with its packages installed and its program built in
 * `dist`. Checkouts are kept in the cache folder of the user. @throws NotHere if the history lacks the commit, or its
 * packages cannot be installed.
 */
export function checkoutOf(name: string, say: (line: string) => void = () => undefined): string {
  const commit = commitOf(RELEASES[name] ?? name);
  const folder = join(CACHE, commit);
  if (existsSync(folder)) return folder;
  say(`${name} is built once, in ${folder}`);
  mkdirSync(CACHE, { recursive: true });
  // The folder gets its final name when it is complete, so that an interrupted build leaves no partial release.
  const draft = mkdtempSync(join(CACHE, 'draft-'));
  try {
    const archive = execFileSync('git', ['archive', commit], { cwd: ROOT, maxBuffer: 1024 ** 3 });
    execFileSync('tar', ['-x', '-C', draft], { input: archive });
    const install = spawnSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd: draft, encoding: 'utf8' });
    if (install.status !== 0) throw new NotHere(`npm ci of ${name} failed: ${install.stderr.slice(-500)}`);
    execFileSync('npm', ['run', 'build'], { cwd: draft, stdio: ['ignore', 'ignore', 'inherit'] });
    renameSync(draft, folder);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
  return folder;
}

function commitOf(name: string): string {
  const found = spawnSync('git', ['rev-parse', '--verify', '--quiet', `${name}^{commit}`], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  if (found.status === 0) return found.stdout.trim();
  throw new NotHere(
    `${name} is not a commit of this checkout. If the checkout is shallow, run git fetch --unshallow --tags.`,
  );
}
