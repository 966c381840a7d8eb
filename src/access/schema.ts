/** Wire shapes of access: who the caller is. */
import { GROUPS } from '../ctx.ts';
import { dateTime, integer, list, named, object, oneOf, type Static, Type, text } from '../schema.ts';

const ids = (what: string) =>
  Type.Optional(list(text(1, 40), { min: 1, max: 200 }, { description: `Only these ${what}; left out: all` }));

/** Who the caller is. */
export const Me = named(
  'Me',
  object({
    kind: oneOf(['CREDENTIAL', 'OPERATOR'], { description: 'CREDENTIAL: of a client; OPERATOR: of the operator' }),
    clientId: Type.Optional(text(1, 32, { description: 'Client of a credential' })),
    credentialId: Type.Optional(
      text(1, 40, { description: 'The credential or operator key; left out for the key of the settings' }),
    ),
    label: Type.Optional(text(1, 120, { description: 'What it is for' })),
    storeIds: ids('stores'),
    nodeIds: ids('nodes'),
    groups: Type.Optional(
      list(oneOf(GROUPS), { max: GROUPS.length }, { description: 'Groups of operations of a credential' }),
    ),
    expiresAt: Type.Optional(dateTime({ description: 'From this instant on it is refused; left out: never' })),
    rateLimits: Type.Optional(
      object(
        {
          requestsPerMinute: Type.Optional(integer(1, 1_000_000, { description: 'Requests a minute, by RATE_LIMIT' })),
        },
        { description: 'How often it may ask, in each process of the service; left out where nothing is limited' },
      ),
    ),
  }),
);
export type Me = Static<typeof Me>;

/** Named schemas of access, for the document. */
export const accessSchemas = [Me];
