/** Reads the figures of a node and derives values from them. */
import type { components } from '../../contract/client.d.ts';
import { api, send } from '../api.ts';
import { now, setNow } from '../preferences.ts';
import { readNodes } from '../read-all.ts';
import { ownClient, place } from '../session.ts';
import { language } from '../texts/index.ts';
import { toCsv } from '../ui/csv.ts';
import { type Loaded, useLoad } from '../ui/load.tsx';

export type BoardsData = components['schemas']['NodeBoards'];

type Node = components['schemas']['Node'];

/** Storage key of the node that the user saw last on the boards of a client. */
const keptKey = () => `backroom.boards ${ownClient()}`;

/** Keeps the node for the next time. */
export function keepNode(nodeId: string): void {
  localStorage.setItem(keptKey(), nodeId);
}

/** The nodes that the user has access to, and the shown one. */
export interface BoardNodes {
  nodes: readonly Pick<Node, 'nodeId' | 'name'>[];
  shown: Pick<Node, 'nodeId' | 'name'>;
}

/**
 * Loads the nodes and chooses the one to show: the node in the address, otherwise the node that the user saw last.
 * Without these, it is the node at which the user works, otherwise the first node. Undefined if there is no node.
 */
export function useBoardNodes(asked: string | null): Loaded<BoardNodes | undefined> {
  const clientId = ownClient();
  return useLoad(`board nodes ${clientId} ${asked}`, async (signal) => {
    const nodes = await readNodes(clientId, signal);
    const wanted = [asked, localStorage.getItem(keptKey()), place.peek()?.nodeId];
    const shown = wanted.map((id) => nodes.find(({ nodeId }) => nodeId === id)).find((one) => one !== undefined);
    const first = shown ?? nodes[0];
    return first && { nodes, shown: first };
  });
}

/** Reads the figures every minute, because users cannot reload a wall display. */
export function useBoards(nodeId: string, days: string, date = ''): Loaded<BoardsData> {
  const clientId = ownClient();
  const params = { path: { clientId, nodeId }, query: { days: Number(days), ...(date !== '' && { date }) } };
  return useLoad(
    `boards ${clientId} ${nodeId} ${days} ${date}`,
    (signal) => send(api.GET('/operator/v1/clients/{clientId}/nodes/{nodeId}/boards', { params, signal })),
    60_000,
  );
}

/** Returns the number of orders of a node that are late at present; undefined until it is known. */
export function useLateNow(nodeId: string): number | undefined {
  const params = { path: { clientId: ownClient(), nodeId } };
  const loaded = useLoad(
    `late ${nodeId}`,
    async (signal) => {
      const { at, exceptions } = await send(
        api.GET('/operator/v1/clients/{clientId}/nodes/{nodeId}/work', { params, signal }),
      );
      setNow(at);
      return exceptions.late;
    },
    60_000,
  );
  return loaded.data.value;
}

/**
 * Returns the hours to draw. If only today is chosen, the last hour is the present one, because the values of later
 * hours are unknown and not 0. Several days have values for all hours.
 */
export function hoursToShow({ hours, days, date, timeZone }: BoardsData): BoardsData['hours'] {
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
  const last = isToday && days.length === 1 ? Number(part('hour')) : 23;
  const busy = hours.filter(({ ordersIn, unitsPicked, late }) => ordersIn + unitsPicked + late > 0);
  // Hours before 8:00 are drawn only if they had work, beginning with the first such hour.
  const first = Math.min(8, last, ...busy.map(({ hour }) => hour));
  return hours.filter(({ hour }) => hour >= first && hour <= last);
}

/** Formats the time of day in a time zone; default: the time zone of the browser. */
export function timeIn(timeZone: string | undefined, at: number): string {
  return new Intl.DateTimeFormat(language.value, { hour: '2-digit', minute: '2-digit', timeZone }).format(at);
}

/** Returns the share of short units; undefined if no units were picked or short. */
export function shortOf({ unitsPicked, unitsShort }: { unitsPicked: number; unitsShort: number }): number | undefined {
  const asked = unitsPicked + unitsShort;
  return asked === 0 ? undefined : unitsShort / asked;
}

export function csvOf({ hours, users }: BoardsData): string {
  const rows = [
    ['hour', 'ordersIn', 'unitsPicked', 'linesPicked', 'unitsShort', 'late'],
    ...hours.map((hour) => [hour.hour, hour.ordersIn, hour.unitsPicked, hour.linesPicked, hour.unitsShort, hour.late]),
    [],
    ['user', 'name', 'lines', 'units', 'short', 'linesPerHour'],
    ...users.map((user) => [user.userId, user.name ?? '', user.lines, user.units, user.short, user.linesPerHour ?? '']),
  ];
  return toCsv(rows, language.value);
}
