/**
 * The alert search, an operation of the interface's family (docs/interface.md#operations-of-the-same-family). Backroom
 * defines its response.
 */
import type { Statement } from './statement.ts';

const SEARCH = 'test/alerts/search.test.ts > alert search';
const ANSWERS = `${SEARCH} > returns the subject of an alert, and when it was opened and closed`;
const WALKS = `${SEARCH} > pages by lastRecordId, oldest alert first, and returns each alert once`;
const finds = (what: string) => `${SEARCH} > finds by ${what}`;

const rows: readonly (readonly [member: string, says: string, test: string])[] = [
  ['storeId', 'required', `${SEARCH} > requires storeId`],
  ['nodeId', 'required', `${SEARCH} > requires nodeId`],
  ['webOrderId', 'orders of the web store', ANSWERS],
  ['omsOrderId', 'orders of the order management system', ANSWERS],
  ['alertType', 'step and level', finds('alertType')],
  ['description', 'exactly as in the response', finds('description')],
  ['queueName', 'queue when it was opened', finds('queueName')],
  ['pickTicketId', 'ticket when it was opened', finds('pickTicketId')],
  ['fulfillmentTypes', 'any of these', finds('fulfillmentTypes')],
  ['statuses', 'OPEN, CLOSED', finds('statuses')],
  ['generatedOnDateRange', 'both ends included', finds('generatedOnDateRange, both ends included')],
  ['closedDate', 'a day at the node', finds('closedDate, a day at the node')],
  ['maxRecordsCount', 'bounds all pages and totalRecords', WALKS],
  ['pageId', 'page in the order of opening', WALKS],
  ['pageSize', 'at most 500', `${SEARCH} > lists every format error in one response`],
  ['lastPageId', 'accepted, nothing depends on it', WALKS],
  ['lastRecordId', 'an alertId; unknown is an error', WALKS],
  ['alerts[]', 'what each alert is about', ANSWERS],
];

export const alertStatements: Statement[] = rows.map(([member, says, test]) => ({
  section: 'Alert search',
  member,
  says,
  test,
}));
