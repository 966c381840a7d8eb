/** A link to an order. Users whose role does not open orders, such as receiving clerks, see the text only. */
import type { ComponentChildren } from 'preact';
import { at, href } from '../router.ts';
import { may } from '../session.ts';

export function OrderLink({ storeId, id, children }: { storeId: string; id: string; children: ComponentChildren }) {
  return may('fulfillment.read') ? (
    <a href={href(at('office', 'orders', storeId, id))}>{children}</a>
  ) : (
    <span>{children}</span>
  );
}
