/** Formats addresses for users. */
import { cityLine } from '../city-line.ts';

/** The destination of an order's goods. */
interface Destination {
  destinationId: string;
  personName?: { firstName?: string; middleName?: string; lastName?: string };
  address?: {
    line1?: string;
    line2?: string;
    line3?: string;
    line4?: string;
    city?: string;
    mainDivisionCode?: string;
    postalCode?: string;
    countryCode?: string;
  };
  phone?: string;
}

/** Returns name, lines and phone of the shipping address; undefined if the order has none. */
export function addressOf(order: {
  shippingAddress?: { destinationId: string };
  destinations?: readonly Destination[];
}): { name: string; lines: string[]; short: string; phone: string } | undefined {
  const one = order.destinations?.find(({ destinationId }) => destinationId === order.shippingAddress?.destinationId);
  if (one?.address === undefined) return undefined;
  const { personName = {}, address, phone = '' } = one;
  return {
    name: linesOf({ personName }).join(''),
    lines: linesOf({ address }),
    short: [address.line1, address.city].filter((part) => (part ?? '') !== '').join(', '),
    phone,
  };
}

/** Returns the name and the lines of an address, without empty lines. */
export function linesOf({ personName = {}, address = {} }: Pick<Destination, 'personName' | 'address'>): string[] {
  const { firstName, middleName, lastName } = personName;
  const { line1, line2, line3, line4, countryCode } = address;
  return [[firstName, middleName, lastName], [line1], [line2], [line3], [line4], [cityLine(address)], [countryCode]]
    .map((parts) => parts.filter((part) => (part ?? '') !== '').join(' '))
    .filter((line) => line !== '');
}
