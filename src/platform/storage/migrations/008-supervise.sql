-- Keys that were made for all groups have the new one too. The list is JSON text without white space.
update credentials set groups = replace(groups, ']', ',"supervise"]')
where groups like '%"items"%' and groups like '%"inbound"%' and groups like '%"fulfillment"%' and groups like '%"intake"%'
  and groups not like '%"supervise"%';
