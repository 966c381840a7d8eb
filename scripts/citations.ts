/**
 * Finds broken citations in a text. A citation must name an existing page of docs/, an existing heading of such a page,
 * or a decision by its full number. Other sources cannot be cited, because readers have only the files of the project.
 */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

const FOLDERS = ['src', 'test', 'proof', 'bench', 'scripts', 'town', 'docs', 'examples', 'contract'];
const PAGES = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md'];
/** This test contains wrong citations on purpose. */
const OWN_TEST = 'test/docs/citations.test.ts';
const TEXTS = /\.(?:md|ts|js|mjs|cjs|json|sql|sh|yaml|html)$/;

/** White space between two words. It can include a line break in a comment or a quotation. */
const GAP = String.raw`(?:[ \t]+|[ \t]*\r?\n[ \t]*(?:\*|//|>|\|)?[ \t]*)`;

/**
 * Patterns of wrong citations: citations of lists outside the project, and citations of decisions without their full
 * number.
 */
const FOREIGN: readonly RegExp[] = [
  new RegExp(String.raw`\b(?:decisions?|design|facts)${GAP}[A-Z]?\d+`, 'gi'),
  new RegExp(String.raw`\b(?:decisions?|facts),?${GAP}(?:table${GAP})?[A-D]\b`, 'g'),
  new RegExp(String.raw`\binterface,${GAP}endpoint`, 'gi'),
  new RegExp(String.raw`\bendpoints?${GAP}\d+`, 'gi'),
  /\bshared\/[\w-]+\.md/g,
  new RegExp(String.raw`docs/decisions/\d{3}(?:,|${GAP}and|${GAP}or|${GAP}to)${GAP}\d{3}\b`, 'g'),
];

export interface Problem {
  /** Path from the root of the project. */
  file: string;
  line: number;
  /** The citation, unchanged. */
  text: string;
  why: string;
}

/** Returns the problems of all texts below `root`. */
export function problemsBelow(root: string): Problem[] {
  return textsBelow(root).flatMap((file) => problemsOf(root, file, readFileSync(join(root, file), 'utf8')));
}

/** Returns the problems of one text at the path `file` below `root`. */
export function problemsOf(root: string, file: string, text: string): Problem[] {
  const found = [...pagesCited(root, text), ...decisionsCited(root, text), ...foreign(root, file, text)];
  if (file.endsWith('.md')) found.push(...links(root, file, text));
  return found
    .toSorted((a, b) => a.at - b.at)
    .map(({ at, text: cited, why }) => ({ file, line: text.slice(0, at).split('\n').length, text: cited, why }));
}

/** Returns the anchors of the headings of a Markdown page, by the rule of GitHub. */
export function anchorsOf(markdown: string): Set<string> {
  const anchors = new Set<string>();
  for (const [, heading = ''] of withoutFences(markdown).matchAll(/^#{1,6} (.+)$/gm)) {
    const slug = heading
      .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .trim()
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replace(/\s/g, '-');
    let anchor = slug;
    for (let again = 1; anchors.has(anchor); again++) anchor = `${slug}-${again}`;
    anchors.add(anchor);
  }
  return anchors;
}

interface Found {
  at: number;
  text: string;
  why: string;
}

/**
 * Finds wrong citations that name a page of docs/ by its path from the root, with or without an anchor, in code and
 * prose.
 */
function pagesCited(root: string, text: string): Found[] {
  return [...text.matchAll(/(?<![\w/.-])(docs\/[\w./-]*?\.md)(?:#([\w-]+))?/g)].flatMap((match) => {
    const [cited, page = '', anchor] = match;
    const why = broken(join(root, page), anchor);
    return why === undefined ? [] : [{ at: match.index, text: cited, why }];
  });
}

/** Finds wrong citations of the form `docs/decisions/NNN`. */
function decisionsCited(root: string, text: string): Found[] {
  return [...text.matchAll(/(?<![\w/.-])docs\/decisions\/(\d+)(?![\w-])/g)].flatMap((match) => {
    const [cited, number = ''] = match;
    return number.length === 3 && decisionPage(root, number) !== undefined
      ? []
      : [{ at: match.index, text: cited, why: 'no such decision' }];
  });
}

function foreign(root: string, file: string, text: string): Found[] {
  return FOREIGN.flatMap((pattern) => [...text.matchAll(pattern)])
    .filter((match) => !isLinkToDecision(root, file, text, match))
    .map((match) => ({
      at: match.index,
      text: match[0].replace(/\s+/g, ' '),
      why: 'cite a heading of a page of docs/, or docs/decisions/NNN',
    }));
}

/**
 * Returns whether a match is the text of a link such as `[decision NNN](PATH)` whose target is the page of the decision
 * NNN. Such a link is allowed.
 */
function isLinkToDecision(root: string, file: string, text: string, match: RegExpExecArray): boolean {
  const link = /^\[decision\s+(\d{3})\]\(([^)\s]+)\)/i.exec(text.slice(Math.max(0, match.index - 1)));
  if (link === null || !file.endsWith('.md')) return false;
  const page = decisionPage(root, link[1]!);
  return page !== undefined && resolve(root, dirname(file), link[2]!) === page;
}

/** Finds broken relative links of a Markdown page. */
function links(root: string, file: string, text: string): Found[] {
  const prose = withoutFences(text).replace(/`[^`\n]*`/g, (code) => ' '.repeat(code.length));
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)].flatMap((match) => {
    const target = match[1]!;
    if (/^[a-z][a-z+.-]*:/i.test(target)) return [];
    const [path = '', anchor] = target.split('#');
    const why = broken(path === '' ? join(root, file) : resolve(root, dirname(file), path), anchor);
    return why === undefined ? [] : [{ at: match.index, text: target, why }];
  });
}

/** Returns the reason why a file with an anchor cannot be cited; undefined if it can. */
function broken(file: string, anchor: string | undefined): string | undefined {
  if (!existsSync(file)) return 'no such file';
  if (anchor === undefined) return undefined;
  if (!statSync(file).isFile() || !anchorsOf(readFileSync(file, 'utf8')).has(anchor)) return 'no such heading';
  return undefined;
}

function decisionPage(root: string, number: string): string | undefined {
  const folder = join(root, 'docs/decisions');
  const page = existsSync(folder) ? readdirSync(folder).find((name) => name.startsWith(`${number}-`)) : undefined;
  return page === undefined ? undefined : join(folder, page);
}

/** Replaces fenced code of a page with spaces, so that positions do not change. */
function withoutFences(markdown: string): string {
  return markdown.replace(/^```[\s\S]*?^```/gm, (block) => block.replace(/[^\n]/g, ' '));
}

function textsBelow(root: string): string[] {
  const inFolders = FOLDERS.filter((folder) => existsSync(join(root, folder))).flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
  );
  return [...PAGES, ...inFolders]
    .filter((name) => TEXTS.test(name) && !name.includes('node_modules/') && name !== OWN_TEST)
    .filter((name) => existsSync(join(root, name)) && statSync(join(root, name)).isFile())
    .sort();
}
