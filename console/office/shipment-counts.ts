/** The units of a shipment or carton that the tables show, in the order of their columns. */
export const COUNTS = ['announced', 'good', 'damaged', 'refused', 'held', 'short', 'over', 'open'] as const;
