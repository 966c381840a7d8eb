/**
 * Times that devices send. A device with a wrong clock must not lose its work, so its time never causes a rejection.
 */
import { dateTime, Type } from '../platform/schema.ts';
import { DAY_MS, formatDateTime, MINUTE_MS, parseDateTime } from '../platform/time.ts';

/**
 * A clock is wrong if it is more than `AHEAD_MS` ahead of the service or more than `BEHIND_MS` behind. The large second
 * limit permits work that was queued offline.
 */
const AHEAD_MS = 5 * MINUTE_MS;
const BEHIND_MS = 366 * DAY_MS;

/** Time of an action on a device, in epoch milliseconds. */
export interface DeviceTime {
  /**
   * Time of the action: the time of the device, or the time of the service if the device sent no time or a wrong time.
   */
  at: number;
  /** Time that the device sent. Present only if the clock of the device is wrong. */
  deviceAt?: number;
}

/** Returns the time of an action whose device sent the time `sent`. */
export function deviceTime(sent: string | undefined, now: number): DeviceTime {
  if (sent === undefined) return { at: now };
  const at = parseDateTime(sent);
  return at > now + AHEAD_MS || at < now - BEHIND_MS ? { at: now, deviceAt: at } : { at };
}

/** Fields of an action that show the wrong clock of its device. */
export const clockMembers = {
  receivedAt: Type.Optional(
    dateTime({
      description: 'Time at which the service got the command. Present only if the clock of the device is wrong',
    }),
  ),
  deviceAt: Type.Optional(
    dateTime({ description: 'Time that the device sent. Present only if the clock of the device is wrong' }),
  ),
  clockWrong: Type.Optional(
    Type.Literal(true, {
      description:
        'true: the time of the device is more than 5 minutes ahead of the service, or more than 366 days behind. The service uses its own time',
    }),
  ),
};

/** Returns the fields that show the wrong clock of a device; an empty object if its clock is right. */
export function showClock({
  at,
  deviceAt,
}: DeviceTime): Partial<Record<'receivedAt' | 'deviceAt', string>> & { clockWrong?: true } {
  if (deviceAt === undefined) return {};
  return { receivedAt: formatDateTime(at), deviceAt: formatDateTime(deviceAt), clockWrong: true };
}
