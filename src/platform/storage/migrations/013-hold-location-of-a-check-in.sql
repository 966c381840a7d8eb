-- checkin_hold_location: where a check-in UPDATE said that the goods wait; the CONFIRM takes it where it names no other place.
alter table fulfillment_orders add column checkin_hold_location text;
