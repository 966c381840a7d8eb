-- A lead rejects the lines of a count that wait for approval. The count is then POSTED, so that a program without this
-- column does not approve it, and the lines that were not posted stay WAITING.
alter table stock_counts add column rejected_by text;
alter table stock_counts add column rejected_at integer;
alter table stock_counts add column reject_reason text;

-- Posted counts of an item in a place, the newest revision last.
create index stock_count_lines_by_item on stock_count_lines (client_id, node_id, item_id, place, revision) where state = 'POSTED';
