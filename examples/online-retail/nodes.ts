/** Makes a node of each store of the open data set. */
import type { Mapping } from 'backroom-fulfillment/mapping';
import { hash } from './goods.ts';

interface OpenStore {
  id: number;
  type: string;
  name: string;
  address: string;
  address2: string | null;
  city: string;
  state: string;
  zip: string;
  location: { lat: number; lon: number };
  /** `Mon: 10-9:30; Tue: ...`: the opening time, usually in the morning, and the closing time after noon. */
  hours: string;
}

export const mapping: Mapping<OpenStore> = {
  kind: 'nodes',
  build: ([store]) => {
    const { id, type, name, address, address2, city, state, zip, location, hours } = store!;
    return {
      nodeId: String(id),
      name: name.trim(),
      nodeType: 'STORE',
      timeZone: timeZoneOf(state, location),
      address: {
        line1: address.trim(),
        ...(address2?.trim() && { line2: address2.trim() }),
        city,
        mainDivisionCode: state,
        postalCode: postalCode(zip),
        countryCode: 'US',
      },
      phone: `+1 555 01${String(hash(`phone ${id}`) % 100).padStart(2, '0')}`,
      openingHours: openingHours(hours),
      holdLocations: HOLD_LOCATIONS[type] ?? ['STAGING'],
      fulfillmentTypes: ['STORE_PICK_UP', 'SHIP_TO_HOME', 'SHIP_TO_STORE', 'ASSOCIATE_DELIVERY'],
    };
  },
};

/** Hold locations by the type of the store. Larger stores have more. */
const HOLD_LOCATIONS: Record<string, string[]> = {
  BigBox: ['STAGING', 'BIN-A', 'BIN-B', 'BIN-C'],
  Mobile: ['STAGING', 'BIN-A'],
  Express: ['STAGING'],
};

/** Adds the leading zeros of postal codes, for example in New England. The data has lost them. */
function postalCode(zip: string): string {
  return /^\d{3,4}$/.test(zip) ? zip.padStart(5, '0') : zip;
}

const DAYS: Record<string, string> = {
  Mon: 'MONDAY',
  Tue: 'TUESDAY',
  Wed: 'WEDNESDAY',
  Thurs: 'THURSDAY',
  Fri: 'FRIDAY',
  Sat: 'SATURDAY',
  Sun: 'SUNDAY',
};

function openingHours(text: string) {
  return text.split(';').map((part) => {
    const [, day = '', opens = '', closes = ''] = /^\s*(\w+): ([\d:]+)-([\d:]+)\s*$/.exec(part) ?? [];
    const dayOfWeek = DAYS[day];
    if (dayOfWeek === undefined) throw new Error(`the hours ${JSON.stringify(part.trim())} cannot be read`);
    return { dayOfWeek, opens: clock(opens, opensAt), closes: clock(closes, (hour) => (hour % 12) + 12) };
  });
}

/**
 * Returns the opening hour of a 24-hour clock. No store opens from 1 to 5 in the morning, so these hours are in the
 * afternoon.
 */
function opensAt(hour: number): number {
  return hour >= 1 && hour <= 5 ? hour + 12 : hour;
}

function clock(text: string, toDay: (hour: number) => number): string {
  const [hour = '', minute = '00'] = text.split(':');
  return `${String(toDay(Number(hour))).padStart(2, '0')}:${minute}`;
}

const EAST = 'America/New_York';
const CENTRAL = 'America/Chicago';
const MOUNTAIN = 'America/Denver';
const PACIFIC = 'America/Los_Angeles';

const ZONES: Record<string, string> = {
  AK: 'America/Anchorage',
  AZ: 'America/Phoenix',
  HI: 'Pacific/Honolulu',
  MI: 'America/Detroit',
  PR: 'America/Puerto_Rico',
  ...zoned(EAST, 'CT DC DE FL GA IN KY MA MD ME NC NH NJ NY OH PA RI SC VA VT WV'),
  ...zoned(CENTRAL, 'AL AR IA IL KS LA MN MO MS ND NE OK SD TN TX WI'),
  ...zoned(MOUNTAIN, 'CO ID MT NM UT WY'),
  ...zoned(PACIFIC, 'CA NV OR WA'),
};

function zoned(zone: string, states: string): Record<string, string> {
  return Object.fromEntries(states.split(' ').map((state) => [state, zone]));
}

/** Returns the time zone of a store. In a state with two zones, the location of the store decides. */
function timeZoneOf(state: string, { lat, lon }: OpenStore['location']): string {
  if (state === 'FL' && lon < -85.1) return CENTRAL;
  if (state === 'KY' && lon < -86) return CENTRAL;
  if (state === 'IN' && ((lat > 41 && lon < -86.8) || (lat < 38.5 && lon < -87))) return CENTRAL;
  if (state === 'MI' && lon < -87.8 && lat < 46.2) return CENTRAL;
  if (state === 'TN' && lon > -85.5) return EAST;
  if (state === 'TX' && lon < -104.9) return MOUNTAIN;
  if (state === 'ND' && lon < -101.5) return MOUNTAIN;
  if ((state === 'SD' || state === 'NE') && lon < -100.8) return MOUNTAIN;
  if (state === 'ID' && lat > 45.5) return PACIFIC;
  const zone = ZONES[state];
  if (zone === undefined) throw new Error(`the time zone of the state ${state} is not known`);
  return zone;
}
