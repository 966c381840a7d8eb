/** Reads EDI data from the service. */
import type { components } from '../../contract/client.d.ts';
import { api, call, send } from '../api.ts';
import { at } from '../router.ts';
import { ownClient } from '../session.ts';
import { allOf } from '../ui/all-of.ts';
import type { Look } from '../ui/notice.tsx';
import { bytesAsText } from './edi-segments.ts';
import { mustBeReadable } from './must-be-readable.ts';

export type EdiInterchange = components['schemas']['EdiInterchange'];
export type EdiSet = EdiInterchange['sets'][number];
export type EdiFinding = EdiInterchange['findings'][number];
export type EdiSummary = components['schemas']['EdiSummary'];
export type EdiPartner = components['schemas']['EdiPartner'];

/** Returns the path of an EDI resource of the client. */
export function ediPath(...parts: readonly string[]): string {
  return at('operator', 'v1', 'clients', ownClient(), 'edi', ...parts);
}

export const IN_STATES = allOf<Exclude<EdiSummary['status'], (typeof OUT_STATES)[number]>>()([
  'ACCEPTED',
  'PARTLY',
  'REJECTED',
  'QUARANTINED',
  'DUPLICATE',
  'TESTED',
  'TAKING',
]);
export const OUT_STATES = ['WAITING', 'TAKEN', 'ACKNOWLEDGED', 'REFUSED', 'OVERDUE'] as const;

/** The look of each state and outcome: its color and icon. */
export const EDI_LOOKS: Readonly<Record<string, Look>> = {
  ACCEPTED: 'right',
  ACCEPTED_WITH_FINDINGS: 'risk',
  ACKNOWLEDGED: 'right',
  PARTLY: 'risk',
  QUARANTINED: 'risk',
  OVERDUE: 'wrong',
  REJECTED: 'wrong',
  DUPLICATE: 'wrong',
  REFUSED: 'wrong',
  REJECTED_SYNTAX: 'wrong',
  REJECTED_RULES: 'wrong',
  UNKNOWN_SET: 'wrong',
};

/** Sends a file unchanged. A dry run changes nothing. @throws ApiError, Error if the file has changed on the disk */
export async function postFile(file: Blob, isDryRun: boolean): Promise<EdiInterchange[]> {
  await mustBeReadable(file);
  const body = new Blob([file], { type: 'application/edi-x12' });
  const path = `${ediPath('interchanges')}${isDryRun ? '?dryRun=true' : ''}`;
  return (await call<{ interchanges: EdiInterchange[] }>('POST', path, { body })).interchanges;
}

/**
 * Returns an interchange, and its bytes as a text with one character per byte; undefined if the bytes cannot be read.
 * @throws ApiError
 */
export async function readInterchange(id: string, signal: AbortSignal) {
  const path = { clientId: ownClient(), interchangeId: id };
  const content = api.GET('/operator/v1/clients/{clientId}/edi/interchanges/{interchangeId}/content', {
    params: { path },
    parseAs: 'arrayBuffer',
    signal,
  });
  const [interchange, bytes] = await Promise.all([
    call<EdiInterchange>('GET', ediPath('interchanges', id), { signal }),
    send(content).catch(() => undefined),
  ]);
  return { interchange, content: bytes === undefined ? undefined : bytesAsText(bytes) };
}
