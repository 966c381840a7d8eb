/** Printing for screens. `documents.ts` and `labels.ts` build the content. */
import { signal } from '@preact/signals';
import { api, newId, send } from '../api.ts';
import { place, session } from '../session.ts';
import { isFileError } from '../ui/notice.tsx';
import type { Branding, PrintDocument } from './documents.ts';
import type { Label } from './labels.ts';
import { PAPERS, type Paper } from './paper.ts';
import type { Dpi } from './zpl.ts';

const KEY = 'backroom.paper';

/** The paper of this device's printer. */
export const paper = signal(stored());

/** Sets the paper of this device permanently. */
export function setPaper(one: Paper): void {
  paper.value = one;
  localStorage.setItem(KEY, one);
}

/**
 * Returns whether a print dialog opened: false if this device cannot print.
 * @throws the error of an import, because the device may print when the network is back
 */
export async function isPrinted(print: () => Promise<void>): Promise<boolean> {
  try {
    await print();
    return true;
  } catch (error) {
    if (isFileError(error)) throw error;
    return false;
  }
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

/** Saves labels as one ZPL file, which a label printer accepts unchanged. */
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

const PRINTER = 'backroom.printer';
/** Maximum number of characters per job, except for a single longer label. */
const JOB_MAX = 90_000;
const NODE = '/operator/v1/clients/{clientId}/nodes/{nodeId}';

/** A label printer of the node. */
export interface LabelPrinter {
  printerId: string;
  name: string;
  dpi: Dpi;
}

/** Reads the label printers of the user's node. @throws ApiError */
export async function loadPrinters(signal?: AbortSignal): Promise<readonly LabelPrinter[]> {
  const path = place.peek();
  if (path === undefined) return [];
  const { printers } = await send(api.GET(`${NODE}/printers`, { params: { path }, ...(signal && { signal }) }));
  return printers;
}

/** Returns the label printer that this device used last. */
export function lastPrinter(): string | null {
  return localStorage.getItem(PRINTER);
}

/**
 * Sends labels to a label printer of the node.
 * @param printIds ids of the jobs that were sent, by content. They remain until all jobs are sent, so that a retry
 * sends the same ids. The service then does not print a job again whose response was lost.
 * @throws ApiError if the service rejects a job
 */
export async function sendLabels(
  labels: readonly Label[],
  { printerId, dpi }: LabelPrinter,
  printIds: Map<string, string>,
): Promise<void> {
  const path = place.peek();
  const userId = session.peek()?.user.userId;
  if (path === undefined || userId === undefined) return;
  const { zplOf } = await import('./zpl.ts');
  const jobs: string[] = [];
  for (const label of labels) {
    const zpl = zplOf(label, dpi);
    const before = jobs.at(-1);
    if (before === undefined || before.length + zpl.length > JOB_MAX) jobs.push(zpl);
    else jobs[jobs.length - 1] = before + zpl;
  }
  for (const [index, zpl] of jobs.entries()) {
    const job = JSON.stringify([path, printerId, index, zpl]);
    const printId = printIds.get(job) ?? newId();
    printIds.set(job, printId);
    await send(api.POST(`${NODE}/print`, { params: { path }, body: { printId, userId, printerId, zpl } }));
  }
  printIds.clear();
  localStorage.setItem(PRINTER, printerId);
}

function stored(): Paper {
  const one = localStorage.getItem(KEY);
  return one !== null && one in PAPERS ? (one as Paper) : 'A4';
}
