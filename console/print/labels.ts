/** Labels: one model, drawn as HTML by `label.tsx` and for label printers by `zpl.ts`. */
import type { CodeText } from './symbols.ts';

/** A label in mm. Its lines are above the code, the note below. */
export interface Label {
  widthMm: number;
  heightMm: number;
  lines: readonly LabelLine[];
  code: CodeText;
  note?: string;
}

export interface LabelLine {
  text: string;
  /** Height of the letters in mm. */
  mm: number;
  isBold?: boolean;
}

/** Small labels: places, items, totes. */
const SMALL = { widthMm: 100, heightMm: 50 };
const CARTON = { widthMm: 100, heightMm: 150 };
const CARD = { widthMm: 86, heightMm: 54 };

/** The label of a tote: the letter of its order, or the tote's own name. */
export function toteLabel({ tote, code, order }: { tote: string; code: string; order?: string }): Label {
  return {
    ...SMALL,
    lines: [{ text: tote, mm: 14, isBold: true }, ...line(order, 4)],
    code: { symbology: 'CODE128', text: code },
  };
}

/** The logistic label of a carton, by its SSCC. */
export function cartonLabel({
  sscc,
  from,
  to,
  lines = [],
}: {
  sscc: string;
  from: readonly string[];
  to: readonly string[];
  lines?: readonly string[];
}): Label {
  return {
    ...CARTON,
    lines: [
      ...from.map((text) => ({ text, mm: 3.5 })),
      ...to.map((text, at) => ({ text, mm: 6, isBold: at === 0 })),
      ...lines.map((text) => ({ text, mm: 4.5 })),
    ],
    code: { symbology: 'SSCC', text: sscc },
  };
}

/** The label of a place where goods lie or are held. */
export function placeLabel({ place, name }: { place: string; name?: string }): Label {
  return {
    ...SMALL,
    lines: [{ text: place, mm: 14, isBold: true }, ...line(name, 4)],
    code: { symbology: 'CODE128', text: place },
  };
}

/** The label of an item, by its GTIN where it has one. */
export function itemLabel({
  description,
  itemId,
  code,
  details = [],
}: {
  description: string;
  itemId: string;
  code: string;
  details?: readonly string[];
}): Label {
  const lines = [
    { text: description, mm: 5, isBold: true },
    { text: itemId, mm: 4 },
    ...details.map((text) => ({ text, mm: 4 })),
  ];
  return { ...SMALL, lines, code: { symbology: 'AUTO', text: code } };
}

/** A badge; its code signs in together with the PIN, so it is not printed in letters. */
export function badgeLabel({ name, badge, store }: { name: string; badge: string; store?: string }): Label {
  return {
    ...CARD,
    lines: [{ text: name, mm: 7, isBold: true }, ...line(store, 4)],
    code: { symbology: 'QR', text: badge, isSecret: true },
  };
}

/** A card with a command: it closes dialogs and undoes without touching the screen. */
export function commandCard({ command, name }: { command: 'OK' | 'SHORT' | 'UNDO'; name: string }): Label {
  return {
    ...CARD,
    lines: [{ text: name, mm: 10, isBold: true }],
    code: { symbology: 'CODE128', text: `BR:${command}` },
  };
}

function line(text: string | undefined, mm: number): LabelLine[] {
  return text === undefined || text === '' ? [] : [{ text, mm }];
}

/** White space at the edges, which label printers do not reach exactly. */
export const MARGIN_MM = 3;
/** Height of the bars of a label. */
export function codeHeightMm({ heightMm }: Label): number {
  return heightMm >= 100 ? 30 : 14;
}
