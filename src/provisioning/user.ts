/** A user of the console: what a PUT takes, and what replies show of its row. */

import type { ExpressionBuilder } from 'kysely';
import { CLIENT_ROLES } from '../platform/roles.ts';
import { identifier, list, named, object, oneOf, type Static, Type, text } from '../platform/schema.ts';
import type { Tables, UserRow } from '../platform/storage/tables.ts';
import { sentBack, sentId, shown, times } from './resource.ts';

const user = {
  name: text(1, 120, { description: 'Name of the user' }),
  role: oneOf(CLIENT_ROLES, { description: 'What the user may do' }),
  nodeIds: list(
    identifier(40),
    { max: 200 },
    { description: 'Nodes where the user works; none: every node of the client' },
  ),
};

const userState = oneOf(['ACTIVE', 'DISABLED'], {
  description: 'DISABLED: the user cannot sign in, and the sessions have ended; left out on PUT: unchanged',
});
const userLanguage = text(2, 35, {
  pattern: '^[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8})*$',
  'x-hint': 'send a language tag such as en or de-CH',
  description: 'Language of the console; left out on PUT: unchanged',
});

const identities = list(
  object({
    providerId: identifier(40, { description: 'Identity provider of the client' }),
    subject: text(1, 255, { description: 'Who the user is there: `sub` of the ID token, compared exactly' }),
  }),
  { max: 20 },
  { description: 'Accounts at identity providers with which the user signs in; left out on PUT: unchanged' },
);

export const UserPut = named(
  'UserPut',
  object({
    ...user,
    password: Type.Optional(
      text(8, 200, {
        'x-secret': true,
        description:
          'At least 12 characters, or at least 8 and not among common passwords; required for a new user; left out: unchanged',
      }),
    ),
    state: Type.Optional(userState),
    language: Type.Optional(userLanguage),
    identities: Type.Optional(identities),
    clientId: sentId,
    userId: sentId,
    ...sentBack,
  }),
);
export type UserPut = Static<typeof UserPut>;

/** A row of a file of users: a file is no place for passwords. */
export const UserImport = object({
  ...user,
  state: Type.Optional(userState),
  language: Type.Optional(userLanguage),
  identities: Type.Optional(identities),
  clientId: sentId,
  userId: sentId,
  ...sentBack,
});

/** A user of the console, without the password. */
export const User = named(
  'User',
  object({
    clientId: text(1, 32),
    userId: text(1, 64),
    ...user,
    state: userState,
    language: Type.Optional(userLanguage),
    identities: Type.Optional(identities),
    ...shown,
  }),
);
export type User = Static<typeof User>;

export function toUser(row: UserRow, identities: NonNullable<User['identities']> = []): User {
  return {
    clientId: row.client_id,
    userId: row.user_id,
    name: row.name,
    role: row.role as User['role'],
    nodeIds: JSON.parse(row.node_ids) as string[],
    state: row.state,
    ...(row.language !== null && { language: row.language }),
    ...(identities.length > 0 && { identities }),
    ...times(row),
  };
}

/** Condition on users: those who work at one of the nodes by name. Node ids stand in a JSON list; nothing stands for anything else in it. */
export function worksAt(nodeIds: readonly string[]) {
  return (eb: ExpressionBuilder<Tables, 'users'>) =>
    eb.or(
      nodeIds.map((id) =>
        eb(eb.fn<string>('replace', ['node_ids', eb.val(JSON.stringify(id)), eb.val('')]), '<>', eb.ref('node_ids')),
      ),
    );
}
