/**
 * Writes the tables of docs/interface.md from contract/openapi.json, between the markers of the page. Fields that the
 * operator's document lacks are marked. With --check it writes nothing and exits with 1 if the page is stale.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { resolved as partOf } from '../src/service/web/openapi/share.ts';
import { tables } from '../town/interface-tables.ts';

const FILE = new URL('../docs/interface.md', import.meta.url);
const CONTRACT = new URL('../contract/openapi.json', import.meta.url);
const COMMAND = 'npx node scripts/interface.ts';

interface Schema {
  $ref?: string;
  type?: string | string[];
  description?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
  enum?: (string | null)[];
  const?: string | boolean;
  format?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
  'x-format'?: string;
  'x-decimal'?: { integer: number; fraction: number };
}

interface Parameter {
  name: string;
  in: string;
  description: string;
  schema: Schema;
}

interface Response {
  description: string;
  content?: Record<string, { schema: Schema }>;
}

interface Operation {
  operationId: string;
  security: Record<string, unknown>[];
  parameters: (Parameter | { $ref: string })[];
  requestBody?: { content: Record<string, { schema: Schema }> };
  responses: Record<string, Response | { $ref: string }>;
}

const contract = JSON.parse(readFileSync(CONTRACT, 'utf8')) as {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema>; responses: Record<string, { description: string }> };
};

/** Anchors of objects that have a heading on the page. Fields of these types link to the heading. */
const LINKED: Record<string, string> = {
  Item: 'item',
  ExtendedAttribute: 'extended-attributes',
  BundleComponent: 'components-of-a-bundle',
  ItemHandling: 'handling',
  InboundAsn: 'asn',
  InboundPo: 'po',
  PickTicketConfirm: 'confirm',
  PickTicketReset: 'reset',
};

/** The object types within an item, in the order of their table. */
const SUB_TYPES = [
  'Attribute',
  'Brand',
  'BrandDescription',
  'BundleItem',
  'Color',
  'ColorDescription',
  'DropShipSupplier',
  'FulfillmentTypeEligibility',
  'Hierarchy',
  'Image',
  'Manufacturer',
  'MassDimensions',
  'PackagingDimensions',
  'Price',
  'Size',
  'Supplier',
  'UPC',
];
for (const name of SUB_TYPES) LINKED[name] = 'item-sub-types';

/** Unnamed objects that several messages share. `of` is the path of one such object. */
const SHARED: { anchor: string; word: string; mode: Mode; of: string[] }[] = [
  { anchor: 'ranges', word: 'range', mode: 'request', of: ['QueueSearch', 'orderDateRange'] },
  { anchor: 'contact-filters', word: 'contact', mode: 'request', of: ['QueueSearch', 'customer'] },
  { anchor: 'contact', word: 'contact', mode: 'response', of: ['QueueSearchReply', 'fulfillmentOrders', 'customer'] },
  {
    anchor: 'destination',
    word: 'destination',
    mode: 'response',
    of: ['QueueSearchReply', 'fulfillmentOrders', 'destinations'],
  },
  {
    anchor: 'destination-reference',
    word: 'reference',
    mode: 'response',
    of: ['QueueSearchReply', 'fulfillmentOrders', 'shippingAddress'],
  },
];

/** For each table of docs/interface.md: the sections of the operator's document that list its fields. */
const SECTIONS: Record<string, string[]> = {
  'request transmitInbound': ['ReceivingDetail', 'ASNData', 'POData'],
  'schema InboundAsn': ['ASNData', 'Header', 'Details', 'Detail'],
  'schema InboundPo': ['POData', 'Header', 'Details', 'Detail'],
  'schema ExtendedAttribute': ['ExtendedAttributes'],
  'response transmitInbound': ['Transmit an ASN or PO, response'],
  'request searchQueue': ['Queue assignment, request'],
  'response searchQueue': ['Queue assignment, response'],
  'request generatePackSlip': ['Generate a pack slip, request'],
  'response generatePackSlip': ['Generate a pack slip, response', 'Pack slip fulfillmentOrder'],
  'request searchFulfillmentOrders': ['Search fulfillment orders, request'],
  'response searchFulfillmentOrders': ['Search fulfillment orders, response'],
  'request generatePickTicket': ['Generate a pick ticket, request'],
  'response generatePickTicket': ['Generate a pick ticket, response', 'Pick ticket item'],
  'request updatePickTicket': ['Update a pick ticket, request'],
  'schema PickTicketConfirm': ['Update a pick ticket, request'],
  'schema PickTicketReset': ['Update a pick ticket, request'],
  'response readCheckIn': ['Check-in details, response'],
  'request confirmCheckIn': ['Check-in confirm, request'],
  'schema Item': ['Item'],
  'shared ranges': ['DateRange'],
  'shared contact-filters': ['Contact'],
  'shared contact': ['Contact'],
  'shared destination': ['Destination', 'PersonName', 'Address'],
  'shared destination-reference': ['Destination reference'],
};

/** Lower-case names of fields that the operator's document has only in an example or in a second spelling. */
const ALSO_THERE = new Set(['descriptions', 'extendedattributes', 'modeid', 'modifyassociatedid']);

const IGNORED = 'Accepted and ignored';

type Mode = 'request' | 'response';

interface Row {
  path: string;
  schema: Schema;
  required: boolean;
  /** True if the operator's document lacks the field. The column "meaning" then says so. */
  isOwn: boolean;
}

const page = readFileSync(FILE, 'utf8');
const fresh = page.replace(
  /(<!-- table: ([^>\n]+) -->\n)[\s\S]*?(<!-- end -->)/g,
  (_all, start: string, name: string, end: string) => `${start}\n${tableOf(name)}\n\n${end}`,
);
if (!process.argv.includes('--check')) writeFileSync(FILE, fresh);
else if (fresh !== page) {
  console.error(`docs/interface.md does not show the tables of contract/openapi.json. Run: ${COMMAND}`);
  process.exitCode = 1;
}

function tableOf(name: string): string {
  const [kind = '', what = '', prefix = ''] = name.split(' ');
  if (kind === 'call') return callTable(what);
  if (kind === 'sub-types') return subTypesTable();
  if (kind === 'statuses') return statusTable();
  const isOwn = ownBy(SECTIONS[`${kind} ${what}`]);
  if (kind === 'request') return fieldTable(bodyOf(what), 'request', isOwn);
  if (kind === 'response') return fieldTable(successOf(what).schema, 'response', isOwn);
  if (kind === 'schema') {
    const request = contract.components.schemas[`${what}Request`];
    return fieldTable(request ?? schemaNamed(what), 'request', isOwn, prefix);
  }
  if (kind === 'object') return fieldTable(schemaNamed(what), 'response', () => false);
  if (kind === 'shared')
    return fieldTable(sharedSchema(what), SHARED.find(({ anchor }) => anchor === what)!.mode, isOwn);
  throw new Error(`docs/interface.md asks for an unknown table: ${name}`);
}

/** Returns the table of an operation: method, path, credentials, parameters, and its own statuses. */
function callTable(id: string): string {
  const { method, path, operation } = operationOf(id);
  const credentials = operation.security.map((one) => Object.keys(one).map(credential).join(' and ')).join(', or ');
  const parameters = ['path', 'query'].flatMap((place) =>
    operation.parameters
      .map((parameter) => partOf<Parameter>(contract, parameter))
      .filter((parameter) => parameter.in === place)
      .map(({ name, description, schema }) => {
        const limits = limitsOf(schema);
        return [`${place}: \`${name}\``, `required${limits === '' ? '' : `, ${limits}`}. ${sentence(description)}`];
      }),
  );
  const statuses = Object.entries(operation.responses).flatMap(([status, response]) =>
    isOfEvery(status, response) ? [] : [[status, sentence(partOf<Response>(contract, response).description)]],
  );
  const others = ['other statuses', 'those of [every operation](#statuses)'];
  return markdown([
    ['call', `\`${method.toUpperCase()} ${path}\``],
    ['credentials', credentials],
    ...parameters,
    ...statuses,
    others,
  ]);
}

/** Whether an operation has only the shared error for this status, without a cause of its own. */
function isOfEvery(status: string, response: Response | { $ref: string }): boolean {
  return '$ref' in response && new RegExp(`/[A-Za-z]+${status}$`).test(response.$ref);
}

/**
 * Returns the table of the statuses that all operations share. The table of one operation lists a status only if the
 * status has another cause there.
 */
function statusTable(): string {
  const rows = Object.entries(contract.components.responses).flatMap(([name, { description }]) => {
    const status = /^ErrorRecord(\d{3})$/.exec(name)?.[1];
    return status === undefined ? [] : [[status, sentence(description)]];
  });
  return markdown([['status', 'when'], ...rows]);
}

function credential(name: string): string {
  return name === 'basic' ? '`Authorization: Basic`' : `\`${name}\``;
}

function fieldTable(schema: Schema, mode: Mode, isOwn: (path: string) => boolean, prefix = ''): string {
  const rows = rowsOf(schema, mode, isOwn, prefix === '' ? '' : `${prefix}.`);
  const kept = rows.filter((row) => !isIgnored(row.schema));
  const ignored = rows
    .filter((row) => isIgnored(row.schema))
    .map(({ path }) => `\`${prefix === '' ? path : path.slice(prefix.length + 1)}\``);
  const table = markdown([
    ['field', 'type', mode === 'request' ? 'required' : 'always there', 'limits', 'meaning'],
    ...kept.map((row) => cellsOf(row, mode)),
  ]);
  if (ignored.length === 0) return table;
  return `${table}\n\nAccepted and ignored, so that you can [send back](#fields-sent-back) what you read: ${ignored.join(', ')}.`;
}

function subTypesTable(): string {
  const rows = SUB_TYPES.flatMap((name) => {
    const schema = contract.components.schemas[`${name}Request`] ?? schemaNamed(name);
    return rowsOf(schema, 'request', ownBy([name]), '').map((row) => [`\`${name}\``, ...cellsOf(row, 'request')]);
  });
  return markdown([['object', 'field', 'type', 'required', 'limits', 'meaning'], ...rows]);
}

function cellsOf({ path, schema, required, isOwn }: Row, mode: Mode): string[] {
  const meaning = schema.description === undefined ? '' : sentence(schema.description);
  return [
    `\`${path}\``,
    typeOf(schema, mode),
    required ? 'yes' : '',
    limitsOf(schema, mode),
    isOwn ? `${meaning} Backroom's own.`.trim() : meaning,
  ];
}

/** Returns a row for each field of an object, including the fields of inner objects without their own heading. */
function rowsOf(schema: Schema, mode: Mode, isOwn: (path: string) => boolean, prefix: string): Row[] {
  const { properties = {}, required = [] } = resolved(schema);
  return Object.entries(properties).flatMap(([name, property]) => {
    const isList = property.items !== undefined;
    const path = `${prefix}${name}${isList ? '[]' : ''}`;
    const row: Row = { path, schema: property, required: required.includes(name), isOwn: isOwn(path) };
    const inner = isList ? property.items! : property;
    if (linkOf(inner, mode) !== undefined || resolved(inner).properties === undefined) return [row];
    const within = row.isOwn ? () => false : isOwn;
    return [row, ...rowsOf(inner, mode, within, `${path}.`)];
  });
}

/**
 * Returns a function that tells whether the operator's document lacks a field: no listed section has a field that
 * matches the end of the path.
 */
function ownBy(sections: readonly string[] | undefined): (path: string) => boolean {
  if (sections === undefined) return () => false;
  const known = new Set(
    tables
      .filter(({ section }) => sections.includes(section))
      .flatMap(({ members }) => members.map((member) => member.toLowerCase())),
  );
  return (path) => {
    const names = path.replaceAll('[]', '').toLowerCase().split('.');
    if (ALSO_THERE.has(names.at(-1)!)) return false;
    return !names.some((_name, index) => known.has(names.slice(index).join('.')));
  };
}

function typeOf(schema: Schema, mode: Mode): string {
  if (schema.items !== undefined) return `list of ${typeOf(schema.items, mode)}`;
  const link = linkOf(schema, mode);
  if (link !== undefined) return `[${link.word}](#${link.anchor})`;
  const { anyOf, format, type, properties } = resolved(schema);
  if (anyOf !== undefined) {
    const types = anyOf.filter((one) => one.type !== 'null' && one.const !== '').map((one) => typeOf(one, mode));
    return [...new Set(types)].join(' or ');
  }
  if (properties !== undefined) return 'object';
  if (format === 'date-time') return '[date-time](#dates)';
  if (resolved(schema)['x-format'] !== undefined) return '[ISO date](#dates)';
  if (resolved(schema)['x-decimal'] !== undefined) return 'number';
  return [type].flat().filter((one) => one !== 'null')[0] ?? 'any';
}

function limitsOf(schema: Schema, mode: Mode = 'request'): string {
  if (schema.items !== undefined) {
    const elements = span(schema.minItems, schema.maxItems, 'elements');
    return [elements, limitsOf(schema.items, mode)].filter((one) => one !== '').join(', each ');
  }
  const own = resolved(schema);
  if (linkOf(schema, mode) !== undefined) return requiredWithin(schema, mode);
  if (own.anyOf !== undefined) return limitsOf(own.anyOf[0]!, mode);
  if (own.const !== undefined) return `\`${String(own.const)}\``;
  if (own.enum !== undefined) {
    const values = own.enum.filter((one) => one !== null).map((one) => `\`${one}\``);
    return values.length === 1 ? values[0]! : `one of ${values.join(', ')}`;
  }
  const decimal = own['x-decimal'];
  const range = span(own.minimum, own.maximum, '');
  // Numbers in all messages have at most 64 digits, so this limit is not shown.
  if (decimal === undefined || decimal.integer >= 64) return own.type === 'object' ? '' : characters(own) || range;
  const digits =
    decimal.fraction === 0 ? `${decimal.integer} digits` : `${decimal.integer} + ${decimal.fraction} digits`;
  return [range, digits].filter((one) => one !== '').join(', ');
}

function characters({ minLength, maxLength }: Schema): string {
  return span(minLength, maxLength, 'characters');
}

function span(least: number | undefined, most: number | undefined, of: string): string {
  const number = (value: number) => value.toLocaleString('en-US', { maximumFractionDigits: 4 });
  const words = (text: string) => `${text} ${of}`.trim();
  if (least === 1 && most === 1) return `1 ${of.replace(/s$/, '')}`;
  if (least === 1 && most === undefined && of !== '') return 'not empty';
  if (least !== undefined && most !== undefined) {
    return words(least === most ? number(most) : `${number(least)} to ${number(most)}`);
  }
  if (most !== undefined) return words(`at most ${number(most)}`);
  return least === undefined || (least === 0 && of !== '') ? '' : words(`at least ${number(least)}`);
}

/** Returns the fields that are required in this place, but optional under the heading of the shared object. */
function requiredWithin(schema: Schema, mode: Mode): string {
  const shared = sharedLike(schema, mode);
  if (shared === undefined) return '';
  const usual = new Set(requiredPaths(sharedSchema(shared.anchor), ''));
  const more = requiredPaths(schema, '')
    .filter((path) => !usual.has(path))
    .filter((path, _index, all) => !all.some((other) => other.startsWith(`${path}.`)));
  return more.length === 0 ? '' : `with ${more.map((path) => `\`${path}\``).join(', ')}`;
}

function requiredPaths(schema: Schema, prefix: string): string[] {
  const { properties = {}, required = [] } = resolved(schema);
  return Object.entries(properties).flatMap(([name, property]) =>
    required.includes(name) ? [`${prefix}${name}`, ...requiredPaths(property, `${prefix}${name}.`)] : [],
  );
}

function linkOf(schema: Schema, mode: Mode): { word: string; anchor: string } | undefined {
  const { $ref } = notNull(schema);
  const name = $ref?.slice($ref.lastIndexOf('/') + 1).replace(/Request$/, '');
  const anchor = name === undefined ? undefined : LINKED[name];
  if (name !== undefined && anchor !== undefined)
    return { word: name.replace('PickTicket', '').replace('Inbound', ''), anchor };
  return sharedLike(schema, mode);
}

function sharedLike(schema: Schema, mode: Mode): (typeof SHARED)[number] | undefined {
  const shape = shapeOf(schema);
  if (shape === '') return undefined;
  return SHARED.find((shared) => shared.mode === mode && shapeOf(sharedSchema(shared.anchor)) === shape);
}

function sharedSchema(anchor: string): Schema {
  const { of } = SHARED.find((shared) => shared.anchor === anchor)!;
  const [name = '', ...steps] = of;
  return steps.reduce((schema, step) => {
    const property = resolved(schema).properties![step]!;
    return property.items ?? property;
  }, schemaNamed(name));
}

/** Returns names and types of an object's fields, without limits; empty for other values. */
function shapeOf(schema: Schema): string {
  const { properties } = resolved(schema);
  if (properties === undefined) return '';
  const fields = Object.entries(properties).map(([name, property]) => {
    const own = resolved(property);
    return `${name}:${shapeOf(property) || (own.format ?? [own.type].flat()[0] ?? '')}`;
  });
  return `{${fields.join()}}`;
}

function resolved(schema: Schema): Schema {
  const { $ref } = notNull(schema);
  return $ref === undefined ? schema : schemaNamed($ref.slice($ref.lastIndexOf('/') + 1));
}

/**
 * Returns the reference of a nullable field without null, because the tables do not show null.
 */
function notNull(schema: Schema): Schema {
  const [first, second, ...others] = schema.anyOf ?? [];
  return first?.$ref !== undefined && second?.type === 'null' && others.length === 0 ? first : schema;
}

function schemaNamed(name: string): Schema {
  const schema = contract.components.schemas[name];
  if (schema === undefined) throw new Error(`contract/openapi.json has no schema ${name}`);
  return schema;
}

function operationOf(id: string): { method: string; path: string; operation: Operation } {
  for (const [path, methods] of Object.entries(contract.paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      if (operation.operationId === id) return { method, path, operation };
    }
  }
  throw new Error(`contract/openapi.json has no operation ${id}`);
}

function bodyOf(id: string): Schema {
  return operationOf(id).operation.requestBody!.content['application/json']!.schema;
}

function successOf(id: string): { schema: Schema } {
  const [, response] = Object.entries(operationOf(id).operation.responses).find(([status]) => status.startsWith('2'))!;
  return partOf<Response>(contract, response).content!['application/json']!;
}

function isIgnored(schema: Schema): boolean {
  return schema.description?.startsWith(IGNORED) === true;
}

function sentence(text: string): string {
  const line = text.trim().replace(/\s+/g, ' ').replaceAll('|', '\\|');
  return /[.!?]$/.test(line) ? line : `${line}.`;
}

function markdown([head = [], ...rows]: string[][]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}
