-- Places at which goods wait whose check-in is saved and not confirmed.
create index fulfillment_orders_by_saved_hold on fulfillment_orders (client_id, node_id, checkin_hold_location)
  where checkin_hold_location is not null and status = 1300;
