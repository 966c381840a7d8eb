/**
 * The pick ticket operations of the interface's family (docs/interface.md#operations-of-the-same-family), and the pick
 * ticket operations that Backroom adds.
 */
import type { Statement } from './statement.ts';

const SEARCH = 'test/picking/tickets.test.ts > pick ticket search';
const DETAILS = 'test/picking/tickets.test.ts > pick ticket details';
const PROGRESS = 'test/picking/progress.test.ts > saved progress';
const LEASE = 'test/picking/progress.test.ts > the lease of an opened ticket';
const TAKE = 'test/picking/tickets.test.ts > takeover of a pick ticket';

type Row = readonly [member: string, says: string, test: string];
const rows = (section: string, list: readonly Row[]): Statement[] =>
  list.map(([member, says, test]) => ({ section, member, says, test }));

const FINDS = `${SEARCH} > finds tickets of a queue by status, user, type, id and dates, sorted by date and id`;
const ANSWERS = `${SEARCH} > returns a ticket without its items, with the actions that are allowed next`;
const OPENS = `${DETAILS} > open a NEW ticket once: IN_PROGRESS with a lease, recorded`;
const WRONG = `${SEARCH} > lists every error in one response: a filter without statuses, a range that ends before it begins, a misspelt field`;
const header = (test: string): Row[] =>
  [
    'pickTicketId',
    'storeId',
    'nodeId',
    'queueId',
    'userId',
    'status',
    'pickTicketType',
    'pickTicketDate',
    'pickSLADate',
    'totalFulfillmentOrders',
    'currency',
    'totalSKUs',
    'totalQuantity',
  ].map((member) => [member, 'returned for each ticket', test]);

export const ticketStatements: Statement[] = [
  ...rows('Pick ticket search', [
    ['storeId', 'required', `${SEARCH} > needs storeId`],
    ['nodeId', 'required', `${SEARCH} > needs nodeId`],
    ['queueId', 'required; the queue the tickets are for', `${SEARCH} > needs queueId`],
    ['userId', 'required; filters nothing', `${SEARCH} > needs userId`],
    ['pickTicket.pickTicketId', 'one ticket', FINDS],
    ['pickTicket.fulfillmentTypes', 'any of these', FINDS],
    ['pickTicket.pickTicketDateRange', 'both ends included; a range that ends before it begins is rejected', FINDS],
    ['pickTicket.pickSLADateRange', 'both ends included; a range that ends before it begins is rejected', WRONG],
    ['pickTicket.statuses', 'required in pickTicket; NEW, IN_PROGRESS, CLOSED', WRONG],
    ['pageId', 'page in the order of date and id', `${SEARCH} > pages by lastRecordId and returns each ticket once`],
    ['pageSize', 'at most 500', WRONG],
    ['maxRecordsCount', 'bounds totalRecords', ANSWERS],
    ['lastPageId', 'accepted, nothing depends on it', `${SEARCH} > pages by lastRecordId and returns each ticket once`],
    [
      'lastRecordId',
      'a pickTicketId; unknown is an error',
      `${SEARCH} > pages by lastRecordId and returns each ticket once`,
    ],
    ['pickTickets[]', 'tickets without items', ANSWERS],
    ...header(ANSWERS),
  ]),
  ...rows('Pick ticket details', [
    [
      'storeId, nodeId, pickTicketId',
      'required and as in the path',
      `${DETAILS} > are 404 for a ticket of another node, 400 for a body that names another`,
    ],
    ['status', 'a NEW ticket becomes IN_PROGRESS', OPENS],
    [
      'status',
      'a closed ticket is shown as it was closed',
      `${DETAILS} > only show it to another user, and show a closed one as it was closed`,
    ],
    ['pickTicketItems[]', 'id, itemDetails, quantity, unitPrice and what has been done', OPENS],
    ...header(OPENS),
  ]),
  ...rows('Own: saved progress, take-over, lease', [
    [
      'scans',
      'add up by number, itemId or UPC',
      `${PROGRESS} > adds up scans by number, by itemId and by UPC, and makes the ticket IN_PROGRESS`,
    ],
    [
      'scanId',
      'a repeated scan changes nothing',
      `${PROGRESS} > counts a repeated scan once, and rejects its id with other content`,
    ],
    ['undoes', 'takes a scan back', `${PROGRESS} > undoes a scan once, also when the scan arrives after its undo`],
    [
      'pickedQuantity',
      'at most the quantity of the ticket',
      `${PROGRESS} > never counts more units than the ticket has, and reports only the scan with too many`,
    ],
    [
      'userId',
      'only the user of the ticket',
      `${PROGRESS} > is open only to the ticket’s user, and not for a closed ticket; a missing ticket is 404`,
    ],
    [
      'fromUserId',
      'the user who has the ticket; one of several requests succeeds',
      `${TAKE} > succeeds for one of sixteen concurrent requests; the others get the user who has it`,
    ],
    [
      'take-over',
      'named and audited',
      `${TAKE} > gives it to the other user with its saved progress, and records the former user`,
    ],
    [
      'lease',
      'lapses back to the queue after the idle time',
      `${LEASE} > returns the orders as a RESET does when no scan arrives for the idle time`,
    ],
  ]),
];
