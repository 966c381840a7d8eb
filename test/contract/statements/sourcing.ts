/**
 * Rules on declines, re-sourcing, held items and cancel reasons in the interface's family
 * (docs/interface.md#operations-of-the-same-family).
 */
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
      `${RESOURCE} > declined units of SHIP_TO_HOME > become one request per order at the pick, with the reason of each line`,
    ],
    [
      'STORE_PICK_UP',
      'no re-sourcing for in-store pickup: declined units are canceled',
      `${RESOURCE} > declined units of SHIP_TO_HOME > of other types stay declined`,
    ],
    [
      'all declined',
      'the order leaves the store, re-sourced or canceled',
      `${RESOURCE} > units declined while packing > return the order for re-sourcing or cancel it when no unit remains`,
    ],
    [
      'CancelMXCustomerAbandon',
      'an order whose pickup expires is canceled',
      `${EXPIRE} > an uncollected order > STORE_PICK_UP in 1400: expires true`,
    ],
  ]),
  ...rows('Re-sourcing', [
    [
      'node',
      'a re-sourced order is never allocated again to the node it was taken from',
      `${RESOURCE} > the decision RESOURCE > never returns the units to a node that had them, through any number of orders`,
    ],
    [
      'no stock elsewhere',
      'order or lines are canceled',
      `${RESOURCE} > the decision RESOURCE > CANCEL of the last request of a returned order (9100) ends it: 9000`,
    ],
  ]),
  ...rows('Cancel reasons', [
    [
      'reasonCode',
      'codes are configured per client',
      `${CANCEL} > a cancellation message > lists every error: unknown reason, unknown line, a line twice, more than ordered, an unused field`,
    ],
  ]),
  ...rows('Rejected supply action', [
    [
      'Hold and Auto Unhold',
      'locked until the next inventory file',
      `${RESOURCE} > items that a node declined > are released by the next feed of the node if its policy says so`,
    ],
    [
      'Hold and Manual Unhold',
      'locked until somebody unlocks the SKU',
      `${RESOURCE} > items that a node declined > are held by the policy of the node for every type; intake and RESOURCE reject them there`,
    ],
    [
      'No Hold',
      'the SKU is not locked',
      `${RESOURCE} > items that a node declined > are not held under NO_HOLD, nor for units canceled by the customer`,
    ],
  ]),
];
