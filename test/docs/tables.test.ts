import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { STOCK_RULES } from '../../src/kernel/stock-moves.ts';
import { TRANSACTION_TYPES } from '../../src/kernel/stock-transactions.ts';
import { SETTINGS } from '../../src/platform/config.ts';
import { ROOT } from './pages.ts';

const read = (name: string): string => readFileSync(join(ROOT, name), 'utf8');

/** Returns the cells of each row of the table after a marker comment. */
function tableAfter(page: string, marker: string): string[][] {
  const start = page.indexOf(`<!-- ${marker}`);
  if (start < 0) throw new Error(`no marker ${marker}`);
  const lines = page.slice(start).split('\n').slice(1);
  const first = lines.findIndex((line) => line.startsWith('|'));
  const end = lines.findIndex((line, index) => index > first && !line.startsWith('|'));
  return lines.slice(first + 2, end < 0 ? undefined : end).map((line) =>
    line
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim()),
  );
}

function sources(): string {
  return readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => read(join('src', name)))
    .join('\n');
}

/**
 * Returns the codes of rejections in the source: of `new Refusal`, of the helpers that take a code, and of inbound
 * errors.
 */
function codesInSource(): Set<string> {
  const text = sources();
  const union = [...text.matchAll(/type (?:Fault|Error|Inbound)Code =([^;]+);/g)].map((match) => match[1]).join();
  return new Set(
    [
      ...text.matchAll(/(?:new Refusal|super)\(\s*\d+,\s*'[A-Z]+',\s*'([A-Z_]+)'/g),
      ...text.matchAll(/(?:unauthorized|refused)\(\s*'([A-Z_]+)'/g),
      ...union.matchAll(/'([A-Z_]+)'/g),
    ].map(([, code = '']) => code),
  );
}

describe('docs/api.md', () => {
  it('has every error code of the source, and no other', () => {
    const documented = tableAfter(read('docs/api.md'), 'codes').map(([code]) => code);
    expect(documented.toSorted()).toEqual([...codesInSource()].sort());
  });

  it('has a cause and a fix for every code', () => {
    for (const [, status, cause, cure] of tableAfter(read('docs/api.md'), 'codes')) {
      expect([status, cause, cure]).not.toContain('');
    }
  });

  it('shows the accepted input, the response and the test of every known quirk', () => {
    const quirks = tableAfter(read('docs/api.md'), 'quirks');
    expect(quirks.length).toBeGreaterThan(15);
    for (const [subject, accepted, answered, test] of quirks) {
      expect([subject, accepted, answered]).not.toContain('');
      expect(test, subject).toMatch(/^`test\/.+\.test\.ts > .+`$/);
    }
  });
});

describe('docs/operating.md', () => {
  it('has every setting with its default and meaning', () => {
    const documented = tableAfter(read('docs/operating.md'), 'settings');
    expect(documented).toEqual(SETTINGS.map((setting) => [`\`${setting.name}\``, setting.default, setting.meaning]));
  });
});

describe('docs/storage.md', () => {
  it('has every table of the schema once', () => {
    const documented = tableAfter(read('docs/storage.md'), 'Every table').flatMap(([names = '']) =>
      [...names.matchAll(/`([a-z_]+)`/g)].map(([, name]) => name),
    );
    const made = [...read('src/platform/storage/schema.sql').matchAll(/^CREATE TABLE (\w+)/gm)].map(([, name]) => name);
    expect(documented.toSorted()).toEqual(made.toSorted());
  });
});

describe('docs/stock.md', () => {
  it('has every move of every action', () => {
    const moved = Object.entries(STOCK_RULES).flatMap(([action, rules]) =>
      ('arriving' in rules ? [...rules.arriving, ...rules.inStore] : rules).map((rule) => {
        const byReason = `MISSING or DAMAGED by the reason${rule.otherwise === undefined ? '' : `, else ${rule.otherwise}`}`;
        return [action, `\`${rule.units}\``, rule.from, rule.to === 'BY_REASON' ? byReason : rule.to, rule.cause];
      }),
    );
    expect(tableAfter(read('docs/stock.md'), 'Every row')).toEqual(moved);
  });

  it('has every type of transaction', () => {
    const types = tableAfter(read('docs/stock.md'), 'Every type').map(([type]) => Number(type));
    expect(types).toEqual([...TRANSACTION_TYPES]);
  });
});

describe('docs/states.md', () => {
  it('numbers its invariants without a gap and names the code and the test of each', () => {
    const invariants = tableAfter(read('docs/states.md'), 'invariants');
    expect(invariants.length).toBeGreaterThan(10);
    for (const [index, [number, rule, enforced, test]] of invariants.entries()) {
      expect(number).toBe(`I${index + 1}`);
      expect([rule, enforced]).not.toContain('');
      expect(test, number).toMatch(/^`test\/.+\.test\.ts > .+`$/);
    }
  });
});
