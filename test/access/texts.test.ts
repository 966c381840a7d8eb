import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { access as de } from '../../console/texts/de/access.ts';
import { access as en } from '../../console/texts/en/access.ts';
import { access as es } from '../../console/texts/es/access.ts';
import { EVENT_TYPES } from '../../src/events/types.ts';
import { ALSO_ACCESS, ORDERS_READ } from '../../src/platform/access-log/store.ts';
import { operations } from '../../src/service/operations.ts';

const SOURCE = new URL('../../src/', import.meta.url);

/** Types of events about the installation. The console shows the access log of a client, which has no such events. */
const OF_INSTALLATION = /^(?:operatorKey|person)\./;

/** Returns the types of access events in the files that record access events. */
function typesInSource(): string[] {
  const types = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => readFileSync(new URL(name, SOURCE), 'utf8'))
    .filter((text) => /\brecord(?:Access|Ended)\(/.test(text))
    .flatMap((text) => [...text.matchAll(/'((?:credential|device|label|node|user)\.[a-z][A-Za-z]*)'/g)])
    .map(([, type]) => type!)
    .filter((type) => !(type in EVENT_TYPES) && !OF_INSTALLATION.test(type));
  return [...new Set([...types, ...ALSO_ACCESS, ORDERS_READ])].sort();
}

describe('the texts of the access log', () => {
  it.each([
    ['English', en],
    ['German', de],
    ['Spanish', es],
  ])('name every type that the source records, and every operation that shows orders: %s', (_, texts) => {
    const types = typesInSource();
    expect(types).toContain('user.signedIn');
    expect(types.filter((type) => !(type in texts.types))).toEqual([]);
    const reads = operations.filter(({ access }) => access.reveals !== undefined).map(({ id }) => id);
    expect(reads.filter((id) => !(id in texts.reads))).toEqual([]);
  });
});
