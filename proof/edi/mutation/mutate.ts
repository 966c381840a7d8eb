/**
 * Makes mutants of source files: changes as in a programming mistake, each in one operator, value, condition, call or
 * block. All mutants of a file are written into one copy, each behind a switch, so that one loaded program can run any
 * of them.
 */
import ts from 'typescript';

/** One change. */
export interface Mutant {
  id: number;
  file: string;
  /** Line number, from 1. */
  line: number;
  what: string;
  /** Whether the mutated code runs while modules are loaded, so that the program must be loaded again. */
  isStatic: boolean;
}

/** The function that returns whether a mutant is active; the runner defines it. */
const SWITCH = 'globalThis.$mutant';

/** The function that each iteration of a loop calls, so that an endless loop can be ended. */
const LOOP = 'globalThis.$turn';

/** A source with all its mutants. */
export interface Mutated {
  source: string;
  mutants: Mutant[];
}

/**
 * Writes all mutants into a source. `first` is the id of the first mutant. `isStatic`: the functions of the file also
 * run while modules are loaded.
 */
export function mutate(file: string, source: string, first: number, isStatic: boolean): Mutated {
  const tree = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true);
  const mutants: Mutant[] = [];

  const add = (node: ts.Node, replacement: string): string => {
    const id = first + mutants.length;
    const { line } = tree.getLineAndCharacterOfPosition(node.getStart());
    const what = `${shortened(node.getText())} → ${shortened(replacement)}`;
    mutants.push({ id, file, line: line + 1, what, isStatic: isStatic || !isInFunction(node) });
    return `${SWITCH}(${id})`;
  };

  const render = (node: ts.Node): string => {
    const before = source.slice(node.pos, node.getStart());
    if (isLeft(node)) return source.slice(node.pos, node.end);
    let text = '';
    let at = node.getStart();
    ts.forEachChild(node, (child) => {
      text += source.slice(at, child.pos) + render(child);
      at = child.end;
    });
    text += source.slice(at, node.end);
    return before + wrapped(node, text);
  };

  const wrapped = (node: ts.Node, text: string): string => {
    if (ts.isBlock(node)) {
      if (node.statements.length === 0 || ts.isTryStatement(node.parent)) return text;
      const turn = isLoop(node.parent) ? `${LOOP}(); ` : '';
      return `{ ${turn}if (!${add(node, '{}')}) ${text} }`;
    }
    if (isLoop(node.parent) && node.parent.statement === node) return `{ ${LOOP}(); ${text} }`;
    if (!ts.isExpression(node) || !isPlace(node)) return text;
    const replacements = [...new Set(replacementsOf(node))].filter((one) => one !== node.getText());
    if (replacements.length === 0) return text;
    const choices = replacements.map((one) => `${add(node, one)} ? (${one}) : `).join('');
    return `(${choices}(${text}))`;
  };

  return { source: render(tree), mutants };
}

function isLoop(node: ts.Node | undefined): node is ts.IterationStatement {
  return node !== undefined && ts.isIterationStatement(node, false);
}

/**
 * Returns whether the node cannot have a mutant because it is not executable: a type, an import or export, or a
 * property name.
 */
function isLeft(node: ts.Node): boolean {
  return (
    ts.isTypeNode(node) ||
    ts.isImportDeclaration(node) ||
    ts.isExportDeclaration(node) ||
    ts.isInterfaceDeclaration(node) ||
    ts.isTypeAliasDeclaration(node) ||
    ts.isTypeParameterDeclaration(node) ||
    (ts.isPropertyName(node) && 'name' in node.parent && node.parent.name === node)
  );
}

/** Returns whether a mutant can put another expression in place of this one. */
function isPlace(node: ts.Expression): boolean {
  const { parent } = node;
  // In an optional chain (`a?.b.c`) a missing part ends the whole chain, so its parts cannot be replaced separately.
  if (
    (ts.isPropertyAccessExpression(parent) || ts.isElementAccessExpression(parent) || ts.isCallExpression(parent)) &&
    parent.expression === node
  ) {
    return !ts.isOptionalChain(parent) && !ts.isOptionalChain(node) && !ts.isPropertyAccessExpression(node);
  }
  if (ts.isNonNullExpression(parent)) return !ts.isOptionalChain(node);
  if (ts.isExpressionStatement(parent) && ts.isStringLiteral(node)) return false;
  if (ts.isBinaryExpression(parent) && parent.left === node && isAssignment(parent)) return false;
  return (
    !ts.isIdentifier(node) &&
    !ts.isSpreadElement(node) &&
    !(ts.isAsExpression(parent) && parent.type.getText() === 'const')
  );
}

function isAssignment({ operatorToken: { kind } }: ts.BinaryExpression): boolean {
  return kind >= ts.SyntaxKind.FirstAssignment && kind <= ts.SyntaxKind.LastAssignment;
}

function isInFunction(node: ts.Node): boolean {
  for (let at = node.parent as ts.Node | undefined; at !== undefined; at = at.parent as ts.Node | undefined) {
    if (ts.isFunctionLike(at)) return true;
    if (ts.isPropertyDeclaration(at)) return true;
  }
  return false;
}

const { SyntaxKind } = ts;

/** The operators that replace each operator. */
const OPERATORS: Readonly<Record<number, readonly string[]>> = {
  [SyntaxKind.LessThanToken]: ['<=', '>='],
  [SyntaxKind.LessThanEqualsToken]: ['<', '>'],
  [SyntaxKind.GreaterThanToken]: ['>=', '<='],
  [SyntaxKind.GreaterThanEqualsToken]: ['>', '<'],
  [SyntaxKind.EqualsEqualsEqualsToken]: ['!=='],
  [SyntaxKind.ExclamationEqualsEqualsToken]: ['==='],
  [SyntaxKind.AmpersandAmpersandToken]: ['||'],
  [SyntaxKind.BarBarToken]: ['&&'],
  [SyntaxKind.QuestionQuestionToken]: ['&&'],
  [SyntaxKind.PlusToken]: ['-'],
  [SyntaxKind.MinusToken]: ['+'],
  [SyntaxKind.AsteriskToken]: ['/'],
  [SyntaxKind.SlashToken]: ['*'],
  [SyntaxKind.PercentToken]: ['*'],
  [SyntaxKind.PlusEqualsToken]: ['-='],
  [SyntaxKind.MinusEqualsToken]: ['+='],
  [SyntaxKind.QuestionQuestionEqualsToken]: ['='],
};

/** Operators with a boolean result. */
const IS_BOOLEAN: ReadonlySet<number> = new Set([
  SyntaxKind.LessThanToken,
  SyntaxKind.LessThanEqualsToken,
  SyntaxKind.GreaterThanToken,
  SyntaxKind.GreaterThanEqualsToken,
  SyntaxKind.EqualsEqualsEqualsToken,
  SyntaxKind.ExclamationEqualsEqualsToken,
]);

/** Replacements of methods: the opposite method, or '' to remove the call. */
const METHODS: Readonly<Record<string, string>> = {
  startsWith: 'endsWith',
  endsWith: 'startsWith',
  some: 'every',
  every: 'some',
  trimEnd: '',
  trimStart: '',
  trim: '',
  slice: '',
  filter: '',
  sort: '',
  replace: '',
  replaceAll: '',
  padStart: 'padEnd',
  padEnd: 'padStart',
  max: 'min',
  min: 'max',
  indexOf: 'lastIndexOf',
  lastIndexOf: 'indexOf',
  find: 'findLast',
  findLast: 'find',
  findIndex: 'findLastIndex',
  findLastIndex: 'findIndex',
};

function replacementsOf(node: ts.Expression): string[] {
  const text = node.getText();
  if (ts.isBinaryExpression(node)) return binary(node);
  if (ts.isPrefixUnaryExpression(node)) return prefix(node);
  if (ts.isPostfixUnaryExpression(node)) return [text.replace(/\+\+$/, '--')];
  if (node.kind === SyntaxKind.TrueKeyword) return ['false'];
  if (node.kind === SyntaxKind.FalseKeyword) return ['true'];
  if (ts.isStringLiteralLike(node)) return [node.text === '' ? "'mutant'" : "''"];
  if (ts.isTemplateExpression(node)) return ["''"];
  if (ts.isRegularExpressionLiteral(node)) return regularExpressions(text);
  if (ts.isArrayLiteralExpression(node)) return node.elements.length === 0 ? [] : ['[]'];
  if (ts.isObjectLiteralExpression(node)) return node.properties.length === 0 ? [] : ['{}'];
  if (ts.isArrowFunction(node) && !ts.isBlock(node.body)) return ['() => undefined'];
  if (ts.isCallExpression(node)) return calls(node);
  if (ts.isOptionalChain(node)) return chains(node);
  const { parent } = node;
  const isCondition =
    ((ts.isIfStatement(parent) || ts.isWhileStatement(parent)) && parent.expression === node) ||
    ((ts.isConditionalExpression(parent) || ts.isForStatement(parent)) && parent.condition === node);
  return isCondition ? ['true', 'false'] : [];
}

function binary(node: ts.BinaryExpression): string[] {
  const { left, right, operatorToken } = node;
  const [one, other] = [left.getText(), right.getText()];
  const others = (OPERATORS[operatorToken.kind] ?? []).map((operator) => {
    // The parentheses are necessary, because JavaScript does not allow `??` next to `||` or `&&` without them.
    const isMixed = operator === '||' || operator === '&&';
    return isMixed ? `(${one}) ${operator} (${other})` : `${one} ${operator} ${other}`;
  });
  if (
    operatorToken.kind === SyntaxKind.PlusToken &&
    [left, right].some((part) => ts.isStringLiteralLike(part) || ts.isTemplateExpression(part))
  )
    return [];
  if (IS_BOOLEAN.has(operatorToken.kind)) return [...others, 'true', 'false'];
  return others;
}

function prefix({ operator, operand }: ts.PrefixUnaryExpression): string[] {
  if (operator === SyntaxKind.ExclamationToken) return [operand.getText()];
  if (operator === SyntaxKind.MinusToken) return [`+${operand.getText()}`];
  return [];
}

function calls(node: ts.CallExpression): string[] {
  const callee = node.expression;
  const found = chains(node);
  if (!ts.isPropertyAccessExpression(callee)) return found;
  const other = Object.hasOwn(METHODS, callee.name.text) ? METHODS[callee.name.text] : undefined;
  if (other === undefined) return found;
  const object = callee.expression.getText();
  const args = node.arguments.map((one) => one.getText()).join(', ');
  return [...found, other === '' ? object : `${object}.${other}(${args})`];
}

/**
 * Returns a list with one text: the optional chain without its first `?.[`, its first `?.(` and then its first
 * remaining `?.`. The list is empty for other expressions.
 */
function chains(node: ts.Expression): string[] {
  if (!ts.isOptionalChain(node)) return [];
  const text = node.getText();
  return [text.replace('?.[', '[').replace('?.(', '(').replace('?.', '.')];
}

function regularExpressions(text: string): string[] {
  const all = [
    text.replace(/^\/\^/, '/'),
    text.replace(/\$\/([a-z]*)$/, '/$1'),
    text.replace(/(?<!\\)\\d/, '\\D'),
    text.replace(/(?<=[\])\w])\+(?!\))/, ''),
    text.replace(/\[(?!\^)/, '[^'),
    text.replace(/\[\^/, '['),
    text.replace(/\{(\d+)\}/, ''),
    text.replace(/\{(\d+),(\d+)\}/, '{$1}'),
  ];
  return all.filter((one) => one !== text && isRegularExpression(one));
}

function isRegularExpression(text: string): boolean {
  const [, source = '', flags = ''] = /^\/(.*)\/([a-z]*)$/s.exec(text) ?? [];
  try {
    return source !== '' && new RegExp(source, flags) instanceof RegExp;
  } catch {
    return false;
  }
}

function shortened(text: string): string {
  const line = text.replace(/\s+/g, ' ');
  return line.length > 70 ? `${line.slice(0, 69)}…` : line;
}
