/** Printing for screens: what to print comes from `documents.ts` and `labels.ts`. */
import { signal } from '@preact/signals';
import type { Branding, PrintDocument } from './documents.ts';
import type { Label } from './labels.ts';
import { PAPERS, type Paper } from './paper.ts';
import type { Dpi } from './zpl.ts';

const KEY = 'backroom.paper';

/** The paper of this device's printer. */
export const paper = signal(stored());

/** Chooses the paper of this device, for good. */
export function setPaper(one: Paper): void {
  paper.value = one;
  localStorage.setItem(KEY, one);
}

/** Opens the print dialog with documents on this device's paper, with the client's logo and texts. */
export async function printDocument(contents: readonly PrintDocument[], branding: Branding = {}): Promise<void> {
  const { printDocuments } = await import('./jobs.tsx');
  await printDocuments(contents, paper.peek(), branding);
}

/** Opens the print dialog with labels of one size. */
export async function printLabels(labels: readonly Label[]): Promise<void> {
  if (labels.length === 0) return;
  const { printLabelPages } = await import('./jobs.tsx');
  await printLabelPages(labels);
}

/** Saves labels as one ZPL file, to be sent to a label printer as it is. */
export async function downloadZpl(labels: readonly Label[], dpi: Dpi): Promise<void> {
  const { zplOf } = await import('./zpl.ts');
  const url = URL.createObjectURL(
    new Blob(
      labels.map((label) => zplOf(label, dpi)),
      { type: 'application/octet-stream' },
    ),
  );
  const link = document.createElement('a');
  link.href = url;
  link.download = 'labels.zpl';
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

function stored(): Paper {
  const one = localStorage.getItem(KEY);
  return one !== null && one in PAPERS ? (one as Paper) : 'A4';
}
