import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { tables } from '../../town/interface-tables.ts';
import { ROOT } from './pages.ts';

const page = readFileSync(join(ROOT, 'docs/interface.md'), 'utf8');

/** Headings of the page for the sections of the operator's document. */
const HEADINGS: Record<string, string> = {
  Item: 'Item',
  ReceivingDetail: 'Request of the transmission',
  ASNData: 'ASN',
  POData: 'PO',
  Header: 'ASN',
  Details: 'ASN',
  Detail: 'ASN',
  ExtendedAttributes: 'Extended attributes',
  DateRange: 'Ranges',
  Contact: 'Contact',
  PersonName: 'Destination',
  Address: 'Destination',
  Destination: 'Destination',
  'Transmit an ASN or PO, response': 'Response of the transmission',
  'Queue assignment, request': 'Request of the queue search',
  'Queue assignment, response': 'Response of the queue search',
  'Generate a pack slip, request': 'Request of the pack slip',
  'Generate a pack slip, response': 'Response of the pack slip',
  'Pack slip fulfillmentOrder': 'Response of the pack slip',
  'Search fulfillment orders, request': 'Request of the order search',
  'Search fulfillment orders, response': 'Response of the order search',
  'Generate a pick ticket, request': 'Request of the pick ticket',
  'Generate a pick ticket, response': 'Response of the pick ticket',
  'Pick ticket item': 'Response of the pick ticket',
  'Update a pick ticket, request': 'Update a pick ticket',
  'Check-in details, response': 'Response of the check-in details',
  'Check-in confirm, request': 'Request of the check-in',
};

const SUB_TYPES = tables.map(({ section }) => section).filter((section) => page.includes(`\n| \`${section}\` | \``));

/** Returns the text below a heading, up to the next heading of the same or a higher level. */
function below(heading: string): string {
  const found = new RegExp(`^(#+) ${heading}$`, 'm').exec(page);
  if (found === null) throw new Error(`docs/interface.md has no heading ${heading}`);
  const rest = page.slice(found.index + found[0].length);
  const end = new RegExp(`^#{1,${found[1]!.length}} `, 'm').exec(rest);
  return rest.slice(0, end?.index);
}

/** Returns the names in the first column of the tables of a text, without list markers, in lower case. */
function fieldsOf(text: string): string[] {
  return [...text.matchAll(/^\| `([^`]+)` \|/gm)].map(([, field = '']) => field.replaceAll('[]', '').toLowerCase());
}

/** Returns the fields of a section, without statuses, parts of the path, query parameters and actions. */
const fieldsIn = (members: readonly string[]): string[] =>
  members.filter((member) => !/^(?:\d+|(?:path|query)\..*|RESET|UPDATE)$/.test(member));

describe('docs/interface.md', () => {
  it('shows the tables generated from contract/openapi.json', () => {
    const run = spawnSync(process.execPath, [join(ROOT, 'scripts/interface.ts'), '--check'], { encoding: 'utf8' });
    expect(run.stderr).toBe('');
    expect(run.status).toBe(0);
  });

  it.each(Object.entries(HEADINGS))('has a row for every field of the section %s', (section, heading) => {
    const members = fieldsIn(tables.find((table) => table.section === section)!.members);
    const rows = fieldsOf(below(heading)).map((field) => `.${field}`);
    // Another heading has the fields of a destination.
    const elsewhere = fieldsOf(below('Destination')).map((field) => `.destinations.${field}`);
    const written = [...rows, ...elsewhere];
    expect(members.filter((member) => !written.some((row) => row.endsWith(`.${member.toLowerCase()}`)))).toEqual([]);
  });

  it.each(SUB_TYPES)('has a row for every field of the sub-type %s', (section) => {
    const { members } = tables.find((table) => table.section === section)!;
    const rows = [...below('Item sub-types').matchAll(/^\| `(\w+)` \| `(\w+)(?:\[\])?` \|/gm)]
      .filter(([, object]) => object === section)
      .map(([, , field]) => field);
    expect(members.filter((member) => !rows.includes(member))).toEqual([]);
  });

  it('has all sub-types of an item', () => {
    expect(SUB_TYPES).toHaveLength(17);
  });

  it.each([
    ['storeId', 'yes', '1 to 40 characters'],
    ['orderDateRange', '', ''],
    ['pageSize', '', '0 to 500'],
  ])('states for %s of the queue search whether it is required, and its limits', (field, required, limits) => {
    const row = below('Request of the queue search')
      .split('\n')
      .find((line) => line.startsWith(`| \`${field}\` |`));
    const cells = row?.split('|').map((cell) => cell.trim());
    expect(cells?.slice(3, 5)).toEqual([required, limits]);
  });

  it('marks the fields that are not in the operator’s document, and no others', () => {
    const own = [...page.matchAll(/^\| `([^`]+)` \|.*Backroom's own\. \|$/gm)].map(([, field = '']) => field);
    expect(own).toContain('totalRecordsCapped');
    expect(own.filter((field) => /^(?:header|asnData|poData)|\.(?:storeId|status|id)$/.test(field))).toEqual([]);
  });

  it('marks no field of a response that docs/api.md does not list as beyond the interface', () => {
    const api = readFileSync(join(ROOT, 'docs/api.md'), 'utf8');
    const [, listed = ''] = /^## Beyond the interface$(.*?)^## /ms.exec(api) ?? [];
    const responses = [...page.matchAll(/^#### (Response of .+)$/gm)].map(([, heading = '']) => below(heading));
    const own = responses.flatMap((text) => [...text.matchAll(/^\| `([^`]+)` \|.*Backroom's own\. \|$/gm)]);
    const names = new Set(own.map(([, field = '']) => field.replaceAll('[]', '').split('.').at(-1)!));
    expect(names).toContain('currency');
    expect([...names].filter((name) => !listed.includes(`\`${name}\``))).toEqual([]);
  });
});
