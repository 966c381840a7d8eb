import { describe, expect, it } from 'vitest';
import { changedBy, TableVersions } from '../../src/platform/storage/table-versions.ts';

describe('the tables that a statement changes', () => {
  it.each([
    ['insert into "events" ("at") values (?)', ['events']],
    ['insert or ignore into items values (?)', ['items']],
    ['insert into "a" ("n") select "n" from "b" on conflict do nothing', ['a']],
    ['update "stores" set "name" = ? where "client_id" = ?', ['stores']],
    ['delete from "credentials" where "client_id" = ?', ['credentials']],
    ['with "gone" as (delete from "a" returning *) insert into "b" select * from "gone"', ['a', 'b']],
    ['  UPDATE "Stores" SET "name" = ?', ['stores']],
    ['alter table items add column n integer', ['items']],
  ])('are read from %s', (text, tables) => {
    expect(changedBy(text)).toEqual(tables);
  });

  it('are none for a statement that reads', () => {
    expect(changedBy('select "doc" from "items" where "client_id" = ?')).toEqual([]);
    expect(changedBy('with "x" as (select 1) select * from "x"')).toEqual([]);
  });

  it('are all tables when the statement does not show which', () => {
    expect(changedBy('vacuum')).toEqual(['*']);
  });
});

describe('the versions of tables', () => {
  function versions() {
    const others = { commits: 0 };
    const tables = new TableVersions(() => others.commits);
    return { others, tables, items: tables.watch(['items']), access: tables.watch(['stores', 'nodes']) };
  }

  /** Returns which versions changed during `work`: of all tables, of the items, of the tables for access. */
  function changed({ tables, items, access }: ReturnType<typeof versions>, work: () => void): string[] {
    const before = { all: tables.version(), items: items.version, access: access.version };
    work();
    const after = { all: tables.version(), items: items.version, access: access.version };
    return (['all', 'items', 'access'] as const).filter((name) => before[name] !== after[name]);
  }

  it('change with a commit to one of the tables, and with no other commit of this process', () => {
    const all = versions();
    const commit = (text: string) => () => {
      all.tables.note(text);
      all.tables.ended();
    };
    expect(changed(all, commit('update "items" set "doc" = ?'))).toEqual(['all', 'items']);
    expect(changed(all, commit('delete from "nodes"'))).toEqual(['all', 'access']);
    expect(changed(all, commit('insert into "events" values (?)'))).toEqual(['all']);
    expect(changed(all, commit('select * from "items"'))).toEqual([]);
    expect(changed(all, commit('vacuum'))).toEqual(['all', 'items', 'access']);
  });

  it('do not change before the transaction is over', () => {
    const all = versions();
    expect(changed(all, () => all.tables.note('update "items" set "doc" = ?'))).toEqual([]);
    expect(changed(all, () => all.tables.ended())).toEqual(['all', 'items']);
  });

  it('all change with a commit of another process', () => {
    const all = versions();
    expect(changed(all, () => (all.others.commits += 1))).toEqual(['all', 'items', 'access']);
  });
});
