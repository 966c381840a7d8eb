/** Finds the statements of a migration that could break programs that were written before it. */

/**
 * Returns the statements of a migration that could break an older program that serves together with a newer program;
 * empty if the migration only adds.
 */
export function notAdditive(text: string): string[] {
  const made = { tables: new Set<string>(), columns: new Set<string>() };
  const statements = text
    .replace(/--.*$/gm, '')
    .split(';')
    .map((statement) => statement.trim().replace(/\s+/g, ' '))
    .filter((statement) => statement !== '');
  return statements.filter((statement) => !adds(statement.toLowerCase(), made));
}

function adds(statement: string, made: { tables: Set<string>; columns: Set<string> }): boolean {
  const table = /^create table (\w+)/.exec(statement)?.[1];
  if (table !== undefined) {
    made.tables.add(table);
    return true;
  }
  const index = /^create (unique )?index \w+ on (\w+) .*?(?: where (\w+) is not null)?$/.exec(statement);
  if (index !== null) {
    const [, unique, on = '', where = ''] = index;
    // A unique index on a new column never rejects rows of older programs: they leave the new column empty.
    return unique === undefined || made.tables.has(on) || made.columns.has(`${on}.${where}`);
  }
  const column = /^alter table (\w+) add column (\w+) (.*)$/.exec(statement);
  if (column !== null) {
    const [, to = '', name = '', type = ''] = column;
    made.columns.add(`${to}.${name}`);
    return !/not null/.test(type) || /default/.test(type);
  }
  const into = /^insert into (\w+)/.exec(statement)?.[1];
  if (into !== undefined) return made.tables.has(into);
  const update = /^update (\w+) set (.*)$/.exec(statement);
  if (update === null) return false;
  const [, changed = '', rest = ''] = update;
  if (made.tables.has(changed)) return true;
  const names = [...withoutBrackets(rest).matchAll(/(?:^|, )(\w+) = /g)].map(([, name]) => name);
  return names.length > 0 && names.every((name) => made.columns.has(`${changed}.${name}`));
}

/**
 * Returns the assignments of an update without its `where` clause and without text in parentheses, because this text
 * can contain commas and equals signs.
 */
function withoutBrackets(text: string): string {
  let depth = 0;
  let outside = '';
  for (const character of text) {
    if (character === ')') depth -= 1;
    if (depth === 0 && character !== ')') outside += character;
    if (character === '(') depth += 1;
  }
  return outside.replace(/ where .*$/, '');
}
