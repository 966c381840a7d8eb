/** An order's status in responses, events and messages: the code and the client's name of it. */
import { text } from '../platform/schema.ts';
import type { Settings } from './client-settings.ts';

/** The fields as schemas. */
export const statusFields = {
  status: text(4, 4, { description: 'Status code of the order' }),
  statusName: text(1, 60, { description: 'Name of the status, by the client’s setting statusDescriptions' }),
};
export interface StatusFields {
  status: string;
  statusName: string;
}

type Names = Pick<Settings, 'statusDescriptions'>;

/** The client's name of a status. */
export function statusName({ statusDescriptions }: Names, status: number): string {
  return statusDescriptions[status] ?? String(status);
}

/** The fields of an order in this status. */
export function statusOf(settings: Names, status: number): StatusFields {
  return { status: String(status), statusName: statusName(settings, status) };
}

/** The status in a sentence. */
export function statusInWords(settings: Names, status: number): string {
  return `${status} ${statusName(settings, status)}`;
}
