/** Rows and sentences of the interface on inbound shipments, with their tests. */
import type { Statement } from './statement.ts';

const MEMBERS = 'test/receiving/fields.test.ts';
const FORMS = 'test/receiving/forms.test.ts';
const FAULTS = 'test/receiving/errors.test.ts';
const TRANSMIT = 'test/receiving/transmit.test.ts';

type Row = readonly [member: string, says: string, test: string];

function rows(section: string, ...list: readonly Row[]): Statement[] {
  return list.map(([member, says, test]) => ({ section, member, says, test }));
}

/**
 * Returns statements whose tests are in the block with the title `describe` in fields.test.ts; each row has the title
 * of its test.
 */
function named(
  section: string,
  describe: string,
  list: readonly (readonly [member: string, says: string, title: string])[],
): Statement[] {
  return list.map(([member, says, title]) => ({ section, member, says, test: `${MEMBERS} > ${describe} > ${title}` }));
}

const one = `${MEMBERS} > containers > ASNData is required when sent as an ASN, POData when sent as a PO`;
const list = 'is an optional list of name/value pairs, stored and returned in its order';

const containers: Statement[] = [
  ...rows(
    'ReceivingDetail',
    ['ASNData', 'Set; required when sent as an ASN', one],
    ['POData', 'Set; required when sent as a PO', one],
    [
      'root',
      'root field ReceivingDetail holds ASNData or POData',
      `${FORMS} > forms > the shipment can come as under ReceivingDetail`,
    ],
  ),
  ...rows(
    'ASNData',
    ['Header', 'Set, required', `${MEMBERS} > containers > Header and Details of asnData are required`],
    ['Details', 'Set, required', `${MEMBERS} > containers > Header and Details of asnData are required`],
  ),
  ...rows(
    'POData',
    ['Header', 'Set, required', `${MEMBERS} > containers > Header and Details of poData are required`],
    ['Details', 'required', `${MEMBERS} > containers > Header and Details of poData are required`],
    ['Details as a list', 'List for a PO', `${FORMS} > forms > lines of several containers are read in their order`],
  ),
  ...rows('Details', [
    'Detail',
    'Set, required',
    `${MEMBERS} > containers > Detail is required and has at least one line`,
  ]),
];

const header: Statement[] = [
  ...named('Header', 'Header', [
    [
      'ASNNumber',
      'string 15, required for ASN, blank for PO',
      'ASNNumber: string of 1 to 15, required for an ASN, blank for a PO',
    ],
    [
      'ShipmentNumber',
      'string 15, required for PO, blank for ASN',
      'ShipmentNumber: string of 1 to 15, required for a PO, blank for an ASN',
    ],
    ['ReceivingType', 'string 1, required; A or P', 'ReceivingType: A for an ASN, P for a PO, required'],
    ['ReceivingType of the shipment', 'A = ASN, P = PO', 'ReceivingType must match the field with the shipment'],
    [
      'ReceivingWarehouseId',
      'string, required, assigned by the operator',
      'ReceivingWarehouseId: string, a warehouse of the client, required',
    ],
    ['ShipmentReceiptDate', 'ISO date, required', 'ShipmentReceiptDate: ISO date, required'],
    ['OrderDate', 'ISO date, optional', 'OrderDate: ISO date, optional'],
    ['ShipperName', 'string 30, required', 'ShipperName: string of 1 to 30, required'],
    ['StoreCode', 'string 5, required', 'StoreCode: string of 1 to 5, a store of the seller, required'],
    ['POStatus', 'string, requirement not specified', 'POStatus: string, kept as sent'],
    ['SellerId', 'string, requirement not specified', 'SellerId: string, kept as sent, need not agree with the path'],
    [
      'blank numbers',
      'ASNNumber blank for PO, ShipmentNumber blank for ASN',
      'ShipmentNumber of an ASN and ASNNumber of a PO are kept as sent',
    ],
  ]),
  ...rows('Header', ['HeaderExtendedAttributes', 'list, optional', `${MEMBERS} > HeaderExtendedAttributes > ${list}`]),
];

const attributes: Statement[] = ['HeaderExtendedAttributes', 'DetailExtendedAttributes'].flatMap((where) =>
  named('ExtendedAttributes', where, [
    ['Name', `string, required (${where})`, 'Name of a pair: string, required'],
    ['Value', `string, required (${where})`, 'Value of a pair: string, listed as required, default blank'],
    ['Description', `string, optional (${where})`, 'Description of a pair: string, optional'],
  ]),
);

const detail: Statement[] = [
  ...named('Detail', 'Detail', [
    ['ASNNumber', 'string 15, required for ASN', "ASNNumber: string of 15, required for an ASN, the header's"],
    ['ASNNumber of each line', "the header's", "ASNNumber of each line of an ASN is the header's"],
    ['CartonId', 'string, required for ASN', 'CartonId: string, required for an ASN'],
    ['ClientItemId', 'string 15, required', 'ClientItemId: string of 1 to 15, an item of the catalog, required'],
    [
      'ClientItemId beyond 15',
      '15 here, 16 for an item',
      'ClientItemId of 16 characters is rejected with both limits, although an item can have that many',
    ],
    ['ItemCost', 'decimal 0 to 999999, required', 'ItemCost: decimal from 0 to 999999, digits kept, required'],
    ['LineNumber', 'string, optional', 'LineNumber: string, optional'],
    [
      'ReceivingWarehouseId',
      'string 99999, required',
      "ReceivingWarehouseId: string of at most 5, the header's, required",
    ],
    ['ShippedQuantity', 'numeric 99999, required', 'ShippedQuantity: whole number from 1 to 99999, required'],
    ['ShippingComments', 'string 100, optional', 'ShippingComments: string of at most 100, optional'],
    ['TrailerNumber', 'string 25, required', 'TrailerNumber: string of 1 to 25, required'],
  ]),
  ...rows('Detail', ['DetailExtendedAttributes', 'list, optional', `${MEMBERS} > DetailExtendedAttributes > ${list}`]),
];

const sentences: Statement[] = rows(
  'Inbound shipment',
  [
    'example',
    'the example request body is camel-cased',
    `${FORMS} > spelling > the camel-cased example of the interface is accepted as it is shown`,
  ],
  [
    'casing of an ASN',
    'every field in the casing of the table or of the example',
    `${FORMS} > spelling > every field of an ASN can be in camelCase or in PascalCase`,
  ],
  [
    'casing of a PO',
    'every field in the casing of the table or of the example',
    `${FORMS} > spelling > every field of an PO can be in camelCase or in PascalCase`,
  ],
  [
    'extendedAttributes',
    'headerExtendedAttributes.extendedAttributes',
    `${FORMS} > forms > extended attributes of both levels can come as a container with a list`,
  ],
  [
    'list of attributes',
    'HeaderExtendedAttributes is a list',
    `${FORMS} > forms > extended attributes of both levels can come as a list`,
  ],
);

const reply = (member: string, says: string): Row => [
  member,
  says,
  `${TRANSMIT} > the 200 response > ${member} is returned`,
];
const failure = `${FAULTS} > the failure body > has status, poAsnNumber, successfull_imported and errors with code, message, poAsnErrorPayload and type`;
const eight = `${FAULTS} > one response lists every error > three errors of the header and five of the lines, each with its values`;

const endpoint: Statement[] = [
  ...rows(
    'Transmit an ASN or PO',
    ['200', 'success', `${TRANSMIT} > the 200 response > poAsnData is a list of one with exactly the nine fields`],
    ['400', 'creation failed', failure],
    [
      'application/xml',
      'the sample labels its content type as XML although the body is JSON',
      `${FORMS} > content type > a JSON body labelled application/xml is accepted`,
    ],
    [
      'one per call',
      'one ASN or one PO per call',
      `${FORMS} > forms > one ASN or PO is transmitted per call: an ASN and a PO`,
    ],
    ['XML', 'the body is JSON', `${FORMS} > content type > XML labelled application/xml is rejected with a sentence`],
  ),
  ...rows(
    'Transmit an ASN or PO, response',
    ['poAsnData', 'array', `${TRANSMIT} > the 200 response > poAsnData is a list of one with exactly the nine fields`],
    reply('poAsnNumber', 'string'),
    reply('store_id', 'string'),
    reply('catalog_id', 'string'),
    reply('successfull_imported', 'string (count)'),
    reply('total_errors_encountered', 'string (count)'),
    reply('file_name', 'string'),
    reply('client_id', 'string'),
    reply('reportedFrom', 'string'),
    reply('errors', 'array, empty on success'),
  ),
  ...rows('States', ['InboundResult.status', 'FAILED (on creation failure)', failure]),
];

const general: Statement[] = [
  ...rows(
    'Authentication',
    ['Transmit ASN or PO: apiKey', '<API_KEY>', `${TRANSMIT} > access > requires apiKey and nothing else`],
    [
      'Transmit ASN or PO: Content-Type',
      'the sample sends application/xml with a JSON body',
      `${FORMS} > content type > a JSON body labelled application/xml is accepted`,
    ],
    [
      '403 of inbound',
      'access to the resource is denied',
      `${TRANSMIT} > access > rejects a wrong key and a key of another group`,
    ],
  ),
  ...rows(
    'Errors',
    ['Inbound failure: poAsnData', 'array', failure],
    ['Inbound failure: status', 'FAILED', failure],
    [
      'Inbound failure: poAsnNumber',
      'empty string possible',
      `${FAULTS} > the failure body > poAsnNumber is the number if it can be read: no number`,
    ],
    ['Inbound failure: successfull_imported', 'string', failure],
    ['Inbound failure: errors', 'every error', eight],
    [
      'Inbound failure: code',
      'for example FILE_VALIDATION_FAILED',
      `${FAULTS} > the failure body > is the same for malformed JSON, with an empty poAsnNumber`,
    ],
    ['Inbound failure: message', 'string', failure],
    ['Inbound failure: poAsnErrorPayload', 'object echoing offending values', eight],
    ['Inbound failure: type', 'for example HEADER_LEVEL_ERROR', eight],
  ),
  ...rows(
    'Limits',
    [
      'one ASN or PO per call',
      'one ASN or PO is transmitted per call',
      `${FORMS} > forms > one ASN or PO is transmitted per call: two ASNs`,
    ],
    ['ShipperName 30', 'at most 30', `${MEMBERS} > Header > ShipperName: string of 1 to 30, required`],
    ['TrailerNumber 25', 'at most 25', `${MEMBERS} > Detail > TrailerNumber: string of 1 to 25, required`],
    ['ShippingComments 100', 'at most 100', `${MEMBERS} > Detail > ShippingComments: string of at most 100, optional`],
    [
      'ItemCost 0 to 999999',
      '0 to 999999',
      `${MEMBERS} > Detail > ItemCost: decimal from 0 to 999999, digits kept, required`,
    ],
  ),
  ...rows(
    'What the service does',
    [
      'ASN',
      'carton-level detail',
      `${TRANSMIT} > stored rows > are one shipment, its lines in their order and one event`,
    ],
    [
      'PO',
      'item and quantity only, no carton detail',
      `${FORMS} > spelling > the camel-cased example of the interface is accepted as it is shown`,
    ],
  ),
];

export const inboundStatements: Statement[] = [
  ...containers,
  ...header,
  ...attributes,
  ...detail,
  ...sentences,
  ...endpoint,
  ...general,
];
