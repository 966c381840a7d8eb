/** Scheduled work of EDI: interrupted interchanges, and overdue acknowledgments. */
import { sql } from 'kysely';
import { record } from '../../events/record.ts';
import { byTime } from '../../platform/by-time.ts';
import type { Ctx } from '../../platform/ctx.ts';
import type { Due } from '../../platform/due.ts';
import type { DueKind, Parts } from '../../platform/due-kind.ts';
import { formatDateTime } from '../../platform/time.ts';
import { runningIn } from './desk.ts';
import { findInterchange } from './interchange-store.ts';
import { aboutOut } from './outbound.ts';
import { type Desk, goOn } from './take.ts';

/** Continues interchanges that no process is working on, and marks interchanges whose acknowledgment is overdue. */
export const ediInterchanges: DueKind = {
  name: 'edi',
  ...byTime(
    'edi_interchanges',
    { at: 'due_at', id: 'interchange_id' },
    // The condition of the index `edi_interchanges_due`.
    sql`status in ('TAKING', 'TAKEN')`,
  ),
  async run(parts, due) {
    const row = await parts.store.read((db) => findInterchange(db, due.clientId, due.id));
    if (row?.due_at !== due.at) return false;
    if (row.status !== 'TAKING') return await parts.write((ctx) => setOverdue(ctx, due));
    const desk = deskOfScheduler(parts);
    const key = `${row.client_id} ${row.content_hash}`;
    if (desk.running.has(key)) return false;
    desk.running.add(key);
    try {
      await goOn(desk, row);
    } finally {
      desk.running.delete(key);
    }
    return true;
  },
};

function deskOfScheduler({ store, ports, write }: Parts): Desk {
  return {
    dialect: store.dialect,
    read: (work) => store.read(work),
    write,
    running: runningIn(store),
    present: ports.now,
  };
}

/** The conditions of the update ensure that only one process records the event. */
async function setOverdue(ctx: Ctx, due: Due): Promise<boolean> {
  const row = await ctx.db
    .updateTable('edi_interchanges')
    .set({ status: 'OVERDUE' })
    .where('client_id', '=', due.clientId)
    .where('interchange_id', '=', due.id)
    .where('status', '=', 'TAKEN')
    .where('due_at', '=', due.at)
    .returningAll()
    .executeTakeFirst();
  if (row === undefined) return false;
  await record(ctx, {
    clientId: row.client_id,
    type: 'edi.overdue',
    resource: 'ediInterchange',
    resourceId: row.interchange_id,
    data: { ...aboutOut(row), dueAt: formatDateTime(due.at) },
  });
  return true;
}
