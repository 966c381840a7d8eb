/** ASNs for the benches. */
import { itemKey } from './keys.ts';

/** The node that receives the shipments. */
export const DEPOT = 'BENCH-DC001';

export const TRANSMIT = '/poasn-manager-service/sellers/BENCH/poasn/create';

export function asnNumber(n: number): string {
  return `ASN-${String(n).padStart(6, '0')}`;
}

/** Returns the unique id of a carton of an ASN, with 20 digits. */
export function cartonId(asn: number, carton: number): string {
  return `0034012345${String(asn).padStart(6, '0')}${String(carton).padStart(4, '0')}`;
}

/**
 * Returns an ASN with `cartons` cartons of `lines` lines each. In every 200 consecutive lines, each line has a
 * different item.
 */
export function asnMessage(n: number, { cartons, lines }: { cartons: number; lines: number }): object {
  const number = asnNumber(n);
  const detail = Array.from({ length: cartons * lines }, (_, line) => ({
    asnNumber: number,
    cartonId: cartonId(n, Math.floor(line / lines)),
    clientItemId: itemKey((n * 7 + line) % 200).slice(3),
    itemCost: 3.25,
    receivingWarehouseId: 'DC001',
    shippedQuantity: 1 + (line % 24),
    trailerNumber: 'TR-7',
    lineNumber: String(line + 1),
  }));
  const header = {
    asnNumber: number,
    receivingType: 'A',
    receivingWarehouseId: 'DC001',
    shipmentReceiptDate: '2026-03-20',
    shipperName: 'Quayside Vendor',
    storeCode: '1',
  };
  return { asnData: [{ header, details: { detail } }] };
}

/** Returns an ASN with these lines, in the form of the interface. */
export function operatorAsn(
  number: string,
  lines: readonly { cartonId: string; clientItemId: string; units: number }[],
): string {
  const detail = lines.map(({ cartonId, clientItemId, units }, line) => ({
    ASNNumber: number,
    CartonId: cartonId,
    ClientItemId: clientItemId,
    ItemCost: 3.25,
    ReceivingWarehouseId: 'DC001',
    ShippedQuantity: units,
    TrailerNumber: 'TR-7',
    LineNumber: String(line + 1),
  }));
  const header = {
    ASNNumber: number,
    ReceivingType: 'A',
    ReceivingWarehouseId: 'DC001',
    ShipmentReceiptDate: '2026-03-20',
    ShipperName: 'Quayside Vendor',
    StoreCode: '1',
  };
  return JSON.stringify({ ReceivingDetail: { ASNData: [{ Header: header, Details: { Detail: detail } }] } });
}
