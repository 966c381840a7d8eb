/** The types of receiving: kinds of units, keys, places, and the fields with which commands name a shipment. */

import type { Reasons } from './reasons.ts';

export const KINDS = ['good', 'damaged', 'refused', 'held'] as const;
export type Kind = (typeof KINDS)[number];
export type Units = Record<Kind, number>;

export interface Key extends Units {
  /** '' means no carton. */
  carton: string;
  sku: number;
  announced: number;
  /** Good units on STAGE. */
  staged: number;
  /** Held units that were approved or rejected. */
  decided: number;
  reasons: Reasons;
  /** Users who received units of the key, and users who received held units of it. */
  takers: Set<string>;
  holders: Set<string>;
  /** Users of receipts and matches with good units. A later receipt or match can move these units to HELD. */
  goodTakers: Set<string>;
}

export type Type = 'ASN' | 'PO' | 'BLIND';

/** A place for good units. */
export type Spot = 'SHELF' | 'STAGE';

/**
 * Number of the seller who announced the shipment, and number of the shipment. Only goods without papers can have no
 * seller (null).
 */
export interface Numbered {
  seller: number | null;
  number: string;
}

export const arrived = ({ good, damaged, refused, held }: Units) => good + damaged + refused + held;

/**
 * The fields that name the shipment of a command. The default of `of` is ASN, because older saved sequences do not have
 * the field.
 */
export interface Named {
  of?: Type;
  asn: number;
  /** The seller, if the request names one. */
  seller?: number | null | undefined;
}
