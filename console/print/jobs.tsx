/** The print jobs. They load at the first print, because the encoder of codes is large. */
import { PrintedDocument } from './document.tsx';
import type { Branding, PrintDocument } from './documents.ts';
import { PrintedLabel } from './label.tsx';
import type { Label } from './labels.ts';
import type { Paper } from './paper.ts';
import { printPaper } from './print.ts';

/** Opens the print dialog with documents. Each begins on a new page. */
export function printDocuments(contents: readonly PrintDocument[], paper: Paper, branding: Branding): Promise<void> {
  const pages = contents.map((content) => <PrintedDocument content={content} paper={paper} branding={branding} />);
  return printPaper(pages, paper);
}

/** Opens the print dialog with labels of one size, one per page. */
export function printLabelPages(labels: readonly Label[]): Promise<void> {
  return printPaper(
    labels.map((label) => <PrintedLabel label={label} />),
    labels[0]!,
  );
}
