import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { EVENT_TYPES as OF_CONSOLE } from '../../console/office/event-types.ts';
import { EVENT_TYPE_NAMES, EVENT_TYPES } from '../../src/events/types.ts';
import { errorOfEvent } from '../support/backroom.ts';

const SOURCE = new URL('../../src/', import.meta.url);
const sources = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts') && !name.startsWith('events/schemas/'))
  .map((name) => readFileSync(new URL(name, SOURCE), 'utf8'));

/** Types that the source composes from parts: those of a PUT (`created`, `changed`) and of a write of an item. */
const COMPOSED = [
  ...['client', 'store', 'node', 'nodeItem', 'user', 'identityProvider'].flatMap((resource) => [
    `${resource}.created`,
    `${resource}.changed`,
  ]),
  'item.created',
  'item.updated',
];

const recorded = (text: string) => new RegExp(`'(?:${resources.join('|')})\\.[a-z][A-Za-z]*'`, 'g').exec(text) !== null;
const resources = [...new Set(EVENT_TYPE_NAMES.map((name) => name.slice(0, name.indexOf('.'))))];

/** Returns the names of all fields in a schema. */
function membersOf(schema: unknown): string[] {
  if (Array.isArray(schema)) return schema.flatMap(membersOf);
  if (typeof schema !== 'object' || schema === null) return [];
  const { properties = {}, ...rest } = schema as { properties?: Record<string, unknown> };
  return [
    ...Object.keys(properties),
    ...Object.values(properties).flatMap(membersOf),
    ...Object.values(rest).flatMap(membersOf),
  ];
}

describe('the types of events', () => {
  it('are all in the form of webhooks of the console, with their descriptions', () => {
    const described = Object.fromEntries(EVENT_TYPE_NAMES.map((name) => [name, EVENT_TYPES[name].says]));
    expect(OF_CONSOLE).toEqual(described);
  });

  it('are those that the source records, each listed once with its schema', () => {
    const written = new Set(
      sources.flatMap((text) =>
        [...text.matchAll(/\btype: '([a-z][A-Za-z]*\.[a-z][A-Za-z]*)'/g)].map((match) => match[1]!),
      ),
    );
    expect(
      [...written].filter((name) => !(name in EVENT_TYPES)),
      'add their lines to src/events/schemas',
    ).toEqual([]);
    const unwritten = EVENT_TYPE_NAMES.filter(
      (name) => !COMPOSED.includes(name) && !sources.some((text) => text.includes(`'${name}'`)),
    );
    expect(unwritten, 'nothing records them').toEqual([]);
    expect(sources.some(recorded)).toBe(true);
  });

  it('say in a sentence when each is recorded', () => {
    for (const name of EVENT_TYPE_NAMES)
      expect(EVENT_TYPES[name].says, name).toMatch(/^[A-Z].{10,}\.$|^[A-Z].{10,}: \d{4}\.$/);
  });

  it('have no field for anything of a customer', () => {
    const ofPeople =
      /name|mail|phone|address|line[1-4]|postal|contact|customer|proxy|pin(?!g)|document|signature|gift|instruction/i;
    const ofBusiness = EVENT_TYPE_NAMES.filter((name) => !/^(client|store|node|user|credential|webhook)\./.test(name));
    for (const name of ofBusiness) {
      const found = membersOf(EVENT_TYPES[name].data).filter((member) => ofPeople.test(member));
      expect([name, found.filter((member) => !['customerCanceledQuantity', 'statusName'].includes(member))]).toEqual([
        name,
        [],
      ]);
    }
  });

  it('would be complained of where a type is not listed, or its data are not of its schema', () => {
    expect(errorOfEvent('order.vanished', {})).toContain('src/events/types.ts');
    expect(errorOfEvent('pickTicket.opened', { userId: 'u', extra: 1 })).toContain('extra');
    expect(errorOfEvent('pickTicket.opened', {})).toContain('userId');
    expect(errorOfEvent('pickTicket.opened', { userId: 'u' })).toBeUndefined();
  });
});
