/**
 * A dense table of the desk: sticky head, keys j, k, x and Enter, selection with a bulk bar, CSV of the visible rows.
 * In a narrow space, rows become cards.
 */
import { Download } from 'lucide';
import type { ComponentChildren, RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { language, o } from '../texts/index.ts';
import { Button } from './button.tsx';
import { ofRecord, toCsv } from './csv.ts';

/** A column: its content on the screen and in the CSV. */
export interface Column<T> {
  title: string;
  /** Content of the cell on the screen. Without it, the column is only in the CSV. */
  show?: (row: T) => ComponentChildren;
  /** Text of the cell in the CSV. Without it, the CSV leaves the column out. */
  csv?: (row: T) => string | number;
  isNumber?: boolean;
  /** The column is left out if the table is narrower: `m` below 640 px, `l` below 960 px, `xl` below 1240 px. */
  from?: 'm' | 'l' | 'xl';
  /** True if the text may take several lines, such as an address or a list. */
  wraps?: boolean;
  /** True if a long text is truncated. A card shows all of the text. */
  isCut?: boolean;
}

/** Elements in which a letter is text, or which handle the keys themselves. */
const TAKES_KEYS = 'input, select, textarea, [contenteditable], tbody';

const cellClass = ({ isNumber, from, wraps, isCut }: Column<never>) =>
  [isNumber === true && 'number', from && `from-${from}`, wraps === true && 'wraps', isCut === true && 'cut']
    .filter(Boolean)
    .join(' ');

const shownOf = <T,>(columns: readonly Column<T>[]) => columns.filter(({ show }) => show !== undefined);

interface TableProps<T> {
  caption: string;
  columns: readonly Column<T>[];
  rows: readonly T[];
  keyOf: (row: T) => string;
  onOpen?: (row: T) => void;
  selected?: ReadonlySet<string>;
  onSelect?: (selected: Set<string>) => void;
  bulk?: ComponentChildren;
  csvName?: string;
  onMore?: (() => void) | undefined;
  isLoadingMore?: boolean;
}

export function Table<T>(props: TableProps<T>) {
  const { caption, columns, rows, keyOf, onOpen, selected, onSelect, bulk } = props;
  const body = useRef<HTMLTableSectionElement>(null);
  const move = (from: HTMLElement, by: number) => {
    const all = [...body.current!.querySelectorAll<HTMLElement>('tr')];
    all[all.indexOf(from) + by]?.focus();
  };
  useEntryByKey(body, onOpen !== undefined);
  const toggle = (key: string) => {
    const next = new Set(selected);
    if (!next.delete(key)) next.add(key);
    onSelect?.(next);
  };
  return (
    <div class="stack tight">
      {selected !== undefined && selected.size > 0 && (
        <div class="notice info split" role="status">
          <span class="strong">{o().table.selected(selected.size)}</span>
          <span class="inline">{bulk}</span>
        </div>
      )}
      <div class="table-wrap list-table" tabIndex={0} role="region" aria-label={caption}>
        <table class="table">
          <caption class="visually-hidden">{caption}</caption>
          <thead>
            <tr>
              {onSelect && (
                <th>
                  <input
                    type="checkbox"
                    aria-label={caption}
                    checked={rows.length > 0 && selected?.size === rows.length}
                    onChange={(event) => onSelect(new Set(event.currentTarget.checked ? rows.map(keyOf) : []))}
                  />
                </th>
              )}
              {shownOf(columns).map((column) => (
                <th class={cellClass(column)} scope="col">
                  {column.title === '' ? <span class="visually-hidden">{o().table.actions}</span> : column.title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody ref={body}>
            {rows.map((row) => (
              <Row key={keyOf(row)} row={row} table={props} move={move} toggle={toggle} />
            ))}
          </tbody>
        </table>
      </div>
      <Foot {...props} />
    </div>
  );
}

/** The key j moves the focus to the first row, unless the focus is in a field or a table, or a modal dialog is open. */
function useEntryByKey(body: RefObject<HTMLTableSectionElement | null>, isOpening: boolean): void {
  useEffect(() => {
    if (!isOpening) return undefined;
    const enter = ({ key, target, defaultPrevented, ctrlKey, metaKey, altKey }: KeyboardEvent) => {
      if (key !== 'j' || defaultPrevented || ctrlKey || metaKey || altKey) return;
      const isElsewhere = target instanceof Element && target.closest(TAKES_KEYS) !== null;
      if (!isElsewhere && document.querySelector('dialog:modal') === null) body.current?.querySelector('tr')?.focus();
    };
    addEventListener('keydown', enter);
    return () => removeEventListener('keydown', enter);
  }, [isOpening]);
}

interface RowProps<T> {
  row: T;
  table: TableProps<T>;
  move: (from: HTMLElement, by: number) => void;
  toggle: (key: string) => void;
}

function Row<T>({ row, table: { columns, keyOf, onOpen, selected, onSelect }, move, toggle }: RowProps<T>) {
  const key = keyOf(row);
  return (
    <tr
      data-link={onOpen ? '' : undefined}
      tabIndex={onOpen ? 0 : undefined}
      aria-selected={selected === undefined ? undefined : selected.has(key) ? 'true' : 'false'}
      onClick={(event) => {
        if ((event.target as HTMLElement).closest('a, button, input, label') === null) onOpen?.(row);
      }}
      onKeyDown={(event) => {
        if (event.target !== event.currentTarget) return;
        if (event.key === 'j' || event.key === 'ArrowDown') move(event.currentTarget, 1);
        else if (event.key === 'k' || event.key === 'ArrowUp') move(event.currentTarget, -1);
        else if (event.key === 'Enter') onOpen?.(row);
        else if (event.key === 'x' && onSelect) toggle(key);
        else return;
        event.preventDefault();
      }}
    >
      {onSelect && (
        <td>
          <input type="checkbox" aria-label={key} checked={selected?.has(key) === true} onChange={() => toggle(key)} />
        </td>
      )}
      {shownOf(columns).map((column) => (
        <td class={cellClass(column)} data-title={column.title}>
          {column.show!(row)}
        </td>
      ))}
    </tr>
  );
}

function Foot<T>({ columns, rows, csvName, onMore, isLoadingMore }: TableProps<T>) {
  return (
    <div class="split">
      <span class="small quiet">{o().table.rows(rows.length)}</span>
      <span class="inline">
        {csvName !== undefined && rows.length > 0 && (
          <Button look="plain" icon={Download} onClick={() => download(`${csvName}.csv`, tableCsv(columns, rows))}>
            {o().table.csv}
          </Button>
        )}
        {onMore && (
          <Button onClick={onMore} isBusy={isLoadingMore}>
            {o().table.more}
          </Button>
        )}
      </span>
    </div>
  );
}

/** Returns the visible rows as CSV. */
function tableCsv<T>(columns: readonly Column<T>[], rows: readonly T[]): string {
  const told = columns.filter((column) => column.csv !== undefined);
  return toCsv(
    [told.map(({ title }) => title), ...rows.map((row) => told.map(({ csv }) => ofRecord(csv!(row))))],
    language.value,
  );
}

/** Saves a text as a file on the user's device. */
export function download(name: string, text: string, type = 'text/csv;charset=utf-8'): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = Object.assign(document.createElement('a'), { href: url, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
