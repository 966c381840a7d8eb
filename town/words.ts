/** Finds the words that docs/style.md replaces, in the prose of comments, texts and pages. */
import ts from 'typescript';

/** Words to avoid, each with the words to write instead. */
const INSTEAD: readonly (readonly [words: string, instead: string])[] = [
  ['answers?|answered|answering', 'response, respond, return, decide'],
  ['reply|replies|replied|replying', 'response, respond'],
  ['refus(?:e|es|ed|ing|als?)', 'reject, error, not allowed'],
  ['members?', 'field'],
  ['faults?|faulty|complaints?', 'error'],
  ['mend(?:s|ed|ing)?|cur(?:e|es|ed|ing)', 'fix, correct'],
  ['stands?|standing|stood', 'is, has, remains'],
  ['nobody|whoever', 'the person or program that acts'],
  ['anew', 'again'],
  ['g(?:ive|ives|iven|iving|ave) away', 'hand over'],
];

const WORDS = new RegExp(`\\b(?:${INSTEAD.map(([words]) => words).join('|')})\\b`, 'gi');

/**
 * Parts of a text that are names and not prose: identifiers and paths in backticks, the error class in `@throws`, and
 * the description of one reason code, which clients read as a value.
 */
const NAMES = /`[^`\n]*`|@throws Refusal\b|(?<=^|\| )Refused by the customer(?=$| \|)/g;

/** Files in which a banned word is allowed, because it is the name of their subject: the campaign `faults`. */
const SUBJECTS: readonly (readonly [file: RegExp, word: RegExp])[] = [[/^proof\/faults(?:\.ts|\/.*)$/, /^faults?$/]];

export interface Found {
  line: number;
  word: string;
  instead: string;
}

/**
 * Returns the words of a text that must be replaced. A word in capital letters is a code or a state, so it is ignored.
 */
function wordsIn(text: string, firstLine: number): Found[] {
  const prose = text.replace(NAMES, (name) => ' '.repeat(name.length));
  return [...prose.matchAll(WORDS)]
    .filter(([word]) => word !== word.toUpperCase())
    .map(({ 0: word, index }) => ({
      line: firstLine + prose.slice(0, index).split('\n').length - 1,
      word,
      instead: INSTEAD.find(([words]) => new RegExp(`^(?:${words})$`, 'i').test(word))![1],
    }));
}

/**
 * Returns the words in the comments and texts of a source. A text with only one word is a name or a value, so it is
 * ignored.
 */
export function wordsInSource(name: string, source: string): Found[] {
  // Parsing takes much longer than this search, and most files have none of the words.
  if (source.search(WORDS) === -1) return [];
  const file = ts.createSourceFile(name, source, ts.ScriptTarget.Latest, true);
  const parts = new Map<number, string>();
  const visit = (node: ts.Node): void => {
    if (ts.isJSDoc(node) || ts.isImportDeclaration(node)) return;
    // A tagged template is SQL, so it is skipped.
    if (
      (ts.isStringLiteralLike(node) || ts.isTemplateExpression(node)) &&
      !ts.isTaggedTemplateExpression(node.parent)
    ) {
      const text = textOf(node, source);
      if (/\w[,;:]? \w/.test(text)) parts.set(node.getStart(), text);
    } else if (ts.isJsxText(node)) parts.set(node.getStart(), node.text.trim());
    const children = node.getChildren(file);
    if (children.length > 0) {
      for (const child of children) visit(child);
      return;
    }
    const comments = [
      ...(ts.getLeadingCommentRanges(source, node.getFullStart()) ?? []),
      ...(ts.getTrailingCommentRanges(source, node.getEnd()) ?? []),
    ];
    for (const { pos, end } of comments) parts.set(pos, source.slice(pos, end));
  };
  visit(file);
  const isSubject = (word: string) => SUBJECTS.some(([one, subject]) => one.test(name) && subject.test(word));
  return [...parts]
    .flatMap(([start, text]) => wordsIn(text, file.getLineAndCharacterOfPosition(start).line + 1))
    .filter(({ word }) => !isSubject(word.toLowerCase()));
}

/** Returns a text without its quotes. An expression in a template counts as one word. */
function textOf(node: ts.StringLiteralLike | ts.TemplateExpression, source: string): string {
  const spans = ts.isTemplateExpression(node) ? node.templateSpans : [];
  const start = node.getStart() + 1;
  const chars = Array.from({ length: node.getEnd() - 1 - start }, (_, index) => source[start + index]!);
  for (const { expression, literal } of spans) {
    chars.fill('x', expression.getFullStart() - 2 - start, literal.getStart() + 1 - start);
  }
  return chars.join('').replaceAll('\\`', ' `');
}

/** Returns the words in a Markdown page, without its code blocks and the targets of its links. */
export function wordsInPage(page: string): Found[] {
  const withoutCode = page.replace(/^```[\s\S]*?^```/gm, (block) => block.replace(/[^\n]/g, ' '));
  return wordsIn(
    withoutCode.replace(/\]\([^)\n]*\)/g, (target) => ' '.repeat(target.length)),
    1,
  );
}
