/** Runs the shell blocks of a page from top to bottom in one shell, as a reader types them. */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../town/free-port.ts';
import { testProgram } from '../../town/test-program.ts';
import { ROOT } from './pages.ts';

export interface Walked {
  /** Shell code of the block. */
  script: string;
  /** Lines of the text block after the commands; the output must contain each line. */
  expected: string[];
  output: string;
}

const MARK = '=== end of a block ===';

/**
 * Replaces the commands that need a release. `sha256sum` and `npm` do nothing, because the test has no files of a
 * release. `npx --no backroom` runs the built program. The trap ends the started programs, as closing a terminal does.
 */
const PRELUDE = `set -euo pipefail
trap 'jobs -p | xargs -r kill 2>/dev/null; wait' EXIT
npm() { :; }
sha256sum() { :; }
npx() { [ "$1 $2" = '--no backroom' ]; shift 2; backroom "$@"; }
backroom() { if [ "$BASHPID" = "$$" ]; then "$NODE" "$MAIN" "$@"; else exec "$NODE" "$MAIN" "$@"; fi; }
node() { "$NODE" "$@"; }
`;

/** Runs `before`, then the `sh` blocks of a page. A free port replaces the port 8080 of the page. */
export async function walk(
  name: string,
  before = '',
): Promise<{ blocks: Walked[]; code: number | null; errors: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'backroom-walk-'));
  const text = readFileSync(join(ROOT, name), 'utf8').replaceAll('8080', String(await freePort()));
  const blocks = [...text.matchAll(/^```sh\n([\s\S]*?)^```\n(?:\n```text\n([\s\S]*?)^```)?/gm)].map((match) => ({
    script: match[1]!,
    expected: (match[2] ?? '').split('\n').filter((line) => line !== ''),
  }));
  const script = `${PRELUDE}${before}\n${blocks.map((block) => `${block.script}echo '${MARK}'\n`).join('')}`;
  const program = testProgram();
  const own = { HOME: folder, NODE: process.execPath, MAIN: program.main, ROOT, LOG_LEVEL: 'warn' };
  const env = { PATH: process.env.PATH, ...program.env, ...own };
  const child = spawn('timeout', ['100', 'bash', '-m', '-c', script], {
    cwd: folder,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let out = '';
  let errors = '';
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  const code = await new Promise<number | null>((done) => child.on('close', done));
  rmSync(folder, { recursive: true, force: true });
  const outputs = out.split(`${MARK}\n`);
  return {
    blocks: blocks.map((block, index) => ({ ...block, output: outputs[index] ?? '' })),
    code,
    errors: `${out}${errors}`,
  };
}

/** Returns a free port of loopback. */
