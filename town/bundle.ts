/**
 * Bundles the program and its libraries into about 130 files. Without the bundle, most of the start-up time is spent on
 * finding and reading 1,500 files.
 */
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { type OutputAsset, type OutputChunk, rolldown } from 'rolldown';

/** These packages are not bundled: they are native or read their own files. They remain in `node_modules`. */
const EXTERNAL = ['better-sqlite3', 'pg-native'];

/**
 * Bundles the program into `out`: `main.js`, its threads and its migrations. Each entry of `more` (name to source)
 * becomes one more file.
 */
export async function bundleProgram(
  out: string,
  more: Readonly<Record<string, string>> = {},
): Promise<(OutputChunk | OutputAsset)[]> {
  const build = await rolldown({
    input: {
      main: 'src/main.ts',
      'prefetch-thread': 'src/service/import/prefetch-thread.ts',
      'upload-thread': 'src/items/upload-thread.ts',
      ...more,
    },
    platform: 'node',
    external: (id) => EXTERNAL.some((name) => id === name || id.startsWith(`${name}/`)),
  });
  const { output } = await build.write({ dir: out, chunkFileNames: '[name]-[hash].js' });
  await build.close();
  cpSync('src/platform/storage/migrations', join(out, 'migrations'), { recursive: true });
  return output;
}
