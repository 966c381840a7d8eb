-- missing: picked units that a reverse pick should have brought back and did not find. Before this, returned counted them.
-- picked = held + handed_over + refused + returned + missing.
alter table order_lines add column missing integer not null default 0
  check (missing >= 0 and handed_over + refused + returned + missing <= picked)
  check (canceling <= ordered - declined - canceled - handed_over - refused - returned - missing);

-- canceled of such a ticket's line is what was not found.
update order_lines set
  returned = returned - (
    select coalesce(sum(part.canceled), 0) from pick_ticket_lines part
    join pick_tickets ticket on ticket.client_id = part.client_id and ticket.pick_ticket_id = part.pick_ticket_id
    where ticket.pick_ticket_type = 'REVERSE_PICK_TICKET' and ticket.outcome = 'CONFIRMED'
      and part.client_id = order_lines.client_id and part.fulfillment_order_id = order_lines.fulfillment_order_id
      and part.line_index = order_lines.line_index
  ),
  missing = (
    select coalesce(sum(part.canceled), 0) from pick_ticket_lines part
    join pick_tickets ticket on ticket.client_id = part.client_id and ticket.pick_ticket_id = part.pick_ticket_id
    where ticket.pick_ticket_type = 'REVERSE_PICK_TICKET' and ticket.outcome = 'CONFIRMED'
      and part.client_id = order_lines.client_id and part.fulfillment_order_id = order_lines.fulfillment_order_id
      and part.line_index = order_lines.line_index
  )
where returned > 0;
