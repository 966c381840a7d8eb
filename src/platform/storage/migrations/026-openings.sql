-- JSON of quantities by place: what an import said lay there, so that the same row again has no second effect. Null: none.
alter table stock_levels add column openings text;
