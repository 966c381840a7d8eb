/** The checked-in table of what every cell is answered: status and code by operation, place and situation. */
import { readFileSync } from 'node:fs';
import type { Row, Situation } from './cells.ts';

/** Operation -> place -> situation -> status and code. */
export type Table = Readonly<Record<string, Readonly<Record<string, Readonly<Partial<Record<Situation, string>>>>>>>;

export const table = JSON.parse(readFileSync(new URL('table.json', import.meta.url), 'utf8')) as Table;

export interface Cell {
  row: Row;
  situation: Situation;
  expected: string;
}

export function cellsOf(rows: Table): Cell[] {
  return Object.entries(rows).flatMap(([operation, places]) =>
    Object.entries(places).flatMap(([place, situations]) =>
      Object.entries(situations).map(([situation, expected]) => ({
        row: { operation, place },
        situation: situation as Situation,
        expected,
      })),
    ),
  );
}
