/** Enrolls browsers as devices. */
import { recordAccess } from '../events/record.ts';
import { notFound } from '../platform/http/errors.ts';
import { reply, writeOperation } from '../platform/http/operation.ts';
import { EMPTY_LIST } from '../platform/json-column.ts';
import { sha256 } from '../platform/secrets.ts';
import { DEVICE_COOKIE_S } from '../platform/site.ts';
import { formatDateTime, MINUTE_MS } from '../platform/time.ts';
import { deviceOf, makeDeviceToken } from './devices.ts';
import { revoke } from './manage-devices.ts';
import { makeCode } from './pins.ts';
import { DeviceCode, EnrolledDevice, Enrollment } from './schema.ts';
import { say } from './sentences.ts';
import { siteOf } from './session.ts';

const CODE_MS = 10 * MINUTE_MS;

/** Creates a code that enrolls one device. */
export const createDeviceCode = writeOperation({
  id: 'createDeviceCode',
  since: '0.3.0',
  method: 'POST',
  path: '/operator/v1/clients/{clientId}/nodes/{nodeId}/deviceCodes',
  summary: 'Make a code that enrolls a device',
  description:
    'Makes a code that enrolls one browser as a device of the node. The code works once, within 10 minutes. Show it as a QR code.',
  access: { auth: 'operator', permission: 'people', fresh: true },
  message: {
    replies: { 201: { description: 'The code.', schema: DeviceCode } },
    refusals: { 404: 'There is no such client or node.' },
    errors: 'problem',
  },
  run: {
    repeat: { adds: 'another code' },
    async handle(ctx, { clientId, node }) {
      const code = makeCode(ctx.randomBytes);
      const expiresAt = ctx.now + CODE_MS;
      const old = ctx.db
        .deleteFrom('device_codes')
        .where('client_id', '=', clientId)
        .where('expires_at', '<=', ctx.now);
      await old.execute();
      await ctx.db
        .insertInto('device_codes')
        .values({
          client_id: clientId,
          code_hash: sha256(code),
          node_id: node.node_id,
          created_by: ctx.actor.id,
          expires_at: expiresAt,
        })
        .execute();
      return reply(201, { code, expiresAt: formatDateTime(expiresAt) });
    },
  },
  example: { path: '/operator/v1/clients/TOWN/nodes/TOWN-Store001/deviceCodes' },
});

/** Enrolls the browser of the request as a device. */
export const enrollDevice = writeOperation({
  id: 'enrollDevice',
  since: '0.3.0',
  method: 'POST',
  path: '/session/device',
  summary: 'Enroll this browser as a device',
  description:
    'Enrolls this browser as a device of the node that the code was made for, and sets the cookie of the device for 400 days. The code is the credential; no session is needed. An unknown, used or expired code gets 404. If the browser is already a device of the client, this device is revoked.',
  access: { auth: 'browser' },
  message: {
    keyless: true,
    body: Enrollment,
    replies: { 201: { description: 'The device.', schema: EnrolledDevice } },
    refusals: { 404: 'The code is unknown, used or expired.' },
    errors: 'problem',
  },
  run: {
    repeat: 'rejected',
    async handle(ctx, { body: { code, name }, headers }) {
      const site = siteOf(ctx);
      // The code alone identifies the row and its client. Only one caller can delete the row, so a code works once.
      const found = await ctx.db
        .deleteFrom('device_codes')
        .where('code_hash', '=', sha256(code.toUpperCase()))
        .returning(['client_id', 'node_id', 'created_by', 'expires_at'])
        .executeTakeFirst();
      if (found === undefined || found.expires_at <= ctx.now) {
        throw notFound(say('The code is unknown, used or expired; ask for another code.'));
      }
      const { client_id: clientId, node_id: nodeId, created_by } = found;
      const by = { ...ctx, actor: { kind: 'user' as const, id: created_by } };
      // The new cookie replaces the cookie of an earlier device. No browser could use that device any more, so it is
      // revoked.
      const old = await deviceOf(ctx.db, site, headers);
      if (old?.client_id === clientId) await revoke(by, old);
      const deviceId = ctx.newId();
      const token = makeDeviceToken(clientId, deviceId, ctx.randomBytes);
      await ctx.db
        .insertInto('devices')
        .values({
          client_id: clientId,
          device_id: deviceId,
          node_id: nodeId,
          name,
          token_hash: sha256(token),
          created_at: ctx.now,
          created_by,
          seen_at: ctx.now,
          revoked_at: null,
          wrong_pins: EMPTY_LIST,
          locked_at: null,
        })
        .execute();
      await recordAccess(by, clientId, 'device.enrolled', { deviceId, nodeIds: [nodeId] });
      return reply(201, { deviceId, nodeId }, { 'set-cookie': site.cookie('backroom-device', token, DEVICE_COOKIE_S) });
    },
  },
  example: {
    after: ['changePassword', 'changePreferences', 'endTraining', 'listPasskeys'],
    path: '/session/device',
    body: { code: '{devices.code}', name: 'Handheld 7' },
  },
});
