/**
 * `npx node scripts/draw-texts.ts --seed 21 [--comments 150 --messages 40 --descriptions 40 --pages 10]`: draws texts
 * of the project at random, for a reader who has not written them. The reader counts the texts that need a second
 * reading (docs/style.md has the rules).
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import ts from 'typescript';
import { randomOf } from '../town/random.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const COMMENTED = /^(?:src|console|proof|town|test|bench|scripts)\/.*\.tsx?$/;
/** Minimum number of words of a sentence. A shorter comment is only a label. */
const WORDS_OF_A_SENTENCE = 4;

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '21' },
    comments: { type: 'string', default: '150' },
    messages: { type: 'string', default: '40' },
    descriptions: { type: 'string', default: '40' },
    pages: { type: 'string', default: '10' },
  },
});
const random = randomOf(Number(values.seed));
const files = execFileSync('git', ['ls-files'], { cwd: ROOT, encoding: 'utf8', maxBuffer: 1 << 26 })
  .trimEnd()
  .split('\n');
const textOf = (name: string) => readFileSync(join(ROOT, name), 'utf8');

show('Comments', values.comments, files.filter((name) => COMMENTED.test(name)).flatMap(commentsOf));
show('Messages', values.messages, files.filter((name) => /\/sentences\.ts$/.test(name)).flatMap(messagesOf));
show('Descriptions', values.descriptions, descriptionsOf(JSON.parse(textOf('contract/openapi.json')), '#'));
show(
  'Pages',
  values.pages,
  files.filter((name) => name.endsWith('.md') && name !== 'CHANGELOG.md'),
);

/** Draws `count` texts without repetition and prints them. The same seed gives the same texts. */
function show(title: string, count: string, texts: readonly string[]): void {
  const left = [...texts];
  console.log(`\n## ${title}: ${count} of ${left.length}, seed ${values.seed}\n`);
  for (let number = 1; number <= Number(count) && left.length > 0; number += 1) {
    const [text] = left.splice(Math.floor(random() * left.length), 1);
    console.log(`${number}. ${text}`);
  }
}

/** Returns the comments of a source, each with its line. Consecutive lines are one comment. */
function commentsOf(name: string): string[] {
  const source = textOf(name);
  const file = ts.createSourceFile(name, source, ts.ScriptTarget.Latest, true);
  const found = new Map<number, string>();
  let lastEnd = 0;
  let lastStart = -1;
  const visit = (node: ts.Node): void => {
    if (ts.isJSDoc(node)) return;
    const children = node.getChildren(file);
    if (children.length > 0) {
      for (const child of children) visit(child);
      return;
    }
    const ranges = [
      ...(ts.getLeadingCommentRanges(source, node.getFullStart()) ?? []),
      ...(ts.getTrailingCommentRanges(source, node.getEnd()) ?? []),
    ];
    for (const { pos, end } of ranges) {
      if (found.has(pos)) continue;
      const isContinued = lastStart >= 0 && /^[ \t]*\n?[ \t]*$/.test(source.slice(lastEnd, pos));
      const start = isContinued ? lastStart : pos;
      found.set(start, `${isContinued ? `${found.get(start)} ` : ''}${source.slice(pos, end)}`);
      [lastStart, lastEnd] = [start, end];
    }
  };
  visit(file);
  return [...found].flatMap(([pos, raw]) => {
    const text = raw
      .replace(/^\s*\/\*\*?|\*\/|^\s*\*(?!\/)|\/\/ ?/gm, '')
      .replace(/\s+/g, ' ')
      .trim();
    const isProse = text.split(' ').length >= WORDS_OF_A_SENTENCE && !/^(?:biome|oxlint|@ts-|#|<)/.test(text);
    return isProse ? [`${name}:${file.getLineAndCharacterOfPosition(pos).line + 1}: ${text}`] : [];
  });
}

/** Returns the English templates of the sentences in responses. */
function messagesOf(name: string): string[] {
  const file = ts.createSourceFile(name, textOf(name), ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isPropertyAssignment(node) && ts.isObjectLiteralExpression(node.initializer)) {
      const text = ts.isStringLiteralLike(node.name) || ts.isIdentifier(node.name) ? node.name.text : '';
      if (text.split(' ').length >= WORDS_OF_A_SENTENCE) found.push(`${name}: ${text}`);
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

/** Returns the descriptions of a document, each with its path. */
function descriptionsOf(value: unknown, at: string): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    key === 'description' && typeof inner === 'string'
      ? [`${at}: ${inner.replace(/\s+/g, ' ')}`]
      : descriptionsOf(inner, `${at}/${key}`),
  );
}
