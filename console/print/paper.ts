/** Papers and their sizes in mm. */
export type Paper = 'A4' | 'LETTER' | 'LABEL' | 'RECEIPT';

/** The length of a receipt depends on its content, so it has no height. */
export const PAPERS: Readonly<Record<Paper, { widthMm: number; heightMm?: number; marginMm: number }>> = {
  A4: { widthMm: 210, heightMm: 297, marginMm: 12 },
  LETTER: { widthMm: 215.9, heightMm: 279.4, marginMm: 12 },
  LABEL: { widthMm: 100, heightMm: 150, marginMm: 4 },
  RECEIPT: { widthMm: 80, marginMm: 4 },
};
