/** Labels: one model, drawn as HTML by `label.tsx` and for label printers by `zpl.ts`. */
import { hasCheckDigit } from '../../src/shared/gs1.ts';
import type { CodeText } from './symbols.ts';

/** A label in mm. Its lines are above the code, its note below. */
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

/** Returns the label of a tote. `tote` is the letter of an order, or the name of the tote. */
export function toteLabel({ tote, code, order }: { tote: string; code: string; order?: string }): Label {
  return {
    ...SMALL,
    lines: [{ text: tote, mm: 14, isBold: true }, ...line(order, 4)],
    code: { symbology: 'CODE128', text: code },
  };
}

/** Returns the logistic label of a carton, by its SSCC. */
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

/**
 * Returns the label of a carton by its id: the logistic label if the id is an SSCC, otherwise the id as Code 128. Both
 * labels have the same size, because all labels of a print job must have one size.
 */
export function cartonIdLabel({ cartonId, to, of }: { cartonId: string; to?: string; of: string }): Label {
  const sscc = cartonId.slice(-18);
  return /^(00)?\d{18}$/.test(cartonId) && hasCheckDigit(sscc)
    ? cartonLabel({ sscc, from: [], to: to === undefined ? [] : [to], lines: [of] })
    : { ...placeLabel({ place: cartonId, name: of }), ...CARTON };
}

/** Returns the label of a place where goods are stored or held. */
export function placeLabel({ place, name }: { place: string; name?: string }): Label {
  return {
    ...SMALL,
    lines: [{ text: place, mm: 14, isBold: true }, ...line(name, 4)],
    code: { symbology: 'CODE128', text: place },
  };
}

/** Returns the label of an item, with its GTIN if it has one. */
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

/** Returns a badge. Its code and the PIN are sufficient to sign in, so the code is not printed as text. */
export function badgeLabel({ name, badge, store }: { name: string; badge: string; store?: string }): Label {
  return {
    ...CARD,
    lines: [{ text: name, mm: 7, isBold: true }, ...line(store, 4)],
    code: { symbology: 'QR', text: badge, isSecret: true },
  };
}

/**
 * Returns a card with a command. Scanning the card confirms a dialog, reports missing units or undoes the last action.
 */
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

/** White margin, because label printers do not position the edges exactly. */
export const MARGIN_MM = 3;
