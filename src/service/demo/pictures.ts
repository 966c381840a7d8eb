/**
 * Pictures of the town's items for the demo: drawings small enough for a data url, so that no other server is needed.
 */
import type { TownItem } from './items.ts';

const tee = (color: string) => `<path fill='${color}' d='M10 4L2 9l3 6 4-2v15h14V13l4 2 3-6-8-5c-2 4-10 4-12 0z'/>`;

/** Drawings of 32 by 32, by clientItemId. */
const DRAWINGS: Readonly<Record<string, string>> = {
  'TEE-RED-M': tee('#c0392b'),
  'TEE-RED-L': tee('#c0392b'),
  'TEE-BLU-M': tee('#1f4e8c'),
  'MUG-WHT': "<path fill='#eee' stroke='#889' d='M6 8h16v16q0 3-3 3H9q-3 0-3-3zM22 12h3q3 0 3 4t-3 4h-3'/>",
  'LAMP-BRS': "<path fill='#b8860b' d='M12 4h8l5 10H7zM15 14h2v11h5v3H10v-3h5z'/>",
  'UMBR-NAV':
    "<path fill='#1f3a6e' d='M3 17C3 8 9 4 16 4s13 4 13 13z'/><path stroke='#543' fill='none' d='M16 4v22q0 3 3 2'/>",
  'BOOT-BRN-42': "<path fill='#6b4226' d='M9 3h9v13l9 5v5H9z'/><path d='M8 26h20v3H8z'/>",
  'SOAP-LAV': "<rect x='4' y='11' width='24' height='12' rx='5' fill='#b9a3d8'/><path stroke='#fff' d='M10 17h12'/>",
  'MATCH-100': "<path fill='#d94' d='M4 12h24v12H4z'/><path fill='#a32' d='M4 20h24v4H4z'/>",
  'CHART-1871': "<path fill='#e9dcb5' stroke='#864' d='M4 6l8 3 8-3 8 3v18l-8-3-8 3-8-3zM12 9v18M20 6v18'/>",
  'SET-BATH':
    "<path fill='#eee' stroke='#889' d='M4 8h12v14H4z'/><rect x='16' y='18' width='13' height='7' rx='3' fill='#b9a3d8'/>",
  'KAYAK-1': "<path fill='#e2672a' d='M1 16q15-9 30 0-15 9-30 0z'/><path d='M12 15h8v2h-8z'/>",
  'CANDLE-26': "<path fill='#f3e6c4' d='M11 12h10v16H11z'/><path fill='#f5a623' d='M16 3q4 5 0 8-4-3 0-8z'/>",
  'WRAP-STAR': "<path fill='#7a4fb5' d='M4 10h24v18H4z'/><path fill='#f5d76e' d='M14 10h4v18h-4zM4 6h24v4H4z'/>",
  'GC-PLASTIC': "<rect x='3' y='8' width='26' height='17' rx='3' fill='#2a7d6f'/><path fill='#fff' d='M3 13h26v3H3z'/>",
};

/** Returns the item with its drawing as its picture. An item without a drawing is returned unchanged. */
export function withPicture(item: TownItem): TownItem {
  const drawing = DRAWINGS[item.clientItemId];
  if (drawing === undefined) return item;
  const svg = `<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'>${drawing}</svg>`;
  const url = `data:image/svg+xml,${svg.replaceAll('#', '%23')}`;
  return { ...item, images: [{ url, type: 'prod_main', view: 'main', height: 1200, width: 1200 }] };
}
