/** A user of the console: the schemas of PUT and of responses, and the function that makes a response from a row. */

import { readJson } from '../platform/json-column.ts';
import { CLIENT_ROLES } from '../platform/roles.ts';
import { identifier, list, named, object, oneOf, type Static, Type, text } from '../platform/schema.ts';
import type { UserRow } from '../platform/storage/tables.ts';
import { languageInPut, languageTag } from '../shared/user-language.ts';
import { sentBack, sentId, shown, times } from './resource.ts';

const user = {
  name: text(1, 120, { description: 'Name of the user' }),
  role: oneOf(CLIENT_ROLES, { description: 'Role of the user, which determines the permissions' }),
  nodeIds: list(
    identifier(40),
    { max: 200 },
    { description: 'Nodes where the user works. Empty if the user works at every node of the client' },
  ),
};

const userState = oneOf(['ACTIVE', 'DISABLED'], {
  description: 'DISABLED: the user cannot sign in, and has no sessions. A PUT without `state` does not change it',
});
const userLanguage = languageTag('Language of the console. If absent, the console has the language of the browser');

const identities = list(
  object({
    providerId: identifier(40, { description: 'Identity provider of the client' }),
    subject: text(1, 255, { description: 'Account at the provider: `sub` of the ID token, compared exactly' }),
  }),
  { max: 20 },
  {
    description:
      'Accounts at identity providers with which the user signs in. A PUT without `identities` does not change the accounts',
  },
);

export const UserPut = named(
  'UserPut',
  object({
    ...user,
    password: Type.Optional(
      text(8, 200, {
        'x-secret': true,
        description:
          'At least 12 characters, or at least 8 if the password is not a common one. Required for a new user without `identities`. A PUT without `password` does not change the password',
      }),
    ),
    state: Type.Optional(userState),
    language: Type.Optional(languageInPut),
    identities: Type.Optional(identities),
    clientId: sentId,
    userId: Type.Optional(Type.String({ minLength: 1, description: 'Login' })),
    ...sentBack,
  }),
);
export type UserPut = Static<typeof UserPut>;

/** A row of a file of users, without passwords. */
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
    userId: text(1, 64, { description: 'Login' }),
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
    nodeIds: readJson(row.node_ids),
    state: row.state,
    ...(row.language !== null && { language: row.language }),
    ...(identities.length > 0 && { identities }),
    ...times(row),
  };
}
