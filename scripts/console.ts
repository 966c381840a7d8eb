/**
 * Bundles the console into a folder: files with hashes in their names, and the page that loads the files. All files
 * except fonts and pictures also have gzip and brotli forms. The service worker contains the list of the files that it
 * caches.
 */
import { createHash } from 'node:crypto';
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { transform } from 'lightningcss';
import { type OutputAsset, type OutputChunk, rolldown } from 'rolldown';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const SOURCES = join(ROOT, 'console');
/** Index of the icons. */
const ICONS = join(ROOT, 'node_modules/lucide/dist/esm/lucide.mjs');
const FONT = join(
  ROOT,
  'node_modules/@fontsource-variable/atkinson-hyperlegible-next/files/atkinson-hyperlegible-next-latin-wght-normal.woff2',
);
/** Styles that the bundle has first, because other styles use or override them. */
const FIRST_STYLES = ['ui/tokens.css', 'ui/base.css', 'ui/ui.css', 'ui/shell.css'];
/** Modules of the first screen. The shell contains them and their imports. */
const SHELL = ['main.tsx', 'floor/home.tsx'];
/** Oldest browsers with the features that the console uses: dialog, `:has`, popover. */
const TARGETS = { chrome: 115 << 16, firefox: 121 << 16, safari: 17 << 16 };

/** A script of the bundle. */
export interface Chunk {
  file: string;
  /** Path of its source module below `console/`, if it has one, e.g. `floor/home.tsx`. */
  source?: string;
  isEntry: boolean;
  /** Scripts that must be loaded before this one runs. */
  imports: readonly string[];
  /** Size in bytes, compressed with gzip. */
  gzip: number;
}

/** Result of a build. */
export interface Bundle {
  chunks: readonly Chunk[];
  /** Size of the styles in bytes, compressed with gzip. */
  styles: number;
  /** Source files of the bundle, including the files of libraries. */
  modules: readonly string[];
}

/** Returns the modules of the icons that a source imports by name. */
function iconsIn(source: string): string[] {
  const index = readFileSync(ICONS, 'utf8');
  const names = [...source.matchAll(/import \{([^}]*)\} from 'lucide'/g)].flatMap(([, list = '']) =>
    list.split(',').map((name) => name.trim().split(' as ')[0]!),
  );
  return names.flatMap((name) => {
    const file = new RegExp(`default as ${name}\\b[^}]*\\} from '(\\./icons/[^']+)'`).exec(index)?.[1];
    return file === undefined ? [] : [join(dirname(ICONS), file)];
  });
}

/** Bundles the console into `out`. */
export async function buildConsole(out: string): Promise<Bundle> {
  mkdirSync(out, { recursive: true });
  const made: string[] = [];
  const put = (name: string, content: string | Uint8Array) => {
    mkdirSync(dirname(join(out, name)), { recursive: true });
    writeFileSync(join(out, name), content);
    if (!/\.(?:woff2|png|wasm)$/.test(name) || name.endsWith('.wasm')) {
      const params = { [constants.BROTLI_PARAM_QUALITY]: 9 };
      writeFileSync(join(out, `${name}.gz`), gzipSync(content, { level: 9 }));
      writeFileSync(join(out, `${name}.br`), brotliCompressSync(content, { params }));
    }
    made.push(name);
    return name;
  };
  const font = put(hashed('font.woff2', readFileSync(FONT)), readFileSync(FONT));
  const icon = put('icon.svg', readFileSync(join(SOURCES, 'icon.svg')));
  const styles = [...styleSheets().map((file) => readFileSync(join(SOURCES, file), 'utf8'))]
    .join('\n')
    .replace('url("FONT")', `url("./${font}")`);
  const css = transform({ filename: 'console.css', code: Buffer.from(styles), minify: true, targets: TARGETS }).code;
  const style = put(hashed('console.css', css), css);
  const manifest = put(
    'console.webmanifest',
    readFileSync(join(SOURCES, 'manifest.webmanifest'), 'utf8').replace('ICON', `./${icon}`),
  );
  const shell = new Set<string>();
  const build = await rolldown({
    input: { main: join(SOURCES, 'main.tsx') },
    plugins: [
      {
        name: 'shell',
        buildEnd() {
          const add = (id: string) => {
            if (shell.has(id)) return;
            shell.add(id);
            const { importedIds = [] } = this.getModuleInfo(id) ?? {};
            for (const imported of importedIds) {
              // The index imports all icons, so only the icons that a module of the shell names are added.
              if (imported === ICONS) for (const icon of iconsIn(readFileSync(id, 'utf8'))) add(icon);
              else add(imported);
            }
          };
          for (const file of SHELL) add(join(SOURCES, file));
        },
      },
    ],
    platform: 'browser',
    cwd: ROOT,
    tsconfig: join(SOURCES, 'tsconfig.json'),
    // The code loads these files by URL.
    moduleTypes: { '.wasm': 'asset' },
    transform: { target: 'es2022', define: { 'process.env.NODE_ENV': '"production"' } },
  });
  const { output } = await build.generate({
    format: 'esm',
    minify: true,
    // Removes the license notice of each icon. `dist/LICENSES.txt` has the licenses of all libraries.
    comments: false,
    entryFileNames: '[name]-[hash].js',
    chunkFileNames: '[name]-[hash].js',
    assetFileNames: '[name]-[hash][extname]',
    // The shell is one file: the first screen needs no second round trip, and one file compresses better.
    codeSplitting: { groups: [{ name: 'shell', test: (id) => shell.has(id) }] },
  });
  await build.close();
  const chunks: Chunk[] = [];
  for (const file of output) {
    put(file.fileName, file.type === 'chunk' ? file.code : file.source);
    if (file.type !== 'chunk') continue;
    const { fileName, facadeModuleId, isEntry, imports, code } = file;
    const source = facadeModuleId === null ? {} : { source: relative(SOURCES, facadeModuleId) };
    chunks.push({ file: fileName, ...source, isEntry, imports, gzip: zipped(code) });
  }
  const entry = chunks.find(({ isEntry }) => isEntry)!;
  const page = readFileSync(join(SOURCES, 'index.html'), 'utf8')
    .replace('ICON', `./${icon}`)
    .replace('MANIFEST', `./${manifest}`)
    .replace('FONT', `./${font}`)
    .replace('STYLE', `./${style}`)
    .replace('SHELL', `./${entry.imports[0]}`)
    .replace('SCRIPT', `./${entry.file}`);
  const kept = [...made];
  put('index.html', page);
  const version = createHash('sha256').update(page).update(kept.join('\n')).digest('hex').slice(0, 12);
  const modules = [FONT, ...output.flatMap(modulesOf)];
  for (const name of ['worker', 'retire']) {
    const worker = await bundleWorker(name, kept, version);
    put(`${name}.js`, worker.code);
    modules.push(...modulesOf(worker));
  }
  writeFileSync(join(out, 'files.json'), JSON.stringify(made));
  return { chunks, styles: zipped(css), modules };
}

function modulesOf(file: OutputChunk | OutputAsset): string[] {
  return file.type === 'chunk' ? Object.keys(file.modules) : [];
}

function zipped(content: string | Uint8Array): number {
  return gzipSync(content, { level: 9 }).length;
}

/** Bundles a worker into one plain script that contains the list of the files of its version. */
async function bundleWorker(name: string, files: readonly string[], version: string): Promise<OutputChunk> {
  const build = await rolldown({
    input: join(SOURCES, `worker/${name}.ts`),
    platform: 'browser',
    cwd: ROOT,
    tsconfig: join(SOURCES, 'tsconfig.json'),
    transform: { target: 'es2022', define: { FILES: JSON.stringify(files), VERSION: JSON.stringify(version) } },
  });
  const { output } = await build.generate({ format: 'iife', minify: true });
  await build.close();
  return output[0];
}

/** Returns the styles of the console, in the order in which they apply. */
export function styleSheets(): string[] {
  const all = globSync('**/*.css', { cwd: SOURCES }).sort();
  return [...FIRST_STYLES, ...all.filter((file) => !FIRST_STYLES.includes(file))];
}

/** Returns a hash of all sources of the bundle. */
export function sourcesFingerprint(): string {
  const hash = createHash('sha256');
  const files = [
    ...globSync('**/*.{ts,tsx,css,html,svg,webmanifest}', { cwd: SOURCES }).map((file) => join(SOURCES, file)),
    ...globSync('src/shared/*.ts', { cwd: ROOT }).map((file) => join(ROOT, file)),
    join(ROOT, 'package-lock.json'),
    fileURLToPath(import.meta.url),
  ].sort();
  for (const file of files) hash.update(file).update('\0').update(readFileSync(file)).update('\0');
  return hash.digest('hex').slice(0, 16);
}

function hashed(name: string, content: Uint8Array): string {
  const [, stem = '', end = ''] = /^(.*)(\.\w+)$/.exec(basename(name)) ?? [];
  return `${stem}-${createHash('sha256').update(content).digest('base64url').slice(0, 8)}${end}`;
}
