/** The type of a shipment as it stands in a path. */
import { badValue } from '../http/errors.ts';
import { didYouMean } from '../http/nearest.ts';
import { SHIPMENT_TYPES, type ShipmentType } from './schema.ts';

/** @throws Refusal 400 for anything but `ASN` and `PO`. */
export function shipmentType(text: string): ShipmentType {
  const type = SHIPMENT_TYPES.find((one) => one === text);
  if (type === undefined)
    throw badValue('path:type', 'enum', `type in the path must be ASN or PO${didYouMean(text, SHIPMENT_TYPES)}`);
  return type;
}
