/** Announced returns on this device: the counterpart of `outbox.snapshot` for the screens of returns. */
import { call } from '../api.ts';
import { at } from '../router.ts';
import type { ReturnCommand, ReturnSubject } from './commands.ts';
import { outbox } from './index.ts';
import './return-kind.ts';
import { type ReturnView, returnView } from './return-view.ts';
import type { Returned } from './returned.ts';

/** Returns the announced return with all waiting commands applied; undefined if it is not on this device. */
export function viewOfReturn(subject: ReturnSubject): ReturnView | undefined {
  const parts = outbox.snapshot.returned(subject);
  return parts === undefined ? undefined : returnView(parts);
}

/** Stores a receipt of a return; returns its id. After the promise is fulfilled, the receipt survives a power loss. */
export function addReceipt(command: ReturnCommand): Promise<string> {
  return outbox.add(command);
}

/** Sends the waiting receipts of a return and reads it from the service. @throws ApiError if it cannot be read now */
export function keepReturn(subject: ReturnSubject): Promise<void> {
  const path = at('operator', 'v1', 'stores', subject.storeId, 'returns', subject.id);
  return outbox.snapshot.refreshReturn(subject, (signal) => call<Returned>('GET', path, { signal }));
}
