/** Events of provisioned resources and of webhooks. */
import { changed, event, id, made, oneOf, optional, orNull, plain, reasonCode, some, Type, text } from './members.ts';

const POLICY = oneOf(['HOLD_UNTIL_FEED', 'HOLD_UNTIL_RELEASED'], {
  description:
    'End of the hold. HOLD_UNTIL_FEED: the next node item feed ends the hold; HOLD_UNTIL_RELEASED: a user ends the hold',
});
const subscription = {
  host: text(1, 255, { description: 'Host of the url to which the service sends events' }),
  types: orNull(some(text(1, 60)), { description: 'Types of the events that are sent. Null for all types' }),
  enabled: Type.Boolean({ description: 'Whether events are sent' }),
};

export const provisioningEvents = {
  'client.created': made('A client was created.', 'Client'),
  'client.changed': changed('Fields of a client changed.'),
  'store.created': made('A store was created.', 'Store'),
  'store.changed': changed('Fields of a store changed.'),
  'node.created': made('A node was created.', 'Node'),
  'node.changed': changed('Fields of a node changed.'),
  'nodeItem.created': made('A node reported an item for the first time (node item feed).', 'NodeItem'),
  'nodeItem.changed': changed('A node reported changed data of an item (node item feed).'),
  'nodeItem.held': event(
    'A declined item was put on hold: the node accepts no new orders for it until the hold ends.',
    {
      policy: POLICY,
      reasonCode: reasonCode(),
      fulfillmentOrderId: id(),
    },
  ),
  'nodeItem.released': event('The hold of an item at the node ended.', {
    policy: POLICY,
    by: oneOf(['FEED', 'RELEASE', 'CORRECTION'], {
      description:
        'End of the hold. FEED: by the node item feed; RELEASE: by a user; CORRECTION: by a correction of the pick that had declined the item',
    }),
  }),
  'credential.created': made('A credential was created; the event does not have its secrets.', 'Credential'),
  'credential.revoked': plain('A credential was revoked.'),
  'user.created': made('A user of the console was created.', 'User'),
  'user.changed': changed(
    'Fields of a user changed; the event says that `password` was replaced, but does not have it.',
    [Type.Literal('replaced')],
  ),
  'user.removed': plain('A user of the console was removed.'),
  'identityProvider.created': made(
    'An identity provider was created; the event does not have its secret.',
    'IdentityProvider',
  ),
  'identityProvider.changed': changed(
    'Fields of an identity provider changed; the event says that `clientSecret` was replaced, but does not have it.',
    [Type.Literal('replaced')],
  ),
  'identityProvider.deleted': plain('An identity provider was deleted, with its links to users.'),
  'webhook.created': event('A webhook was created.', subscription),
  'webhook.changed': event('A webhook was changed, enabled or disabled by a caller.', subscription),
  'webhook.secretRotated': event(
    'A webhook got a new secret; deliveries also have a signature with the old secret until `oldSecretUntil`.',
    {
      oldSecretUntil: Type.String(),
    },
  ),
  'webhook.tested': event(
    'A caller requested a test delivery of the webhook; this event is its content.',
    subscription,
  ),
  'webhook.replayed': event('Events were queued for delivery again.', {
    from: Type.Integer({ description: 'First position' }),
    to: Type.Integer({ description: 'Last position' }),
    events: Type.Integer({ description: 'Number of events that are sent again' }),
  }),
  'webhook.disabled': event(
    'The service disabled a webhook whose receiver failed for too long, or responded with 410.',
    {
      reason: oneOf(['FAILING', 'GONE'], {
        description: 'FAILING: no delivery has succeeded for too long. GONE: the receiver responded with 410',
      }),
      failingSince: optional(Type.String()),
    },
  ),
  'webhook.deleted': plain('A webhook was deleted.'),
} as const;
