import type { OfficeMessages } from '../index.ts';

/** Texts of the office; each screen has its own member. */
export const office = {
  table: {
    rows: (n: string) => `${n} rows`,
    selected: (n: number) => `${n} selected`,
    csv: 'CSV of what you see',
    more: 'Load more',
    none: 'Nothing matches',
    noneHint: 'Change or clear the filters.',
    clear: 'Clear filters',
  },
} satisfies OfficeMessages;
