/**
 * `npx node scripts/source-figures.ts`: prints figures of the source, to compare designs: lines of each folder, the
 * largest operations and functions, files that an operation reaches, casts, words that docs/style.md replaces, decision
 * records.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { wordsInPage, wordsInSource } from '../town/words.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const ROOMS = ['src', 'console', 'test', 'town', 'proof', 'bench', 'scripts', 'contract', 'docs'];
/** Files that almost every operation imports. They are not counted as reached files. */
const BELOW = /^src\/(?:platform|shared|events)\/|schema\.ts$/;
const TEXT = /\.(?:tsx?|cjs|json|sql|css|md|sh|html)$/;

const files = execFileSync('git', ['ls-files'], { cwd: ROOT, encoding: 'utf8', maxBuffer: 1 << 26 })
  .trimEnd()
  .split('\n');
const textOf = (name: string) => readFileSync(join(ROOT, name), 'utf8');
const linesOf = (name: string) => textOf(name).split('\n').length - 1;
const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0);
const parsed = (name: string) => ts.createSourceFile(name, textOf(name), ts.ScriptTarget.Latest, true);

for (const room of ROOMS) {
  const own = files.filter((name) => name.startsWith(`${room}/`) && TEXT.test(name));
  print(`lines of ${room}`, `${sum(own.map(linesOf))} in ${own.length} files`);
}
const operations = files.filter(
  (name) => /^src\/.*\.ts$/.test(name) && /= (?:read|write)Operation\(/.test(textOf(name)),
);
const sizes = operations.map((name) => ({ name, lines: linesOf(name) })).toSorted((a, b) => b.lines - a.lines);
print('operation files, median', String(sizes[Math.floor(sizes.length / 2)]?.lines));
for (const { name, lines } of sizes.slice(0, 5)) print('largest operation files', `${name}, ${lines} lines`);
for (const [what, file] of Object.entries({
  CONFIRM: 'src/picking/update.ts',
  'a receipt': 'src/receiving/receive.ts',
})) {
  const reached = [...reachOf(file)].filter((name) => !BELOW.test(name));
  const kernel = reached.filter((name) => name.startsWith('src/kernel/'));
  print(`files reached by ${what}`, `${reached.length}, ${kernel.length} of them in the kernel`);
}
for (const room of ['src', 'console', 'proof']) {
  const [largest] = files
    .filter((name) => name.startsWith(`${room}/`) && /\.tsx?$/.test(name))
    .flatMap(functionsOf)
    .toSorted((a, b) => b.lines - a.lines);
  if (largest !== undefined) print(`largest function of ${room}`, `${largest.name}, ${largest.lines} lines`);
}
const sources = files.filter((name) => /^src\/.*\.ts$/.test(name)).map(textOf);
const count = (pattern: RegExp) => sum(sources.map((text) => [...text.matchAll(pattern)].length));
print('JSON.parse(...) as, as unknown as', `${count(/JSON\.parse\(.*\) as\b/g)}, ${count(/\bas unknown as\b/g)}`);
for (const room of ['src', 'town', 'proof', 'test', 'bench', 'scripts']) {
  const own = files.filter((name) => name.startsWith(`${room}/`) && /\.tsx?$/.test(name));
  print(`words to replace in ${room}`, String(sum(own.map((name) => wordsInSource(name, textOf(name)).length))));
}
const pages = files.filter((name) => name.endsWith('.md'));
print('words to replace in pages', String(sum(pages.map((name) => wordsInPage(textOf(name)).length))));
const records = readdirSync(join(ROOT, 'docs/decisions')).filter((name) => /^\d+-/.test(name));
print('decision records', String(records.length));

function print(what: string, value: string): void {
  console.log(`${what.padEnd(36)}${value}`);
}

/** Returns all files that a file reaches by imports of values. */
function reachOf(start: string): Set<string> {
  const reached = new Set<string>();
  const open = [start];
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (reached.has(name)) continue;
    reached.add(name);
    for (const statement of parsed(name).statements) {
      if (!ts.isImportDeclaration(statement) || !ts.isStringLiteral(statement.moduleSpecifier)) continue;
      const { importClause, moduleSpecifier } = statement;
      const names = importClause?.namedBindings;
      const onlyTypes =
        importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword ||
        (names !== undefined && ts.isNamedImports(names) && names.elements.every(({ isTypeOnly }) => isTypeOnly));
      const target = join(dirname(join(ROOT, name)), moduleSpecifier.text);
      if (!onlyTypes && moduleSpecifier.text.startsWith('.') && existsSync(target)) open.push(relative(ROOT, target));
    }
  }
  return reached;
}

function functionsOf(name: string): { name: string; lines: number }[] {
  const found: { name: string; lines: number }[] = [];
  const file = parsed(name);
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node) && 'body' in node && node.body !== undefined) {
      const [from, to] = [node.getStart(), node.getEnd()].map((at) => file.getLineAndCharacterOfPosition(at).line);
      const own = node.name === undefined ? '' : ` ${node.name.getText()}`;
      found.push({ name: `${name}${own}`, lines: to! - from! + 1 });
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}
