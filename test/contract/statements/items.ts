/**
 * Statements about the item, its sub-types, and the operations that read and delete an item. test/items/rows.ts has the
 * rows of the fields, from which the statements and the tests of the fields are generated.
 */
import type { MemberRow } from '../../items/probes.ts';
import { itemRows, rowTest, subTypeRows } from '../../items/rows.ts';
import type { Statement } from './statement.ts';

const MEMBERS = 'test/items/fields.test.ts';
const RULES = 'test/items/rules.test.ts > rules between fields of an item';
const ELIGIBILITY = 'test/items/rules.test.ts > eligibility of an item';
const BUNDLES = 'test/items/rules.test.ts > bundles';
const SHOWN = 'test/items/rules.test.ts > the fields of a read';
const READ = 'test/items/read-delete.test.ts > read an item';
const DELETE = 'test/items/read-delete.test.ts > delete an item';
const PUT = 'test/items/put.test.ts > put an item';

const says =
  (section: string) =>
  (member: string, what: string, test: string): Statement => ({ section, member, says: what, test });

const item = says('Item');

const identity = ['catalogId', 'clientId', 'clientItemId', 'itemId'].map((member) => {
  const limit = { catalogId: 4, clientId: 32, clientItemId: 16, itemId: 40 }[member];
  const what = `string of 1 to ${limit} characters, required`;
  return item(member, what, `${MEMBERS} > item identity > ${member} is a ${what}`);
});

/** Returns the statement of a row. The row `Brand.name` is the field `name` of the section `Brand`. */
function ofRow(row: MemberRow): Statement {
  if (row.section === 'Item') return item(row.member, row.says, `${MEMBERS} > item fields > ${rowTest(row)}`);
  const [section = '', member = ''] = row.member.split('.');
  return says(section)(member, row.says, `${MEMBERS} > item sub-types > ${rowTest(row)}`);
}

const rules: Statement[] = [
  item(
    'countryOfOrigin',
    'not required for domestic shipments',
    `${RULES} > countryOfOrigin is optional: orders to another country are checked at intake`,
  ),
  item(
    'countryOfOrigin',
    'required for international shipments',
    'test/orders/intake-rules.test.ts > rules of intake > an order to another country than the node’s needs the countryOfOrigin of each item',
  ),
  item(
    'countryOfOrigin',
    'ISO 3166 alpha-2',
    `${RULES} > every country of ISO 3166 is accepted, and no other pair of letters`,
  ),
  ...['GC', 'VGC', 'OGC'].flatMap((type) =>
    ['giftCardTenderCode', 'maxGCAmount'].map((member) =>
      item(
        member,
        `required for gift cards (${type})`,
        `${RULES} > an item of type ${type} needs giftCardTenderCode and maxGCAmount`,
      ),
    ),
  ),
  item(
    'type',
    'a read response carries the value MERCH',
    `${READ} > returns 200 with the item, for the headers of the authentication table`,
  ),
  item(
    'type',
    'one spelling is returned',
    `${RULES} > type, status and salesClass are returned in their canonical spelling`,
  ),
  item('gii', 'returned on read', `${MEMBERS} > item fields > gii: string`),
  item(
    'dropShipSupplier',
    'required when dropShipped is true, with name, number and partNumber',
    `${RULES} > dropShipSupplier is required when dropShipped is true`,
  ),
  item('bundleItems', 'listed items when bundle is true', `${BUNDLES} > need bundle true for their bundleItems`),
  item(
    'infiniteInventory',
    'default false',
    `${SHOWN} > include the defaults of status, booleans and eligibilities, and no field without a value`,
  ),
  item(
    'inventoryCheckEligible',
    'default false',
    `${SHOWN} > include the defaults of status, booleans and eligibilities, and no field without a value`,
  ),
  item(
    'isFeedItem',
    'not persisted',
    `${SHOWN} > never include isFeedItem, operationType and the write name of brand descriptions`,
  ),
  item('streetDate', 'default blank', `${RULES} > streetDate can be blank, which means none`),
  item(
    'maxShipmentProcessingDays',
    'rounded up to a day',
    `${RULES} > a part of a processing day is rounded up for the maximum, down for the minimum`,
  ),
  item(
    'minShipmentProcessingDays',
    'rounded down to a day',
    `${RULES} > a part of a processing day is rounded up for the maximum, down for the minimum`,
  ),
  item(
    'maxOrderableQuantity, minOrderableQuantity',
    'per single order',
    `${RULES} > minOrderableQuantity is at most its max`,
  ),
  item(
    'fulfillmentTypeEligibilities',
    'returned on read',
    `${ELIGIBILITY} > is true by default for physical types and false for virtual ones`,
  ),
  ...['sfsEligible', 'ispuEligible', 'stsEligible', 'ispuReserveEligible', 'associateDeliveryEligible'].map((member) =>
    item(
      member,
      'returned on read',
      `${ELIGIBILITY} > is true by default for physical types and false for virtual ones`,
    ),
  ),
  item(
    'styleId, taxCode',
    'required; default blank',
    `${SHOWN} > include the defaults of status, booleans and eligibilities, and no field without a value`,
  ),
  item('unitCost', 'digits kept', `${SHOWN} > have every digit of a price, a mass and a gift card amount`),
  item(
    'clientItemId',
    'a changed value is a different item',
    `${MEMBERS} > item identity > a different clientItemId is a different item`,
  ),
  item(
    'customDynamicAttributes',
    'free name/value pairs',
    `${PUT} > keeps custom attributes that are not sent, changes those that are, and deletes on request`,
  ),
];

const subTypes: Statement[] = [
  says('Attribute')(
    'name',
    'string, at most 50 characters, required',
    `${MEMBERS} > item sub-types > Attribute.name takes 1 to 50 characters`,
  ),
  says('BundleItem')(
    'item',
    'object: an Item',
    `${MEMBERS} > item sub-types > BundleItem.item is an Item with all its rules, stored in the bundle in the form of a read`,
  ),
  says('Brand')(
    'description',
    'the read response names it descriptions',
    `${RULES} > Brand description and descriptions are one field: equal lists are accepted, different ones rejected`,
  ),
  ...['fulfillmentTypeId', 'eligibility'].map((member) =>
    says('FulfillmentTypeEligibility')(
      member,
      member === 'eligibility' ? 'boolean' : 'one of SHIP_TO_HOME, SHIP_TO_STORE, STORE_PICK_UP',
      `${MEMBERS} > item sub-types > fulfillmentTypeId is one of the three types, eligibility a boolean, both required`,
    ),
  ),
];

const table = 'for the headers of the authentication table';
const readItem = says('Read an item');
const deleteItem = says('Delete an item');

const endpoints: Statement[] = [
  readItem(
    'storeId',
    'path variable',
    'test/items/access.test.ts > access of limited credentials to items > a store out of reach is denied, whether it exists or not',
  ),
  readItem(
    'itemId',
    'path variable, <catalogId>-<clientItemId>',
    `${READ} > returns 404 or 400 for any malformed itemId`,
  ),
  readItem('200', 'the Item', `${READ} > returns 200 with the item, ${table}`),
  readItem(
    '403',
    'forbidden',
    'test/items/access.test.ts > access to readItem > is denied for the credential of another client',
  ),
  readItem('404', 'item not found', `${READ} > returns 404 with the error record, which names the item and the client`),
  readItem(
    '500',
    'server error',
    `${READ} > returns 500 with the error record, without details, after an internal error`,
  ),
  deleteItem(
    'clientId',
    'path variable',
    'test/items/access.test.ts > access of limited credentials to items > a client in the path that is not the caller’s is denied, whether it exists or not',
  ),
  deleteItem('itemId', 'path variable', `${DELETE} > leaves the item of the same id of another client unchanged`),
  deleteItem('no body', 'no body is sent', `${DELETE} > takes no body`),
  deleteItem('204', 'deleted, empty body', `${DELETE} > returns 204 with an empty body, ${table}, JSON label included`),
  deleteItem(
    '403',
    'access denied',
    'test/items/access.test.ts > access to deleteItem > is denied for the credential of another client',
  ),
  deleteItem(
    '404',
    'item not found, body is an error record',
    `${DELETE} > returns 404 with the error record for an item that never existed or is deleted`,
  ),
];

const authentication: Statement[] = ['Authorization', 'apiKey', 'Content-Type'].flatMap((header) => [
  says('Authentication')(
    `Item read, item delete: ${header}`,
    'sent on item read',
    `${READ} > returns 200 with the item, ${table}`,
  ),
  says('Authentication')(
    `Item read, item delete: ${header}`,
    'sent on item delete',
    `${DELETE} > returns 204 with an empty body, ${table}, JSON label included`,
  ),
]);

const others: Statement[] = [
  ...['readItem', 'deleteItem', 'putItem', 'uploadItems'].map((id) =>
    says('Authentication')(
      '403',
      'access to the resource is denied',
      `test/items/access.test.ts > access to ${id} > needs both Authorization: Basic and apiKey`,
    ),
  ),
  ...(['category', 'code', 'description'] as const).map((member) =>
    says('Errors')(
      `Item not found: ${member}`,
      'field of the error record',
      `${READ} > returns 404 with the error record, which names the item and the client`,
    ),
  ),
  says('States')(
    'Item.status',
    'Active, Inactive, Discontinued',
    `${MEMBERS} > item fields > status: string, at most 12 characters: Active, Inactive, Discontinued`,
  ),
  says('Item identity')(
    'itemId',
    '<catalogId>-<clientItemId>',
    `${MEMBERS} > item identity > itemId is catalogId, a hyphen and clientItemId`,
  ),
  says('Item identity')(
    'clientItemId',
    'primary key; a changed value is a different item',
    `${MEMBERS} > item identity > a different clientItemId is a different item`,
  ),
];

export const itemStatements: Statement[] = [
  ...identity,
  ...itemRows.map(ofRow),
  ...rules,
  ...subTypeRows.map(ofRow),
  ...subTypes,
  ...endpoints,
  ...authentication,
  ...others,
];
