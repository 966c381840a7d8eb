/** What the same family of interfaces says of declines, re-sourcing, held items and cancel reasons. */
import type { Statement } from './statement.ts';

const CANCEL = 'test/orders/lifecycle-cancel.test.ts';
const RESOURCE = 'test/orders/lifecycle-resource.test.ts';
const EXPIRE = 'test/orders/lifecycle-expire.test.ts';

type Row = readonly [member: string, says: string, test: string];
const rows = (section: string, list: readonly Row[]): Statement[] =>
  list.map(([member, says, test]) => ({ section, member, says, test }));

export const sourcingStatements: Statement[] = [
  ...rows('Declined units', [
    [
      'SHIP_TO_HOME',
      'declined lines are re-sourced to another node',
      `${RESOURCE} > declined units of SHIP_TO_HOME > become one request of the order at the pick, with the reason of each line`,
    ],
    [
      'STORE_PICK_UP',
      'no re-sourcing for in-store pickup: declined units are canceled',
      `${RESOURCE} > declined units of SHIP_TO_HOME > of other types stay declined`,
    ],
    [
      'all declined',
      'the order leaves the store, re-sourced or canceled',
      `${RESOURCE} > units declined while packing > when nothing is left return the order for re-sourcing, or cancel it`,
    ],
    [
      'CancelMXCustomerAbandon',
      'an order whose pickup expires is canceled',
      `${EXPIRE} > an order that nobody collects > STORE_PICK_UP in 1400: expires true`,
    ],
  ]),
  ...rows('Re-sourcing', [
    [
      'node',
      'a re-sourced order is never allocated again to the node it was taken from',
      `${RESOURCE} > the answer RESOURCE > never gives the units back to a node that had them, through however many orders`,
    ],
    [
      'no stock elsewhere',
      'order or lines are canceled',
      `${RESOURCE} > the answer RESOURCE > CANCEL of the last request of a returned order (9100) ends it: 9000`,
    ],
  ]),
  ...rows('Cancel reasons', [
    [
      'reasonCode',
      'codes are configured per client',
      `${CANCEL} > a cancellation message > names every error: unknown reason, unknown line, a line twice, more than ordered, a field without use`,
    ],
  ]),
  ...rows('Rejected supply action', [
    [
      'Hold and Auto Unhold',
      'locked until the next inventory file',
      `${RESOURCE} > items that a node declined > are freed by the next feed of the node where its policy says so`,
    ],
    [
      'Hold and Manual Unhold',
      'locked until somebody unlocks the SKU',
      `${RESOURCE} > items that a node declined > are held by the policy of the node, whatever the type; intake and RESOURCE refuse them there`,
    ],
    [
      'No Hold',
      'the SKU is not locked',
      `${RESOURCE} > items that a node declined > are not held under NO_HOLD, nor for units that the customer canceled`,
    ],
  ]),
];
