/** Events of what an operator provisions, and of webhooks. */
import { changed, event, id, made, oneOf, optional, orNull, plain, reasonCode, some, Type, text } from './members.ts';

const POLICY = oneOf(['HOLD_UNTIL_FEED', 'HOLD_UNTIL_RELEASED'], {
  description: 'What frees the item: the next node item feed, or its release',
});
const subscription = {
  host: text(1, 255, { description: 'Host of the url that events are sent to' }),
  types: orNull(some(text(1, 60)), { description: 'Types of events that are sent; null is all' }),
  enabled: Type.Boolean({ description: 'Whether events are sent' }),
};

export const provisioningEvents = {
  'client.created': made('A client was made.', 'Client'),
  'client.changed': changed('Fields of a client changed.'),
  'store.created': made('A store was made.', 'Store'),
  'store.changed': changed('Fields of a store changed.'),
  'node.created': made('A node was made.', 'Node'),
  'node.changed': changed('Fields of a node changed.'),
  'nodeItem.created': made('A node told of an item for the first time (node item feed).', 'NodeItem'),
  'nodeItem.changed': changed('A node told something else of an item (node item feed).'),
  'nodeItem.held': event('A declined item gets no new orders at the node until it is free again.', {
    policy: POLICY,
    reasonCode: reasonCode(),
    fulfillmentOrderId: id(),
  }),
  'nodeItem.released': event('An item is free again at the node.', {
    policy: POLICY,
    by: oneOf(['FEED', 'RELEASE', 'CORRECTION'], {
      description: 'What freed it: the node’s item feed, somebody, or the correction of the pick that had declined it',
    }),
  }),
  'credential.created': made('A credential was made; its secrets are nowhere in the event.', 'Credential'),
  'credential.revoked': plain('A credential was revoked.'),
  'user.created': made('A user of the console was made.', 'User'),
  'user.changed': changed('Fields of a user changed; `password` says only that it was replaced.', [
    Type.Literal('replaced'),
  ]),
  'user.removed': plain('A user of the console was removed.'),
  'identityProvider.created': made(
    'An identity provider was made; its secret is nowhere in the event.',
    'IdentityProvider',
  ),
  'identityProvider.changed': changed(
    'Fields of an identity provider changed; `clientSecret` says only that it was replaced.',
    [Type.Literal('replaced')],
  ),
  'identityProvider.deleted': plain('An identity provider was deleted, with its links to users.'),
  'webhook.created': event('A webhook was made.', subscription),
  'webhook.changed': event('A webhook was changed, enabled or disabled by its owner.', subscription),
  'webhook.secretRotated': event('A webhook has a new secret; the old one signs too until `oldSecretUntil`.', {
    oldSecretUntil: Type.String(),
  }),
  'webhook.replayed': event('Events were put up for delivery once more.', {
    from: Type.Integer({ description: 'First position' }),
    to: Type.Integer({ description: 'Last position' }),
    events: Type.Integer({ description: 'Events that are sent once more' }),
  }),
  'webhook.disabled': event('The service disabled a webhook that failed for too long, or answered 410.', {
    reason: oneOf(['FAILING', 'GONE'], {
      description: 'FAILING: no delivery has succeeded for too long. GONE: the receiver answered 410',
    }),
    failingSince: optional(Type.String()),
  }),
  'webhook.deleted': plain('A webhook was deleted.'),
} as const;
