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
  const { line1, line2, line3, line4, city, countryCode } = one.address;
  const { firstName, middleName, lastName } = one.personName ?? {};
  const text = (...parts: (string | undefined)[]) => parts.filter((part) => (part ?? '') !== '').join(' ');
  const lines = [line1, line2, line3, line4, cityLine(one.address), countryCode];
  return {
    name: text(firstName, middleName, lastName),
    lines: lines.filter((line): line is string => (line ?? '') !== ''),
    short: [line1, city].filter((part) => (part ?? '') !== '').join(', '),
    phone: one.phone ?? '',
  };
}
