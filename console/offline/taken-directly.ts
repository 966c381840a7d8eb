/** Confirmations that a user gives once per shipment, kept until the page is closed. */
import { signal } from '@preact/signals';

/** Keys of the shipments whose goods arrived without their ASN, as the user confirmed. */
export const takenDirectly = signal<ReadonlySet<string>>(new Set());
