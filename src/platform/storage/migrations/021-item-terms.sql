-- Words and codes of items, for the search in the item master: a word is 'w' and its form, a code 'c' and the code.
create table item_terms (
  client_id text not null,
  term text not null,
  item_id text not null,
  primary key (client_id, term, item_id)
) strict, without rowid;

-- Form of the terms that an item has; 0: none yet. Items of before are brought up to date after the migration.
alter table items add column term_form integer not null default 0;
create index items_by_old_terms on items (client_id, item_id) where term_form = 0;
