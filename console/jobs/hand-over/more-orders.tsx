/**
 * Other orders that wait here for the person who collects: the person's own orders, and orders that name this person as
 * proxy.
 */
import type { components } from '../../../contract/client.d.ts';
import { t } from '../../texts/index.ts';
import { useLoad } from '../../ui/load.tsx';
import { Notice } from '../../ui/notice.tsx';
import { type Filter, findBy, keyOf, type QueuedOrder } from '../../work/counter.ts';
import type { Order } from './hand-over-job.ts';

type Contact = components['schemas']['Contact'];

/** Interval for reading the orders again. Another order can become ready while the customer waits. */
const EVERY_MS = 30_000;

/** Loads the other orders that wait here for the same person. Without the network there are none. */
export function useMoreOrders(person: Contact | undefined, order: Order): readonly QueuedOrder[] {
  const own = keyOf(order);
  const loaded = useLoad(
    JSON.stringify(['more orders', own, person]),
    async (signal) => {
      if (person === undefined || plain(person.name) === '') return [];
      const { orders } = await findBy('HAND_OVER', filtersOf(person), signal);
      // The search also finds longer names, so the whole name is compared.
      const isNamed = (other: Contact | undefined) => other !== undefined && plain(other.name) === plain(person.name);
      return orders.filter((one) => keyOf(one) !== own && (isNamed(one.customer) || isNamed(one.proxyDetails)));
    },
    EVERY_MS,
  );
  return loaded.data.value ?? [];
}

/**
 * Returns the searches for a person. Customers of the same name can be different persons, so a known e-mail or phone
 * must match, too. For a proxy, the name is enough, because a customer often gives only the name of the proxy.
 */
function filtersOf({ name, email, phone }: Contact): Filter[] {
  const contacts = [
    ...(email === '' ? [] : [{ name, email, phone: '' }]),
    ...(phone === '' ? [] : [{ name, email: '', phone }]),
  ];
  const byName = { name, email: '', phone: '' };
  const own = contacts.length > 0 ? contacts : [byName];
  return [...own.map((customer) => ({ customer })), { proxyDetails: byName }];
}

const plain = (text: string) => text.trim().replace(/\s+/g, ' ').toLowerCase();

/** Says before the hand-over where the other orders wait, so that one walk brings all goods. */
export function MoreOrders({ of, who }: { of: readonly QueuedOrder[]; who: string }) {
  if (of.length === 0) return null;
  const { handOver, counter } = t();
  const places = of.map(({ holdLocation }) => holdLocation ?? counter.noPlace);
  return <Notice look="info" title={`${handOver.moreOrders(of.length, who)}: ${places.join(', ')}`} />;
}
