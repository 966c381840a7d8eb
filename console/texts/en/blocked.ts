/**
 * English texts: why an action is not possible for an order in its state, and what to do next. CONFIRMED and RESET are
 * the outcomes of a pick ticket.
 */
export const blocked = {
  why: 'Why?',
  states: {
    1000: 'Its street date has not come. There is nothing to do until then.',
    1100: 'It waits for its pick. Take it from its queue on Home.',
    1150: 'It is being picked. Wait until its ticket is confirmed.',
    1200: 'It waits for packing. Open it under “Pack”.',
    1300: 'Its goods have not been checked in. Open it under “Check in”.',
    1400: 'It waits for its customer. Open it under “Hand over”.',
    1500: 'It waits for delivery. Open it under “Deliver”.',
    3700: 'It is shipped. There is nothing more to do.',
    3800: 'The customer has collected it. There is nothing more to do.',
    3900: 'The customer has received it. There is nothing more to do.',
    8000: 'It is canceled. Bring its goods back to the shelf: open it under “Find”.',
    9000: 'It is canceled. There is nothing more to do.',
    9100: 'It could not be filled here and waits for another store. There is nothing to do here.',
    9200: 'Another store takes care of it. There is nothing to do here.',
    CONFIRMED: 'This ticket is already confirmed. There is nothing to take over.',
    RESET: 'This ticket was given back. Its orders are on their queue again.',
  },
};
