/** Errors of client settings, each at its field (docs/api.md#set-up-of-clients-stores-and-nodes). */
import { stepsOf } from '../kernel/states.ts';
import { decimalText } from '../platform/decimal.ts';
import { repeatErrors } from '../platform/http/put.ts';
import { findUnit, type UnitKind, unitError } from '../platform/measures.ts';
import { fieldError } from '../platform/message/field-errors.ts';
import type { ValidPart } from '../platform/message/valid-part.ts';
import type { FieldError } from '../platform/message/validate.ts';
import { quote } from '../platform/message/words.ts';
import { DEFAULT_SETTINGS, FULFILLMENT_TYPES, plainName } from '../shared/client-settings.ts';
import { definitionOf } from '../sla/engine.ts';
import type { ClientPut } from './client.ts';
import { returnsErrors } from './returns-settings.ts';
import { say } from './sentences.ts';

/** The valid part of the settings in a request. */
export type Settings = ValidPart<NonNullable<ClientPut['settings']>>;

/** All errors of the settings in one list. */
export function settingsErrors(settings: Settings): FieldError[] {
  const plain = (words?: readonly (string | undefined)[]) => words?.map((word) => word && plainName(word));
  const { itemTypes, upcTypes, operationTypes } = settings;
  const typeNames = itemTypes?.map((type) => type?.name);
  return [
    ...repeatErrors('/settings/itemTypes', plain(typeNames), typeNames),
    ...repeatErrors('/settings/salesClasses', settings.salesClasses),
    ...repeatErrors('/settings/itemStatuses', settings.itemStatuses),
    ...repeatErrors('/settings/giftCardTenderCodes', settings.giftCardTenderCodes),
    ...repeatErrors('/settings/upcTypes', plain(upcTypes), upcTypes),
    ...repeatErrors('/settings/operationTypes/add', plain(operationTypes?.add), operationTypes?.add),
    ...repeatErrors('/settings/operationTypes/delete', plain(operationTypes?.delete), operationTypes?.delete),
    ...operationErrors(operationTypes),
    ...subsetErrors('refusedItemStatuses', 'itemStatuses', settings),
    ...subsetErrors('salesClassesBeforeStreetDate', 'salesClasses', settings),
    ...repeatErrors(
      '/settings/cancelReasons',
      settings.cancelReasons?.map((reason) => reason?.code),
    ),
    ...unitErrors('weightUnits', 'weight', settings),
    ...unitErrors('sizeUnits', 'length', settings),
    ...boxErrors(settings),
    ...repeatErrors('/settings/verificationMethods', settings.verificationMethods),
    ...repeatErrors('/settings/imageOrigins', settings.imageOrigins),
    ...logoErrors(settings),
    ...slaErrors(settings),
    ...returnsErrors('/settings/returns', settings.returns ?? {}),
  ];
}

/** Errors of words that are both in `add` and in `delete`. A list that the request leaves out has its default words. */
function operationErrors(own: Settings['operationTypes'] = {}): FieldError[] {
  const defaults = DEFAULT_SETTINGS.operationTypes;
  const name = own.delete === undefined ? 'add' : 'delete';
  const words = own[name] ?? [];
  const others = name === 'add' ? defaults.delete : (own.add ?? defaults.add);
  const taken = new Set(others.map((word) => word && plainName(word)));
  return words.flatMap((word, index) => {
    if (word === undefined || !taken.has(plainName(word))) return [];
    const message = say('{word} is in both lists, add and delete; keep it in one of them', {
      word: JSON.stringify(word),
    });
    return [fieldError(`/settings/operationTypes/${name}/${index}`, 'contradiction', message)];
  });
}

/** Errors of the weight or size units of packages: repeated units and unknown units. */
function unitErrors(name: 'weightUnits' | 'sizeUnits', kind: UnitKind, settings: Settings): FieldError[] {
  const units = settings[name];
  const repeats = repeatErrors(
    `/settings/${name}`,
    units?.map((unit) => unit?.toLowerCase()),
    units,
  );
  const unknown = units?.flatMap((unit, index) => unitError(`/settings/${name}/${index}`, kind, unit) ?? []);
  return [...repeats, ...(unknown ?? [])];
}

/**
 * Errors of boxes: repeated names, a weight without its unit, and units and decimals that packages cannot have. The
 * console copies the values of a box to the package.
 */
function boxErrors({ boxes = [], sizeUnits, weightUnits }: Settings): FieldError[] {
  const names = boxes.map((box) => box?.name);
  const compared = names.map((name) => name?.toLowerCase());
  const repeats = repeatErrors('/settings/boxes', compared, names).map((error) => ({
    ...error,
    pointer: `${error.pointer}/name`,
  }));
  const units = boxes.flatMap((box, index) => {
    const at = `/settings/boxes/${index}`;
    const hasWeight = box?.weight !== undefined;
    return [
      boxUnitErrors(`${at}/sizeUnit`, 'length', box?.sizeUnit, sizeUnits ?? DEFAULT_SETTINGS.sizeUnits),
      boxUnitErrors(`${at}/weightUnit`, 'weight', box?.weightUnit, weightUnits ?? DEFAULT_SETTINGS.weightUnits),
      BOX_NUMBERS.flatMap((name) => decimalErrors(at, name, box?.[name])),
      hasWeight && box.weightUnit === undefined
        ? fieldError(`${at}/weightUnit`, 'required', say('weightUnit is missing; a weight needs a unit, such as kg'))
        : [],
    ].flat();
  });
  return [...repeats, ...units];
}

const BOX_NUMBERS = ['length', 'width', 'height', 'weight'] as const;
/** Digits after the point that a measure of a package can have. */
const FRACTION_MAX = 4;

/** The error of a unit that is unknown, or that packages of the client cannot have. */
function boxUnitErrors(
  pointer: string,
  kind: UnitKind,
  unit: string | undefined,
  allowed: readonly (string | undefined)[],
): FieldError[] {
  if (unit === undefined) return [];
  const unknown = unitError(pointer, kind, unit);
  if (unknown !== undefined) return [unknown];
  const { symbol } = findUnit(kind, unit)!;
  // If the list has an unreadable element, that element may be this unit. The unit then gets no error.
  if (allowed.some((one) => one === undefined || findUnit(kind, one)?.symbol === symbol)) return [];
  const message = say('{value} is not in settings.{of} ({known}); send one of these', {
    value: quote(unit),
    of: kind === 'length' ? 'sizeUnits' : 'weightUnits',
    known: allowed.join(', '),
  });
  return [fieldError(pointer, 'enum', message, allowed)];
}

function decimalErrors(at: string, name: string, value: number | undefined): FieldError[] {
  const digits = value === undefined ? 0 : (decimalText(value).split('.')[1]?.length ?? 0);
  if (digits <= FRACTION_MAX) return [];
  const message = say("'{name}' has {digits} digits after the point; round it to at most {max}", {
    name,
    digits,
    max: FRACTION_MAX,
  });
  return [fieldError(`${at}/${name}`, 'fractionDigits', message, FRACTION_MAX)];
}

/** Returns the error of a logo whose origin is not in `imageOrigins`: the console would print without the logo. */
function logoErrors({ printing, imageOrigins = [] }: Settings): FieldError[] {
  const logoUrl = printing?.logoUrl;
  if (logoUrl === undefined || !URL.canParse(logoUrl)) return [];
  const { origin } = new URL(logoUrl);
  // If an origin in the list is unreadable, it may be the origin of the logo. The logo then gets no error.
  if (imageOrigins.includes(origin) || imageOrigins.includes(undefined)) return [];
  const message = say('the origin of logoUrl, {origin}, is not in settings.imageOrigins; add it there', { origin });
  return [fieldError('/settings/printing/logoUrl', 'origin', message, imageOrigins)];
}

/** Errors of a list whose values come from another list: repeated values, and values that the other list lacks. */
function subsetErrors(
  name: 'refusedItemStatuses' | 'salesClassesBeforeStreetDate',
  of: 'itemStatuses' | 'salesClasses',
  settings: Settings,
): FieldError[] {
  const known: readonly (string | undefined)[] = settings[of] ?? DEFAULT_SETTINGS[of];
  // The values of items are also compared without regard to case, spaces, hyphens and underscores.
  const names = new Set(known.map((word) => word && plainName(word)));
  const unknown = (settings[name] ?? []).flatMap((value, index) => {
    // If the other list has an unreadable element, that element may be this value. The value then gets no error.
    if (value === undefined || names.has(plainName(value)) || names.has(undefined)) return [];
    const message = say('{value} is not in settings.{of} ({known}); send one of these', {
      value: quote(value),
      of,
      known: known.join(', '),
    });
    return [fieldError(`/settings/${name}/${index}`, 'enum', message, known)];
  });
  return [...repeatErrors(`/settings/${name}`, settings[name]), ...unknown];
}

/**
 * Errors of SLA steps whose `approachingMinutes` is not less than `expiredMinutes`. A missing value has its default.
 */
function slaErrors(settings: Settings): FieldError[] {
  const slaMinutes = { ...DEFAULT_SETTINGS.slaMinutes, ...settings.slaMinutes } as typeof DEFAULT_SETTINGS.slaMinutes;
  const slaDefinitions = (settings.slaDefinitions ?? {}) as typeof DEFAULT_SETTINGS.slaDefinitions;
  return FULFILLMENT_TYPES.flatMap((type) =>
    stepsOf(type).flatMap((step) => {
      const { approachingMinutes, expiredMinutes } = definitionOf({ slaMinutes, slaDefinitions }, type, step);
      if (approachingMinutes < expiredMinutes) return [];
      const message = say(
        'approachingMinutes ({approachingMinutes}) must be less than expiredMinutes ({expiredMinutes})',
        { approachingMinutes, expiredMinutes },
      );
      return [
        fieldError(`/settings/slaDefinitions/${type}/${step}/approachingMinutes`, 'range', message, expiredMinutes),
      ];
    }),
  );
}
