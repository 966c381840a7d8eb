/** Wire shapes of people: sessions, and the devices that they are on. */
import { PERMISSIONS } from '../platform/ctx.ts';
import { ROLE_PERMISSIONS, type Role } from '../platform/roles.ts';
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
import { pin } from './pins.ts';

const ROLES = Object.keys(ROLE_PERMISSIONS) as [Role, ...Role[]];

/** How somebody has signed in. */
const METHODS = ['PASSWORD', 'PIN', 'BADGE', 'OIDC', 'PASSKEY'] as const;
export type Method = (typeof METHODS)[number];

/** Tag of a language, as browsers have it. */
const language = (description: string) =>
  text(2, 35, {
    pattern: '^[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8})*$',
    'x-hint': 'send a language tag such as en or de-CH',
    description,
  });

/** A password as it is sent to be judged. */
const password = (description: string) => text(1, 200, { 'x-secret': true, description });

export const SignIn = named(
  'SignIn',
  object({
    clientId: Type.Optional(identifier(32, { description: 'Client of the user; left out: a person of the operator' })),
    userId: identifier(64, { description: 'Login' }),
    password: password('Password'),
  }),
);
export type SignIn = Static<typeof SignIn>;

/** A session, as signing in and reading it show it. */
export const Session = named(
  'Session',
  object({
    user: object(
      {
        clientId: Type.Optional(text(1, 32, { description: 'Left out: a person of the operator' })),
        userId: text(1, 64, { description: 'Login' }),
        name: text(1, 120, { description: 'Name that is shown' }),
        role: oneOf(ROLES, { description: 'What the person may do' }),
        nodeIds: list(text(1, 40), { max: 200 }, { description: 'Nodes where the person works; none: every node' }),
        language: Type.Optional(text(2, 35, { description: 'Language of the console; left out: that of the browser' })),
      },
      { description: 'Who is signed in' },
    ),
    permissions: list(
      oneOf(PERMISSIONS),
      { max: PERMISSIONS.length },
      { description: 'What the role allows; none until a one-time PIN is changed' },
    ),
    device: Type.Optional(
      object(
        {
          deviceId: text(1, 64, { description: 'Device' }),
          nodeId: text(1, 40, { description: 'Node of the device' }),
          name: text(1, 120, { description: 'Name of the device' }),
        },
        { description: 'The enrolled device of the session; left out: a browser that is none' },
      ),
    ),
    method: oneOf(METHODS, { description: 'How the person signed in' }),
    expiresAt: dateTime({
      description: 'When the session ends if nothing is asked any more; it ends after 12 hours in any case',
    }),
    mustChangePin: Type.Optional(
      flag({ description: 'true: a one-time PIN; choose another with PUT /session/pin first' }),
    ),
    training: Type.Optional(
      flag({
        description: 'true: in the town of a training, where nothing is real; DELETE /session/training leaves it',
      }),
    ),
    outboxTicket: Type.Optional(
      text(1, 200, {
        description:
          'On a device, once: sends what this user has queued after another has signed in (header Outbox-Ticket, 24 hours)',
      }),
    ),
  }),
);
export type Session = Static<typeof Session>;

const state = oneOf(['ACTIVE', 'DISABLED'], {
  description: 'DISABLED: cannot sign in, and the sessions have ended; left out on PUT: unchanged',
});

export const PersonPut = named(
  'PersonPut',
  object({
    name: text(1, 120, { description: 'Name that is shown' }),
    password: Type.Optional(
      text(8, 200, {
        'x-secret': true,
        description:
          'At least 12 characters, or at least 8 and not among common passwords; required for a new person; left out: unchanged',
      }),
    ),
    state: Type.Optional(state),
    language: Type.Optional(language('Language of the console; left out on PUT: unchanged')),
    userId: Type.Optional(Type.String({ minLength: 1 })),
    createdAt: ignored(),
    updatedAt: ignored(),
  }),
);

/** A person of the operator, without the password. */
export const Person = named(
  'Person',
  object({
    userId: text(1, 64, { description: 'Login' }),
    name: text(1, 120, { description: 'Name that is shown' }),
    state,
    language: Type.Optional(language('Language of the console')),
    createdAt: dateTime(),
    updatedAt: dateTime(),
  }),
);
export type Person = Static<typeof Person>;

export const Unlock = named(
  'Unlock',
  object({
    badge: Type.Optional(text(1, 64, { 'x-secret': true, description: 'Text of the badge, instead of userId' })),
    userId: Type.Optional(identifier(64, { description: 'Login, instead of badge' })),
    pin: pin('PIN of the person'),
  }),
);

export const PasswordChange = named(
  'PasswordChange',
  object({
    old: password('Password as it is'),
    new: text(8, 200, {
      'x-secret': true,
      description: 'At least 12 characters, or at least 8 and not among common passwords',
    }),
  }),
);

export const PinChange = named('PinChange', object({ pin: pin('4 to 8 digits, no run and no repetition') }));

export const Preferences = named(
  'Preferences',
  object({ language: Type.Optional(language('Language of the console; left out: that of the browser')) }),
);

export const GivenPin = named(
  'GivenPin',
  object({ pin: text(4, 8, { description: 'One-time PIN; it is shown once and good for 24 hours' }) }),
);

export const GivenBadge = named(
  'GivenBadge',
  object({ badge: text(16, 16, { description: 'Text of the badge; it is shown once' }) }),
);

export const DeviceCode = named(
  'DeviceCode',
  object({
    code: text(16, 16, { description: 'Code for POST /session/device; it is shown once' }),
    expiresAt: dateTime({ description: 'From this instant on it enrolls nothing' }),
  }),
);

export const Enrollment = named(
  'Enrollment',
  object({
    code: text(1, 64, { 'x-secret': true, description: 'Code of POST .../deviceCodes, in any case' }),
    name: text(1, 120, { description: 'Name of the device, for example what is written on it' }),
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
    createdAt: dateTime({ description: 'When it was enrolled' }),
    lastSeenAt: dateTime({ description: 'When somebody used it last, to about five minutes' }),
    lockedAt: Type.Optional(dateTime({ description: 'Wrong PINs have locked it at this instant' })),
    revokedAt: Type.Optional(dateTime({ description: 'It was revoked at this instant' })),
  }),
);

/** Named schemas of people, for the document. */
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
