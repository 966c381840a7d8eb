/** Request and response schemas of people, sessions and devices. */
import { PERMISSIONS } from '../platform/ctx.ts';
import { ROLES } from '../platform/roles.ts';
import {
  dateTime,
  flag,
  identifier,
  ignored,
  list,
  named,
  object,
  oneOf,
  type Static,
  Type,
  text,
} from '../platform/schema.ts';
import { languageInPut, languageTag } from '../shared/user-language.ts';
import { pin } from './pins.ts';

/** Ways to sign in. */
const METHODS = ['PASSWORD', 'PIN', 'BADGE', 'OIDC', 'PASSKEY'] as const;
export type Method = (typeof METHODS)[number];

/** A password to be checked. */
const password = (description: string) => text(1, 200, { 'x-secret': true, description });

export const SignIn = named(
  'SignIn',
  object({
    clientId: Type.Optional(
      identifier(32, { description: 'Client of the user. Leave it out for a person of the operator' }),
    ),
    userId: identifier(64, { description: 'Login' }),
    password: password('Password'),
  }),
);
export type SignIn = Static<typeof SignIn>;

/** A session in a response. */
export const Session = named(
  'Session',
  object({
    user: object(
      {
        clientId: Type.Optional(
          text(1, 32, { description: 'Client of the user. Absent for a person of the operator' }),
        ),
        userId: text(1, 64, { description: 'Login' }),
        name: text(1, 120, { description: 'Display name' }),
        role: oneOf(ROLES, { description: 'Role of the person' }),
        nodeIds: list(
          text(1, 40),
          { max: 200 },
          { description: 'Nodes where the person works. Empty if the person works at all nodes' },
        ),
        language: Type.Optional(
          text(2, 35, {
            description: 'Language of the console. If absent, the console has the language of the browser',
          }),
        ),
      },
      { description: 'The person who is signed in' },
    ),
    permissions: list(
      oneOf(PERMISSIONS),
      { max: PERMISSIONS.length },
      { description: 'Permissions of the role. Empty until the person replaces a one-time PIN' },
    ),
    device: Type.Optional(
      object(
        {
          deviceId: text(1, 64, { description: 'Device' }),
          nodeId: text(1, 40, { description: 'Node of the device' }),
          name: text(1, 120, { description: 'Name of the device' }),
        },
        { description: 'The enrolled device of the session. Absent if the browser is not enrolled' },
      ),
    ),
    method: oneOf(METHODS, { description: 'Method of the sign-in' }),
    expiresAt: dateTime({
      description: 'End of the session if there are no further requests. Every session ends after at most 12 hours',
    }),
    mustChangePin: Type.Optional(
      flag({ description: 'true: the sign-in used a one-time PIN. First choose your own PIN with PUT /session/pin' }),
    ),
    training: Type.Optional(
      flag({
        description:
          'true: the session is in a training with invented data. DELETE /session/training ends the training',
      }),
    ),
    outboxTicket: Type.Optional(
      text(1, 200, {
        description:
          'Ticket with which the console can send the queued work of this user after another user has signed in (header Outbox-Ticket). Only the sign-in on a device returns a ticket. The ticket is valid for 24 hours. After a sign-in with a one-time PIN, these 24 hours begin when the user chooses a PIN, and the ticket is not valid earlier',
      }),
    ),
  }),
);
export type Session = Static<typeof Session>;

const state = oneOf(['ACTIVE', 'DISABLED'], {
  description: 'DISABLED: the person cannot sign in and has no sessions. A PUT without `state` does not change it',
});

export const PersonPut = named(
  'PersonPut',
  object({
    name: text(1, 120, { description: 'Display name' }),
    password: Type.Optional(
      text(8, 200, {
        'x-secret': true,
        description:
          'At least 12 characters, or at least 8 if the password is not a common one. Required for a new person. A PUT without `password` does not change the password',
      }),
    ),
    state: Type.Optional(state),
    language: Type.Optional(languageInPut),
    userId: Type.Optional(Type.String({ minLength: 1, description: 'Login' })),
    createdAt: ignored(),
    updatedAt: ignored(),
  }),
);

/** A person of the operator, without the password. */
export const Person = named(
  'Person',
  object({
    userId: text(1, 64, { description: 'Login' }),
    name: text(1, 120, { description: 'Display name' }),
    state,
    language: Type.Optional(
      languageTag('Language of the console. If absent, the console has the language of the browser'),
    ),
    createdAt: dateTime(),
    updatedAt: dateTime(),
  }),
);
export type Person = Static<typeof Person>;

export const Unlock = named(
  'Unlock',
  object({
    badge: Type.Optional(
      text(1, 64, { 'x-secret': true, description: 'Text of the badge. Send either `badge` or `userId`' }),
    ),
    userId: Type.Optional(identifier(64, { description: 'Login. Send either `userId` or `badge`' })),
    pin: pin('PIN of the person'),
  }),
);

export const PasswordChange = named(
  'PasswordChange',
  object({
    old: password('Current password'),
    new: text(8, 200, {
      'x-secret': true,
      description: 'At least 12 characters, or at least 8 if the password is not a common one',
    }),
  }),
);

export const PinChange = named('PinChange', object({ pin: pin('4 to 8 digits, no sequence and no repetition') }));

export const Preferences = named(
  'Preferences',
  object({
    language: Type.Optional(
      languageTag('Language of the console. If absent, the console has the language of the browser'),
    ),
  }),
);

export const GivenPin = named(
  'GivenPin',
  object({
    pin: text(4, 8, { description: 'One-time PIN. Only this response shows the PIN, which is valid for 24 hours' }),
  }),
);

export const GivenBadge = named(
  'GivenBadge',
  object({ badge: text(16, 16, { description: 'Text of the badge. Only this response shows the text' }) }),
);

export const DeviceCode = named(
  'DeviceCode',
  object({
    code: text(16, 16, { description: 'Code for POST /session/device. Only this response shows the code' }),
    expiresAt: dateTime({ description: 'Time at which the code expires' }),
  }),
);

export const Enrollment = named(
  'Enrollment',
  object({
    code: text(1, 64, { 'x-secret': true, description: 'Code of POST .../deviceCodes, in upper or lower case' }),
    name: text(1, 120, { description: 'Name of the device, for example its label' }),
  }),
);

export const EnrolledDevice = named(
  'EnrolledDevice',
  object({
    deviceId: text(1, 64, { description: 'Device' }),
    nodeId: text(1, 40, { description: 'Node of the device' }),
  }),
);

export const Device = named(
  'Device',
  object({
    deviceId: text(1, 64, { description: 'Device' }),
    nodeId: text(1, 40, { description: 'Node of the device' }),
    name: text(1, 120, { description: 'Name of the device' }),
    createdAt: dateTime({ description: 'Time of the enrollment' }),
    lastSeenAt: dateTime({ description: 'Time of the last use, accurate to about five minutes' }),
    lockedAt: Type.Optional(dateTime({ description: 'Time at which wrong PINs locked the device' })),
    revokedAt: Type.Optional(dateTime({ description: 'Time of the revocation' })),
  }),
);

/** Named schemas of people, for the OpenAPI document. */
export const peopleSchemas = [
  SignIn,
  Session,
  Unlock,
  PasswordChange,
  PinChange,
  Preferences,
  GivenPin,
  GivenBadge,
  DeviceCode,
  Enrollment,
  EnrolledDevice,
  Device,
  PersonPut,
  Person,
];
