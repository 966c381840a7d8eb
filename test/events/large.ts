/** Large events for tests of the bounds of the feed and of webhooks. */
import { randomUUID } from 'node:crypto';
import { stringifyJson } from '../../src/platform/message/json.ts';
import type { Store } from '../../src/platform/storage/db.ts';

export const MIB = 1024 * 1024;

/**
 * Adds an `inbound.voided` event of the town's client for each size. A size is in bytes, a multiple of 64 KiB. The data
 * of the event is slightly smaller.
 */
export async function addLarge(store: Store, sizes: readonly number[]): Promise<void> {
  await store.write(async (tx) => {
    const row = await tx
      .selectFrom('events')
      .selectAll()
      .where('client_id', '=', 'TOWN')
      .limit(1)
      .executeTakeFirstOrThrow();
    for (const [index, size] of sizes.entries()) {
      const parts = Array.from({ length: size / 65_536 }, () => 'x'.repeat(65_000));
      const data = stringifyJson({ sellerId: 'TOWNS', messageId: randomUUID(), message: { parts } }) as never;
      const event = {
        ...row,
        event_id: `ffffffff-0000-7000-8000-${String(index).padStart(12, '0')}`,
        resource_id: 'LARGE',
        type: 'inbound.voided',
        data,
      };
      await tx
        .insertInto('events')
        .values({ ...event, position: null, sequence: null })
        .execute();
    }
  });
}
