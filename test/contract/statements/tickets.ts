/** The pick ticket operations of the same family of interfaces, and our own beside them. */
import type { Statement } from './statement.ts';

const SEARCH = 'test/picking/tickets.test.ts > pick ticket search';
const DETAILS = 'test/picking/tickets.test.ts > pick ticket details';
const PROGRESS = 'test/picking/progress.test.ts > saved progress';
const LEASE = 'test/picking/progress.test.ts > the lease of an opened ticket';
const TAKE = 'test/picking/tickets.test.ts > taking a pick ticket over';

type Row = readonly [member: string, says: string, test: string];
const rows = (section: string, list: readonly Row[]): Statement[] =>
  list.map(([member, says, test]) => ({ section, member, says, test }));

const FINDS = `${SEARCH} > finds tickets of a queue by status, user, type, id and dates, in the order of date and id`;
const ANSWERS = `${SEARCH} > answers a ticket without its items, and what may be done next`;
const OPENS = `${DETAILS} > opens a NEW ticket once: IN_PROGRESS with a lease, recorded`;
const WRONG = `${SEARCH} > names every error at once: a filter without statuses, a range that ends before it begins, a misspelt field`;
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
  ].map((member) => [member, 'answered for each ticket', test]);

export const ticketStatements: Statement[] = [
  ...rows('Pick ticket search', [
    ['storeId', 'required', `${SEARCH} > needs storeId`],
    ['nodeId', 'required', `${SEARCH} > needs nodeId`],
    ['queueId', 'required; the queue the tickets are for', `${SEARCH} > needs queueId`],
    ['userId', 'required; filters nothing', `${SEARCH} > needs userId`],
    ['pickTicket.pickTicketId', 'one ticket', FINDS],
    ['pickTicket.fulfillmentTypes', 'any of these', FINDS],
    ['pickTicket.pickTicketDateRange', 'both ends included; from after to is refused', FINDS],
    ['pickTicket.pickSLADateRange', 'both ends included; from after to is refused', WRONG],
    ['pickTicket.statuses', 'required in pickTicket; NEW, IN_PROGRESS, CLOSED', WRONG],
    ['pageId', 'page in the order of date and id', `${SEARCH} > walks by lastRecordId and gives each ticket once`],
    ['pageSize', 'at most 500', WRONG],
    ['maxRecordsCount', 'bounds totalRecords', ANSWERS],
    ['lastPageId', 'accepted, nothing depends on it', `${SEARCH} > walks by lastRecordId and gives each ticket once`],
    [
      'lastRecordId',
      'a pickTicketId; unknown is an error',
      `${SEARCH} > walks by lastRecordId and gives each ticket once`,
    ],
    ['pickTickets[]', 'tickets without items', ANSWERS],
    ...header(ANSWERS),
  ]),
  ...rows('Pick ticket details', [
    [
      'storeId, nodeId, pickTicketId',
      'required and as in the path',
      `${DETAILS} > is 404 for a ticket of another place, 400 for a body that names another`,
    ],
    ['status', 'a NEW ticket becomes IN_PROGRESS', OPENS],
    [
      'status',
      'a closed ticket is shown as it was closed',
      `${DETAILS} > only shows it to another user, and shows a closed one as it was closed`,
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
      `${PROGRESS} > counts a scan that comes again once, and refuses its id with other content`,
    ],
    [
      'undoes',
      'takes a scan back',
      `${PROGRESS} > takes a scan back, also one that arrives after its undo, and each only once`,
    ],
    [
      'pickedQuantity',
      'never above what the ticket asks for',
      `${PROGRESS} > never makes more units than the ticket has, and says nothing is wrong with the rest`,
    ],
    [
      'userId',
      'the ticket’s user alone',
      `${PROGRESS} > is for the ticket’s user alone, and not for a closed ticket; a missing one is 404`,
    ],
    [
      'fromUserId',
      'whom it is taken from; one winner',
      `${TAKE} > has one winner of sixteen at once; the others learn who has it`,
    ],
    [
      'take-over',
      'named and audited',
      `${TAKE} > gives it to the other user with what was saved, and records whom it was taken from`,
    ],
    [
      'lease',
      'lapses back to the queue after the idle time',
      `${LEASE} > gives the orders back as a RESET does when nobody has worked on it for the idle time`,
    ],
  ]),
];
