/** Exceptions of a node. */
const plural = new Intl.PluralRules('en');
const count = (n: number, one: string, many: string) => `${n} ${plural.select(n) === 'one' ? one : many}`;

export const exceptions = {
  tabs: { late: 'Late', requests: 'Re-source', holds: 'Blocked items' },
  noneLate: 'Nothing is late',
  noneLateHint: 'Orders whose step is late or soon will be appear here.',
  noneRequests: 'No open re-source request',
  noneRequestsHint: 'Units that this store declined appear here until another node serves them.',
  noneHolds: 'No item is blocked',
  noneHoldsHint: 'An item that was declined as not found is blocked until stock is known again.',
  chosen: (n: number) => `${count(n, 'order', 'orders')} chosen`,
  decline: 'Decline',
  declineTitle: (n: number) => `Decline ${count(n, 'order', 'orders')}?`,
  declineHint:
    'Only orders that nobody has begun to pick. The owner of each order decides which node serves it instead.',
  declined: (n: number) => `${count(n, 'order', 'orders')} declined`,
  reason: 'Reason',
  reasons: {
    CancelMXOutOfStock: 'Out of stock',
    CancelInventoryDiscrepancy: 'The stock record was wrong',
    CancelMXPickDecline: 'We cannot pick it in time',
    CancelGeneric: 'Another reason',
  },
  requestHint:
    'The order management system answers with another node. If nobody can serve the units, cancel them here.',
  nobody: 'Nobody serves them',
  free: 'Free',
  alerts: {
    START_PICK_APPROACHING: 'Pick should start soon',
    START_PICK_EXPIRED: 'Pick not started',
    COMPLETE_PICK_APPROACHING: 'Pick should end soon',
    COMPLETE_PICK_EXPIRED: 'Pick not finished',
    PACK_APPROACHING: 'Pack soon',
    PACK_EXPIRED: 'Not packed',
    CHECK_IN_APPROACHING: 'Check in soon',
    CHECK_IN_EXPIRED: 'Not checked in',
    CUSTOMER_PICKUP_APPROACHING: 'Customer has not come yet',
    CUSTOMER_PICKUP_EXPIRED: 'Not collected',
    DELIVERY_APPROACHING: 'Deliver soon',
    DELIVERY_EXPIRED: 'Not delivered',
    REVERSE_PICK_APPROACHING: 'Bring back soon',
    REVERSE_PICK_EXPIRED: 'Not brought back',
  } as Record<string, string>,
};
