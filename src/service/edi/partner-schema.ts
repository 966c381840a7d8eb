/** The profile of an EDI partner: the agreements with the partner (docs/edi-partners.md#the-profile). */
import {
  exact,
  flag,
  identifier,
  ignored,
  integer,
  list,
  named,
  object,
  oneOf,
  type Static,
  type TProperties,
  Type,
  text,
} from '../../platform/schema.ts';
import { STRICT } from '../../platform/x12/check.ts';
import { say } from './sentences.ts';

declare module '../../platform/json-column.ts' {
  interface Shapes {
    EdiProfile: Profile;
  }
}

const opt = Type.Optional;

/** The sets on which partners can agree. */
const TAKEN_SETS = ['856', '850', '860', '997', '824'] as const;
export const PARTNER_ID_MAX = 30;
export const PARTNER_ID = `^[A-Za-z0-9._-]{1,${PARTNER_ID_MAX}}$`;

const code = (max: number, description: string) =>
  text(1, max, {
    description,
    pattern: '^[!-~](?:[ -~]*[!-~])?$',
    'x-hint': say('send ASCII characters without spaces at the start or end'),
  });

const identity = (whose: string) =>
  object(
    {
      qualifier: text(2, 2, {
        description: 'Qualifier of the id, such as ZZ, 01, 08 or 12',
        pattern: '^[A-Z0-9]{2}$',
        'x-hint': say('send two characters: digits or capital letters'),
      }),
      id: code(15, 'Id of the interchange'),
      group: opt(
        text(2, 15, {
          description: 'Id in the group envelope. Default: `id`',
          pattern: '^[!-~][ -~]*[!-~]$',
          'x-hint': say('send 2 to 15 ASCII characters'),
        }),
      ),
    },
    { description: `${whose} id in the envelope` },
  );

const level = (finding: string) =>
  opt(
    oneOf(['ERROR', 'NOTE'], {
      description: `Level of ${finding}. ERROR causes a rejection; NOTE only reports the finding`,
    }),
  );
const delimiter = (description: string) =>
  opt(
    text(1, 1, {
      description,
      pattern: '^[!-/:-@\\[-`{-~]$',
      'x-hint': say('send one character that is not a letter, digit or space'),
    }),
  );
const locationFields = {
  storeCode: opt(identifier(5, { description: 'Code of the store' })),
  receivingWarehouseId: opt(identifier(5, { description: 'Code of the receiving warehouse' })),
};

const answer = {
  ack: opt(
    oneOf(['997', 'NONE'], {
      description: 'Acknowledgment of groups. 997 (default): a 997 for each group; NONE: no 997',
    }),
  ),
  ta1: opt(
    oneOf(['ON_ERROR', 'ALWAYS', 'NEVER'], {
      description:
        'Envelopes that get a TA1. ON_ERROR (default): envelopes that request a TA1 in ISA14, and rejected envelopes; ALWAYS: all envelopes; NEVER: no envelopes',
    }),
  ),
  advice: opt(flag({ description: 'true (default): the service sends an 824 for each set that the rules reject' })),
  receipt: opt(
    oneOf(['OWN', 'ALL', 'NONE'], {
      description:
        'Shipments for which the service sends an 861 at each close. OWN (default): shipments that this partner sent by EDI; ALL: also all other shipments of its seller; NONE: no shipments',
    }),
  ),
  byCarton: opt(flag({ description: 'true (default): the 861 has a line for each carton' })),
  ackHours: opt(
    integer(1, 720, { description: 'Hours within which the partner must acknowledge an 824 or 861; default 24' }),
  ),
};
const write = {
  element: delimiter('Element separator; default *'),
  component: delimiter('Component separator; default >'),
  repetition: delimiter('Repetition separator; default ^'),
  segment: delimiter('Segment terminator; default ~'),
  newline: opt(flag({ description: 'true (default): a line feed follows each segment' })),
  version: opt(
    text(6, 12, {
      description: 'Version of the written sets (GS08); default 004010',
      pattern: '^00[3-9]0[0-9]{2}[A-Z0-9]{0,6}$',
      'x-hint': say('send a version such as 004010 or 005010'),
    }),
  ),
  braType: opt(
    text(1, 1, {
      description: 'Type of the receiving advice (BRA04) in an 861; default 2',
      pattern: '^[A-Z0-9]$',
      'x-hint': say('send one digit or capital letter'),
    }),
  ),
};
const defaults = {
  trailerNumber: opt(
    text(1, 25, {
      description: 'Trailer if the file has no trailer. Required for 850 and 860, which never have a trailer',
    }),
  ),
  itemCost: opt(
    exact(
      { integer: 6, fraction: 6, min: 0, max: 999_999 },
      {
        description:
          'Cost of one unit. Used for lines of an ASN if no purchase order has a cost of the item, and for lines of a PO without a price',
      },
    ),
  ),
  shipperName: opt(text(1, 30, { description: 'Name of the sender. Default: the partnerId' })),
  storeCode: opt(identifier(5, { description: 'Store code if the agreed location has none' })),
  receivingWarehouseId: opt(identifier(5, { description: 'Receiving warehouse if the agreed location has none' })),
};
const strict = {
  segmentCount: level('a wrong count in SE01, GE01 or IEA01; default ERROR'),
  controlNumbers: level(
    'a control number that differs from its trailer, and of a repeated GS06 or ST02; default ERROR',
  ),
  isaWidths: level('an ISA element of a wrong width; default NOTE'),
  unknownSegments: level('a segment that the set does not have; default NOTE'),
  checkDigits: level('a number with a wrong check digit or length; default NOTE'),
  hashTotal: level('a CTT02 that differs from the sum of the quantities; default NOTE'),
};

const profile = {
  sellerId: identifier(40),
  usage: oneOf(['P', 'T'], {
    description: 'P: production. T: test. The service checks and acknowledges test files, but books nothing',
  }),
  ours: identity('Your'),
  theirs: identity('The partner’s'),
  versions: opt(
    list(
      text(1, 12, { pattern: '^[0-9A-Z]+$', 'x-hint': say('send a version such as 004010') }),
      { min: 1, max: 20 },
      { description: 'Accepted versions. GS08 must begin with one of these texts. Default: 004010' },
    ),
  ),
  take: opt(
    list(
      oneOf(TAKEN_SETS),
      { max: 5 },
      { description: 'Sets that the service accepts from the partner. Default: all five values' },
    ),
  ),
  mayReplace: opt(
    flag({
      description: 'Whether the service accepts sets with the purposes 01 (cancel) and 05 (replace); default true',
    }),
  ),
  numberDays: opt(
    integer(1, 3650, {
      description:
        'Number of days within which the partner must not use a control number again; default 365. The limit is at most the time for which the service keeps interchanges (`EDI_DAYS`)',
    }),
  ),
  answer: opt(object(answer, { description: 'Responses to the partner' })),
  write: opt(object(write, { description: 'How files to the partner are written' })),
  items: opt(
    list(
      object({
        qualifier: text(2, 2, { description: 'Qualifier of a product id' }),
        is: oneOf(['CLIENT_ITEM_ID', 'BAR_CODE'], {
          description: 'Kind of the id. CLIENT_ITEM_ID: the clientItemId of an item; BAR_CODE: a bar code of an item',
        }),
      }),
      { min: 1, max: 20 },
      {
        description:
          'Product ids, the preferred id first. The service uses the first id that is in the file and in the catalog. Default: SK and IN as clientItemId, then UP, EN and UK as bar code',
      },
    ),
  ),
  locations: opt(
    list(
      object({
        entity: text(2, 3, { description: 'Entity code of the location (N101), such as ST' }),
        qualifier: text(1, 2, { description: 'Qualifier of the code (N103), such as 92' }),
        code: text(1, 80, { description: 'The partner’s code of the location (N104)' }),
        ...locationFields,
        sellerId: opt(identifier(40)),
      }),
      { max: 1000 },
      { description: 'Stores and warehouses by the codes of the partner. The service uses the first match' },
    ),
  ),
  number: opt(
    oneOf(['BSN02', 'REF:BM', 'BSN02:TRIM'], {
      description:
        'Source of the ASN number. BSN02 (default): BSN02; REF:BM: the bill of lading; BSN02:TRIM: BSN02 without leading zeros',
    }),
  ),
  noPack: opt(
    oneOf(['ONE_CARTON', 'REFUSE'], {
      description:
        'Items without a carton. ONE_CARTON (default): the service uses the number of the ASN as the carton; REFUSE: the service rejects the set',
    }),
  ),
  cartonQualifiers: opt(
    list(
      text(1, 2),
      { min: 1, max: 10 },
      { description: 'Qualifiers of carton numbers in MAN, the preferred qualifier first. Default: GM, AA, CP' },
    ),
  ),
  units: opt(
    Type.Unsafe<Record<string, number>>({
      type: 'object',
      additionalProperties: integer(1, 99_999, { description: 'Pieces' }),
      maxProperties: 100,
      description: 'Number of pieces in a unit of measure. The names are the codes of the units',
    }),
  ),
  dates: opt(
    list(
      text(3, 3, { pattern: '^[0-9A-Z]{3}$', 'x-hint': say('send a qualifier such as 017') }),
      { max: 20 },
      { description: 'Qualifiers of the day of arrival in DTM, the preferred qualifier first. Default: 017, 067, 371' },
    ),
  ),
  days: opt(
    integer(0, 365, {
      description:
        'Days from the day of shipping, or from the day of the order, to the arrival; default 3. Used if the file has no day of arrival',
    }),
  ),
  defaults: opt(object(defaults, { description: 'Values for data that the files do not have' })),
  strict: opt(object(strict, { description: 'Levels of findings for which partners have different agreements' })),
};

/** The body of a PUT. */
export const EdiPartnerPut = named(
  'EdiPartnerPut',
  object(
    {
      ...profile,
      clientId: opt(text(1, 32)),
      partnerId: opt(text(1, 30)),
      revision: ignored(),
      createdAt: ignored(),
      updatedAt: ignored(),
    },
    { description: 'The agreement with a partner. Only four fields are required.' },
  ),
);
export type EdiPartnerPut = Static<typeof EdiPartnerPut>;

/** The profile for a check without the service. Every field is optional. */
export const EdiProfilePart = object(Type.Partial(Type.Object(profile)).properties);
export type EdiProfilePart = Static<typeof EdiProfilePart>;

/** A partner with every default written out. */
export const EdiPartner = named(
  'EdiPartner',
  object(
    {
      clientId: text(1, 32),
      partnerId: text(1, 30, { description: 'Id of the partner' }),
      ...required({
        ...profile,
        answer: object(required(answer), { description: 'Responses to the partner' }),
        write: object(required(write), { description: 'How files to the partner are written' }),
        strict: object(required(strict), {
          description: 'Levels of findings for which partners have different agreements',
        }),
      }),
      revision: integer(1, Number.MAX_SAFE_INTEGER, { description: 'Number of changes' }),
      createdAt: Type.String(),
      updatedAt: Type.String(),
    },
    { description: 'An EDI partner, with every default written out.' },
  ),
);

/** Returns the fields, each required. */
function required<P extends TProperties>(fields: P) {
  return Type.Required(Type.Object(fields)).properties;
}

/** The profile with all defaults. */
export type Profile = ReturnType<typeof completed>;

/** Returns the profile with its missing fields set to the defaults. */
export function completed(
  body: Omit<EdiPartnerPut, 'clientId' | 'partnerId' | 'revision' | 'createdAt' | 'updatedAt'>,
) {
  const { ours, theirs } = body;
  return {
    sellerId: body.sellerId,
    usage: body.usage,
    ours: { qualifier: ours.qualifier, id: ours.id, group: ours.group ?? groupOf(ours.id) },
    theirs: { qualifier: theirs.qualifier, id: theirs.id, group: theirs.group ?? groupOf(theirs.id) },
    versions: body.versions ?? ['004010'],
    take: body.take ?? [...TAKEN_SETS],
    mayReplace: body.mayReplace ?? true,
    numberDays: body.numberDays ?? 365,
    answer: {
      ack: '997' as const,
      ta1: 'ON_ERROR' as const,
      advice: true,
      receipt: 'OWN' as const,
      byCarton: true,
      ackHours: 24,
      ...body.answer,
    },
    write: {
      element: '*',
      component: '>',
      repetition: '^',
      segment: '~',
      newline: true,
      version: '004010',
      braType: '2',
      ...body.write,
    },
    items: body.items ?? [
      ...['SK', 'IN'].map((qualifier) => ({ qualifier, is: 'CLIENT_ITEM_ID' as const })),
      ...['UP', 'EN', 'UK'].map((qualifier) => ({ qualifier, is: 'BAR_CODE' as const })),
    ],
    locations: body.locations ?? [],
    number: body.number ?? ('BSN02' as const),
    noPack: body.noPack ?? ('ONE_CARTON' as const),
    cartonQualifiers: body.cartonQualifiers ?? ['GM', 'AA', 'CP'],
    units: body.units ?? {},
    dates: body.dates ?? ['017', '067', '371'],
    days: body.days ?? 3,
    defaults: body.defaults ?? {},
    strict: { ...STRICT, ...body.strict },
  };
}

/** Returns an id for GS02, which has at least two characters. */
function groupOf(id: string): string {
  return id.padEnd(2, '0');
}
