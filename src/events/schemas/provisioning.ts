/** Events of what an operator provisions, and of webhooks. */
import { changed, event, id, made, oneOf, optional, orNull, reasonCode, some, Type, text } from './members.ts';

const POLICY = oneOf(['HOLD_UNTIL_FEED', 'HOLD_UNTIL_RELEASED']);
const subscription = { host: text(1, 255), types: orNull(some(text(1, 60))), enabled: Type.Boolean() };

export const provisioningEvents = {
  'client.created': made('A client was made.', 'Client'),
  'client.changed': changed('Members of a client changed.'),
  'store.created': made('A store was made.', 'Store'),
  'store.changed': changed('Members of a store changed.'),
  'node.created': made('A node was made.', 'Node'),
  'node.changed': changed('Members of a node changed.'),
  'nodeItem.created': made('A node told of an item for the first time (node item feed).', 'NodeItem'),
  'nodeItem.changed': changed('A node told something else of an item (node item feed).'),
  'nodeItem.held': event('A declined item gets no new orders at the node until it is free again.', {
    policy: POLICY,
    reasonCode: reasonCode(),
    fulfillmentOrderId: id(),
  }),
  'nodeItem.released': event('An item is free again at the node.', { policy: POLICY, by: oneOf(['FEED', 'RELEASE']) }),
  'credential.created': made('A credential was made; its secrets are nowhere in the event.', 'Credential'),
  'credential.revoked': event('A credential was revoked.'),
  'user.created': made('A user of the console was made.', 'User'),
  'user.changed': changed('Members of a user changed; `password` says only that it was replaced.', [
    Type.Literal('replaced'),
  ]),
  'user.removed': event('A user of the console was removed.'),
  'webhook.created': event('A webhook was made.', subscription),
  'webhook.changed': event('A webhook was changed, enabled or disabled by its owner.', subscription),
  'webhook.secretRotated': event('A webhook has a new secret; the old one signs too until `oldSecretUntil`.', {
    oldSecretUntil: Type.String(),
  }),
  'webhook.replayed': event('Events were put up for delivery once more.', {
    from: Type.Integer(),
    to: Type.Integer(),
    events: Type.Integer(),
  }),
  'webhook.disabled': event('The service disabled a webhook that failed for too long, or answered 410.', {
    reason: oneOf(['FAILING', 'GONE']),
    failingSince: optional(Type.String()),
  }),
  'webhook.deleted': event('A webhook was deleted.'),
} as const;
