/** The header fields that are read in the same way for ASNs and POs: location, day of arrival, name of the shipper. */
import { DAY_MS } from '../../platform/time.ts';
import type { Segment } from '../../platform/x12/tokens.ts';
import { dateOf } from '../../platform/x12/values.ts';
import { isBefore } from '../../platform/x12/write.ts';
import type { Profile } from './partner-schema.ts';
import { type Meaning, type Place, type Value, valueAt } from './places.ts';

const NAME_MAX = 30;
/** Entity codes of the shipper in N101, the preferred one first. */
const SHIPPERS = ['SF', 'VN', 'SU'];

/** Store, receiving warehouse and seller of a message. */
export interface Location {
  storeCode: string;
  receivingWarehouseId: string;
  sellerId: string;
  place: Place | undefined;
  /** The code of the location in the file; undefined if the file names none. */
  code: string | undefined;
}

/**
 * Returns the location that the N1 segments name, completed by the defaults. If the location is incomplete, adds
 * NO_LOCATION and returns undefined.
 */
export function locationOf(
  meaning: Meaning,
  profile: Profile,
  segments: readonly Segment[],
  otherwise: Place,
): Location | undefined {
  const parties = segments.filter(({ id }) => id === 'N1');
  const fits = (one: Profile['locations'][number]) =>
    parties.find(
      ({ elements }) => elements[1] === one.entity && elements[3] === one.qualifier && elements[4] === one.code,
    );
  const entry = profile.locations.find((one) => fits(one) !== undefined);
  const party = entry === undefined ? undefined : fits(entry);
  const shipTo = parties.find(({ elements }) => elements[1] === 'ST');
  const place =
    party !== undefined ? { segment: party, element: 4 } : (valueAt(shipTo, 4) ?? (shipTo && { segment: shipTo }));
  return completedLocation(meaning, profile, entry, place, otherwise, (party ?? shipTo)?.elements[4] || undefined);
}

/**
 * Returns the location of a store in an SDQ; the entity code of the agreed location does not matter. If the location is
 * not agreed or is incomplete, adds NO_LOCATION and returns undefined.
 */
export function locationOfStore(
  meaning: Meaning,
  profile: Profile,
  qualifier: string,
  code: Value,
): Location | undefined {
  const entry = profile.locations.find((one) => one.qualifier === qualifier && one.code === code.value);
  if (entry === undefined) {
    const { value } = code;
    meaning.add('NO_LOCATION', code, `The store ${qualifier} ${JSON.stringify(value)} is not agreed`);
    return undefined;
  }
  return completedLocation(meaning, profile, entry, code, code, code.value);
}

function completedLocation(
  meaning: Meaning,
  profile: Profile,
  entry: Profile['locations'][number] | undefined,
  place: Place | undefined,
  otherwise: Place,
  code: string | undefined,
): Location | undefined {
  const { defaults } = profile;
  const storeCode = entry?.storeCode ?? defaults.storeCode;
  const receivingWarehouseId = entry?.receivingWarehouseId ?? defaults.receivingWarehouseId;
  const named =
    code === undefined ? 'No N1 names a location' : `The location ${JSON.stringify(code)} of N1 ST is not agreed`;
  if (storeCode === undefined || receivingWarehouseId === undefined) {
    const lacks = [storeCode === undefined && 'store', receivingWarehouseId === undefined && 'warehouse'];
    const words =
      entry === undefined
        ? named
        : `The agreed location has no ${lacks.filter((one) => one !== false).join(' and no ')}`;
    meaning.add('NO_LOCATION', place ?? otherwise, words);
    return undefined;
  }
  if (entry === undefined && place !== undefined)
    meaning.note('NO_LOCATION', place, `${named}; the default location is used`);
  return { storeCode, receivingWarehouseId, sellerId: entry?.sellerId ?? profile.sellerId, place, code };
}

/**
 * Further sources for the day of arrival of an ASN or a PO. They count only if the qualifiers of the profile give no
 * day.
 */
export interface Days {
  /** Qualifiers of DTM segments with the day of arrival. */
  exact?: readonly string[];
  /** Qualifiers of DTM segments with an earlier day, to which the `days` of the profile are added. */
  later: readonly string[];
  /**
   * An element with an earlier day, for sets without a DTM of `later`. The `days` of the profile are added to the day.
   */
  element?: Value | undefined;
}

/** Returns the day of arrival, for example `2026-11-24`. Without a day, adds NO_DATE and returns undefined. */
export function dayOfArrival(
  meaning: Meaning,
  { dates, days }: Profile,
  segments: readonly Segment[],
  { exact = [], later, element }: Days,
  otherwise: Place,
): (Value & { day: string }) | undefined {
  const allowsSix = isBefore(meaning.file.group.version, '004010');
  const found = (qualifiers: readonly string[], more: number) => {
    for (const qualifier of qualifiers) {
      for (const segment of segments) {
        if (segment.id !== 'DTM' || segment.elements[1] !== qualifier) continue;
        const value = valueAt(segment, 2) ?? periodOf(segment, allowsSix ? 6 : 5);
        const day = value && dateOf(value.value, allowsSix);
        if (value !== undefined && day !== undefined) return { ...value, day: plus(day, more) };
      }
    }
    return undefined;
  };
  const own = found([...dates, ...exact], 0) ?? found(later, days);
  if (own !== undefined) return own;
  const day = element && dateOf(element.value, allowsSix);
  if (element !== undefined && day !== undefined) return { ...element, day: plus(day, days) };
  meaning.add('NO_DATE', otherwise, `No DTM has the day of arrival: ${[...dates, ...exact, ...later].join(', ')}`);
  return undefined;
}

/**
 * Returns the day of a DTM that has no DTM02: the day with D8, the end of the period with RD8. `at` is the position of
 * the element with D8 or RD8; the value is in the next element.
 */
function periodOf(segment: Segment, at: number): Value | undefined {
  const value = valueAt(segment, at + 1);
  if (value === undefined) return undefined;
  if (segment.elements[at] === 'D8') return value;
  return segment.elements[at] === 'RD8' ? { ...value, value: value.value.split('-')[1] ?? '' } : undefined;
}

function plus(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);
}

/** Returns the name of the shipper, with at most 30 characters. Adds a NOTE if the name is cut. */
export function shipperName(
  meaning: Meaning,
  { defaults }: Profile,
  segments: readonly Segment[],
  partnerId: string,
): { value: string; place?: Place } {
  for (const entity of SHIPPERS) {
    for (const segment of segments) {
      if (segment.id !== 'N1' || segment.elements[1] !== entity) continue;
      const name = valueAt(segment, 2);
      if (name === undefined) continue;
      const characters = Array.from(name.value);
      if (characters.length <= NAME_MAX) return { value: name.value, place: name };
      const value = characters.slice(0, NAME_MAX).join('').trimEnd();
      meaning.note('TOO_LONG', name, `The name has ${characters.length} characters; only the first 30 are used`);
      return { value, place: name };
    }
  }
  return { value: defaults.shipperName ?? partnerId };
}
