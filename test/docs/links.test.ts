import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { anchorsOf } from '../../scripts/citations.ts';
import { type Page, pages, ROOT } from './pages.ts';

function linksOf(text: string): string[] {
  const prose = text.replace(/```[\s\S]*?```/g, '').replace(/`[^`\n]*`/g, '');
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target);
}

/**
 * Returns the paths of the files that a page names in code font. In the page, a path is relative to the root, or to the
 * page if it begins with `../`; it ends at white space or at `#`. Ignores patterns, placeholders and numbers of
 * decisions.
 */
function namedFilesOf({ file, text }: Page): string[] {
  const named = text
    .replace(/```[\s\S]*?```/g, '')
    .matchAll(/`((?:\.\.|src|test|scripts|contract|docs|deploy|examples|bench|console|proof|bin)\/[^`\s]*)/g);
  // scripts/citations.ts checks anchors and numbers of decisions.
  return [...named]
    .map(([, path = '']) => path.replace(/#.*$/, ''))
    .filter((path) => !/[<*{]|^docs\/decisions\/\d{3}$/.test(path))
    .map((path) => (path.startsWith('../') ? resolve(dirname(file), path) : join(ROOT, path)));
}

describe.each(pages)('$name', (page) => {
  const { name, file, text } = page;
  it('has no broken link', () => {
    const broken = linksOf(text)
      .filter((target) => !/^(https?|mailto):/.test(target))
      .filter((target) => {
        const [path = '', anchor] = target.split('#');
        const linked = path === '' ? file : resolve(dirname(file), path);
        if (!existsSync(linked)) return true;
        return (
          anchor !== undefined && !(statSync(linked).isFile() && anchorsOf(readFileSync(linked, 'utf8')).has(anchor))
        );
      });
    expect(broken, name).toEqual([]);
  });

  it('names no file that does not exist', () => {
    expect(namedFilesOf(page).filter((path) => !existsSync(path))).toEqual([]);
  });

  it('names no npm script that does not exist', () => {
    const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
      scripts: Record<string, string>;
    };
    const named = [...text.matchAll(/\bnpm run ([a-z][\w:-]*)/g)].map(([, script = '']) => script);
    expect(named.filter((script) => !(script in scripts))).toEqual([]);
  });
});

it('every page of docs/ is linked from the README or from a page that is', () => {
  const seen = new Set<string>();
  const visit = (file: string): void => {
    if (seen.has(file) || !file.endsWith('.md') || !existsSync(file)) return;
    seen.add(file);
    for (const target of linksOf(readFileSync(file, 'utf8'))) {
      if (!/^(https?|mailto):/.test(target)) visit(resolve(dirname(file), target.split('#')[0]!));
    }
  };
  visit(join(ROOT, 'README.md'));
  const docs = pages.map(({ file }) => file).filter((file) => file.startsWith(join(ROOT, 'docs')));
  expect(docs.filter((file) => !seen.has(file)).map((file) => relative(ROOT, file))).toEqual([]);
});
