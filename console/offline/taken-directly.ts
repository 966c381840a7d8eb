/** What the person has said once about a shipment. */
import { signal } from '@preact/signals';

/** Shipments of which the person has said that their goods come without their ASN, by their keys. */
export const takenDirectly = signal<ReadonlySet<string>>(new Set());
