/** The pages of the documentation. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../../', import.meta.url)).replace(/\/$/, '');

export interface Page {
  /** Path from the root of the project. */
  name: string;
  file: string;
  text: string;
}

const FOLDERS = ['docs', 'examples', 'bench', 'proof', 'src'];

function markdownUnder(folder: string): string[] {
  try {
    return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.md') && !name.includes('node_modules'))
      .map((name) => join(folder, name))
      .sort();
  } catch {
    return [];
  }
}

export const pages: readonly Page[] = [
  ...['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md'],
  ...FOLDERS.flatMap(markdownUnder),
].map((name) => {
  const file = join(ROOT, name);
  return { name: relative(ROOT, file), file, text: readFileSync(file, 'utf8') };
});
