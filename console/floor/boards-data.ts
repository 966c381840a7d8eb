/** Reads the figures of a node and derives values from them. */

import { useEffect } from 'preact/hooks';
import type { components } from '../../contract/client.d.ts';
import { api, send } from '../api.ts';
import { now } from '../preferences.ts';
import { ownClient, place } from '../session.ts';
import { toCsv } from '../ui/csv.ts';
import { type Loaded, useLoad } from '../ui/load.tsx';
import { useCover } from '../ui/use-cover.ts';
import { watchWork, work } from '../work/node-work.ts';

export type BoardsData = components['schemas']['NodeBoards'];

/** Reads the figures every minute, because users cannot reload a wall display. */
export function useBoards(days: string, date = ''): Loaded<BoardsData> {
  const { clientId, nodeId } = place.value!;
  const params = { path: { clientId, nodeId }, query: { days: Number(days), ...(date !== '' && { date }) } };
  return useLoad(
    `boards ${clientId} ${nodeId} ${days} ${date}`,
    (signal) => send(api.GET('/operator/v1/clients/{clientId}/nodes/{nodeId}/boards', { params, signal })),
    60_000,
  );
}

/** Returns the name of the user's node; undefined until it is known. */
export function useNodeName(): string | undefined {
  const own = ownClient();
  const { nodeId } = place.value!;
  const loaded = useLoad(`node ${own} ${nodeId}`, (signal) =>
    send(
      api.GET('/operator/v1/clients/{clientId}/nodes/{nodeId}', {
        params: { path: { clientId: own, nodeId } },
        signal,
      }),
    ),
  );
  return loaded.data.value?.name;
}

/** Returns the number of orders that are late at present; undefined until it is known. */
export function useLateNow(): number | undefined {
  useEffect(watchWork, [place.value?.nodeId]);
  useCover(work.value === undefined);
  return work.value?.exceptions.late;
}

/** Returns the hours to draw. The last hour of today is the present one, because the values of later hours are unknown, not 0. */
export function hoursToShow({ hours, date, timeZone }: BoardsData): BoardsData['hours'] {
  const parts = new Intl.DateTimeFormat('en-CA', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    hourCycle: 'h23',
  }).formatToParts(new Date(now.value));
  const part = (type: string) => parts.find((one) => one.type === type)?.value ?? '';
  const isToday = `${part('year')}-${part('month')}-${part('day')}` === date;
  const last = isToday ? Number(part('hour')) : 23;
  const busy = hours.filter(({ ordersIn, unitsPicked, late }) => ordersIn + unitsPicked + late > 0);
  // Hours before 8:00 are drawn only if they had work, beginning with the first such hour.
  const first = Math.min(8, last, ...busy.map(({ hour }) => hour));
  return hours.filter(({ hour }) => hour >= first && hour <= last);
}

/** Returns the share of short units; undefined if no units were picked or short. */
export function shortOf({ unitsPicked, unitsShort }: { unitsPicked: number; unitsShort: number }): number | undefined {
  const asked = unitsPicked + unitsShort;
  return asked === 0 ? undefined : unitsShort / asked;
}

export function csvOf({ hours, users }: BoardsData): string {
  return toCsv([
    ['hour', 'ordersIn', 'unitsPicked', 'linesPicked', 'unitsShort', 'late'],
    ...hours.map((hour) => [hour.hour, hour.ordersIn, hour.unitsPicked, hour.linesPicked, hour.unitsShort, hour.late]),
    [],
    ['user', 'name', 'lines', 'units', 'short', 'linesPerHour'],
    ...users.map((user) => [user.userId, user.name ?? '', user.lines, user.units, user.short, user.linesPerHour ?? '']),
  ]);
}
