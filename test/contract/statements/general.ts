/** Statements about the sections that no other file covers. */
import type { Statement } from './statement.ts';

const GENERAL = 'test/contract/general.test.ts';
const ACCESS = 'test/contract/access.test.ts';
const OPENAPI = 'test/contract/openapi.test.ts';
const INPUT = 'test/contract/bad-input.test.ts';

const says = (section: string, member: string, text: string, test: string): Statement => ({
  section,
  member,
  says: text,
  test,
});

const failure = (name: string) =>
  `${GENERAL} > an unexpected failure > of ${name} is a 500 with the error record, without details of the failure`;
const lists = (route: string) =>
  `${OPENAPI} > the ten operations of the interface > ${route} documents the statuses the interface lists`;
const ITEM_ERROR = 'on read is RESOURCE, NOT_FOUND and names the item and the client';
const notFound = `${GENERAL} > the error record of an item that is not found > ${ITEM_ERROR}`;
const inbound = (test: string) => `${GENERAL} > the failure body of an inbound message > ${test}`;
const wholeFailure = inbound('has status FAILED, the number, a count as text and one entry for each error');

export const generalStatements: Statement[] = [
  says(
    'Conventions',
    'JSON',
    'all request and response bodies are JSON',
    `${GENERAL} > conventions > all requests and responses of the ten operations are JSON`,
  ),
  says(
    'Conventions',
    'ISO dates',
    'ISO 8601 date-times, for example YYYY-MM-DDThh:mm:ssZ',
    `${GENERAL} > conventions > the fulfillment operations accept date-times with Z or a numeric UTC offset, and no others`,
  ),
  says(
    'Conventions',
    'UTC offset',
    'fulfillment operations also use date-times with a numeric UTC offset',
    `${GENERAL} > conventions > the fulfillment operations return date-times as YYYY-MM-DDThh:mm:ss+00:00`,
  ),
  says(
    'What the service does',
    'item master',
    'read one item and delete one item',
    `${GENERAL} > what the service does > reads and deletes items`,
  ),
  says(
    'What the service does',
    'inbound receiving',
    'transmit one ASN or one PO',
    `${GENERAL} > what the service does > accepts an ASN or a PO`,
  ),
  says(
    'What the service does',
    'store fulfillment',
    'queue search, pack slip, order search, pick ticket generate and update, check-in details and confirm',
    `${GENERAL} > what the service does > has the seven store fulfillment operations at the paths listed`,
  ),
  says(
    'Item identity',
    'itemId',
    'itemId = <catalogId>-<clientItemId>',
    `${GENERAL} > item identity > itemId is catalogId, a hyphen and clientItemId`,
  ),
  says(
    'Item identity',
    'clientItemId',
    'must not change; a changed value is a different item',
    `${GENERAL} > item identity > another clientItemId is another item, and the first item remains`,
  ),

  ...(['readItem', 'deleteItem'] as const).flatMap((id) => [
    says(
      'Authentication',
      'Item read, item delete: Authorization',
      'Basic <CREDENTIAL>',
      `${ACCESS} > access to an item operation > ${id} needs Authorization: Basic beside apiKey`,
    ),
    says(
      'Authentication',
      'Item read, item delete: apiKey',
      '<API_KEY> supplied by the operator',
      `${ACCESS} > access to an item operation > ${id} needs apiKey beside Authorization: Basic`,
    ),
    says(
      'Authentication',
      'Item read, item delete: Content-Type',
      'application/json, without a body',
      `${INPUT} > an operation without a body > ${id} accepts an empty body that is labeled as JSON`,
    ),
    says(
      'Authentication',
      '403',
      'access to the resource is denied',
      `${ACCESS} > access to an operation of a client > ${id} sends the same 403 for data of another client as for missing data`,
    ),
  ]),
  says(
    'Authentication',
    'Transmit ASN or PO: apiKey',
    '<API_KEY>',
    `${ACCESS} > access to an operation of a client > transmitInbound rejects a request without credentials`,
  ),

  says('Errors', 'Item not found: category', 'string, for example RESOURCE', notFound),
  says('Errors', 'Item not found: code', 'string, for example NOT_FOUND', notFound),
  says('Errors', 'Item not found: description', 'names the item and the client', notFound),
  says(
    'Errors',
    'Item not found: description',
    'names the item and the client',
    notFound.replace('on read', 'on delete'),
  ),
  says('Errors', 'Inbound failure: poAsnData', 'array', wholeFailure),
  says('Errors', 'Inbound failure: status', 'FAILED', wholeFailure),
  says(
    'Errors',
    'Inbound failure: poAsnNumber',
    'string, may be empty',
    inbound('has an empty poAsnNumber where the message names none'),
  ),
  says('Errors', 'Inbound failure: successfull_imported', 'string', wholeFailure),
  says('Errors', 'Inbound failure: errors', 'array of errors', wholeFailure),
  says('Errors', 'Inbound failure: code', 'for example FILE_VALIDATION_FAILED', wholeFailure),
  says('Errors', 'Inbound failure: message', 'string', wholeFailure),
  says(
    'Errors',
    'Inbound failure: poAsnErrorPayload',
    'object echoing offending values',
    inbound('echoes offending values in poAsnErrorPayload'),
  ),
  says('Errors', 'Inbound failure: type', 'for example HEADER_LEVEL_ERROR', wholeFailure),
  says(
    'Errors',
    'Payment error schema',
    'array Errors of {code: integer, description: string}, no additional fields',
    `${OPENAPI} > the OpenAPI document > has the payment error schema, which no operation returns`,
  ),

  says('Read an item', '500', 'server error', failure('item read')),
  says('Generate a pack slip', '500', 'internal server error', failure('pack slip')),
  says('Check-in details', '500', 'server error', failure('check-in details')),
  says('Check-in confirm', '500', 'server error', failure('check-in confirm')),
  says(
    'Transmit an ASN or PO',
    'statuses',
    '200, 400',
    lists('POST /poasn-manager-service/sellers/{sellerId}/poasn/create'),
  ),

  ...(['STORE_PICK_UP', 'SHIP_TO_HOME', 'SHIP_TO_STORE'] as const).map((type) =>
    says(
      'Fulfillment types',
      type,
      'a fulfillment type',
      `test/orders/intake.test.ts > taking orders in > a ${type} order enters with its status on its queue`,
    ),
  ),

  ...[
    ['catalogId 1 to 4', 'item identity > catalogId is a string of 1 to 4 characters, required'],
    ['clientId 1 to 32', 'item identity > clientId is a string of 1 to 32 characters, required'],
    ['itemId 1 to 40', 'item identity > itemId is a string of 1 to 40 characters, required'],
    ['description max 120', 'item fields > description: string, at most 120 characters'],
  ].map(([limit = '', test = '']) => says('Limits', limit, 'field size limit', `test/items/fields.test.ts > ${test}`)),
];
