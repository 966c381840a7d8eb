/** Lists, revokes and unlocks devices. */
import { recordAccess } from '../events/record.ts';
import type { Ctx } from '../platform/ctx.ts';
import { allows } from '../platform/http/auth.ts';
import { denied, notFound } from '../platform/http/errors.ts';
import { PageQuery, pageReply, pageSchema } from '../platform/http/list-page.ts';
import { readOperation, reply, writeOperation } from '../platform/http/operation.ts';
import { EMPTY_LIST } from '../platform/json-column.ts';
import { quote } from '../platform/message/words.ts';
import type { DeviceRow } from '../platform/storage/tables.ts';
import { formatDateTime } from '../platform/time.ts';
import { findDevice } from './devices.ts';
import { Device } from './schema.ts';
import { say } from './sentences.ts';

/** Lists the devices of a client. */
export const listDevices = readOperation({
  id: 'listDevices',
  since: '0.3.0',
  method: 'GET',
  path: '/operator/v1/clients/{clientId}/devices',
  summary: 'List the devices of a client',
  description:
    'Lists the enrolled devices of a client, a page at a time; `next` is the `after` of the next page. A user who is limited to some nodes gets only the devices of these nodes.',
  access: { auth: 'operator', permission: ['people', 'supervise'] },
  message: {
    query: PageQuery,
    replies: { 200: { description: 'A page.', schema: pageSchema('devices', Device) } },
    refusals: { 404: 'There is no such client.' },
    errors: 'problem',
  },
  run: {
    handle({ db, actor: { nodeIds = null } }, { clientId, query }) {
      const all = db.selectFrom('devices').selectAll().where('client_id', '=', clientId);
      const seen = nodeIds === null ? all : all.where('node_id', 'in', [...nodeIds]);
      return pageReply('devices', query, seen, 'device_id', toDevice);
    },
  },
  example: { path: '/operator/v1/clients/TOWN/devices' },
});

/** Revokes a device. */
export const revokeDevice = writeOperation({
  id: 'revokeDevice',
  since: '0.3.0',
  method: 'DELETE',
  path: '/operator/v1/clients/{clientId}/devices/{deviceId}',
  summary: 'Revoke a device',
  description:
    'Revokes a device immediately. Its sessions end. Its cookie and the tickets of its queued work are no longer valid. If the device is already revoked, the response is also 204.',
  access: { auth: 'operator', permission: 'people', fresh: true },
  message: {
    replies: { 204: { description: 'The device is revoked.' } },
    refusals: { 404: 'There is no such device.' },
    errors: 'problem',
  },
  run: {
    repeat: 'same',
    async handle(ctx, { params: { deviceId }, clientId }) {
      const device = await mustFind(ctx, clientId, deviceId);
      if (device.revoked_at === null) await revoke(ctx, device);
      return reply(204);
    },
  },
  example: { after: ['unlockDevice'], path: '/operator/v1/clients/TOWN/devices/{devices.deviceId}' },
});

/** Unlocks a device that wrong PINs have locked. */
export const unlockDevice = writeOperation({
  id: 'unlockDevice',
  since: '0.3.0',
  method: 'POST',
  path: '/operator/v1/clients/{clientId}/devices/{deviceId}/unlock',
  summary: 'Unlock a device',
  description:
    'Unlocks a device that was locked by 20 wrong PINs within 10 minutes. A device that is not locked does not change.',
  access: { auth: 'operator', permission: 'supervise' },
  message: {
    replies: { 204: { description: 'The device is unlocked.' } },
    refusals: { 404: 'There is no such device.' },
    errors: 'problem',
  },
  run: {
    repeat: 'same',
    async handle(ctx, { params: { deviceId }, clientId }) {
      const device = await mustFind(ctx, clientId, deviceId);
      if (device.locked_at === null) return reply(204);
      await change(ctx, device, { locked_at: null, wrong_pins: EMPTY_LIST });
      await recordAccess(ctx, clientId, 'device.unlocked', { deviceId, nodeIds: [device.node_id] });
      return reply(204);
    },
  },
  example: { after: ['signOut'], path: '/operator/v1/clients/TOWN/devices/{devices.deviceId}/unlock' },
});

async function mustFind({ db, actor }: Ctx, clientId: string, deviceId: string): Promise<DeviceRow> {
  const device = await findDevice(db, clientId, deviceId);
  if (device === undefined)
    throw notFound(
      say('There is no device {deviceId} of client {clientId}.', {
        deviceId: quote(deviceId),
        clientId: quote(clientId),
      }),
    );
  if (!allows(actor.nodeIds, device.node_id))
    throw denied(say('the device belongs to a node that you have no access to'));
  return device;
}

/** Revokes a device: its sessions and the tickets of its queued work end. */
export async function revoke(ctx: Ctx, device: DeviceRow): Promise<void> {
  const { client_id: clientId, device_id: deviceId, node_id: nodeId } = device;
  await change(ctx, device, { revoked_at: ctx.now });
  for (const table of ['sessions', 'outbox_tickets'] as const) {
    await ctx.db.deleteFrom(table).where('client_id', '=', clientId).where('device_id', '=', deviceId).execute();
  }
  await recordAccess(ctx, clientId, 'device.revoked', { deviceId, nodeIds: [nodeId] });
}

async function change({ db }: Ctx, { client_id, device_id }: DeviceRow, set: Partial<DeviceRow>): Promise<void> {
  await db
    .updateTable('devices')
    .set(set)
    .where('client_id', '=', client_id)
    .where('device_id', '=', device_id)
    .execute();
}

function toDevice(row: DeviceRow) {
  return {
    deviceId: row.device_id,
    nodeId: row.node_id,
    name: row.name,
    createdAt: formatDateTime(row.created_at),
    lastSeenAt: formatDateTime(row.seen_at),
    ...(row.locked_at !== null && { lockedAt: formatDateTime(row.locked_at) }),
    ...(row.revoked_at !== null && { revokedAt: formatDateTime(row.revoked_at) }),
  };
}
