const plural = new Intl.PluralRules('en');
const count = (n: number, one: string, many: string) => `${n} ${plural.select(n) === 'one' ? one : many}`;

/** English texts for orders that wait for pick. */
export const queue = {
  dueFirst: 'Due first',
  title: 'Pick',
  sub: (type: string, orders: string) => `${type} · ${orders}`,
  takeNext: (n: number) => `Take the next ${n}`,
  takeOne: 'Take this order',
  without: (name: string, more: number) => (more === 0 ? `without ${name}` : `without ${name} and ${more} more`),
  pick: (n: number) => `Pick ${count(n, 'order', 'orders')}`,
  chosen: (n: number, units: string) => `${n} chosen · ${units}`,
  giveTo: 'Give to…',
  given: (name: string) => `Given to ${name}`,
  clear: 'Choose none',
  choose: (name: string) => `Choose the order of ${name}`,
  most: (n: number) => `At most ${n} orders in one wave`,
  otherStore: 'Other web store: a ticket of its own',
  otherCurrency: 'Another currency: a ticket of its own',
  otherType: 'Another type: it gets a ticket of its own',
  taken: (n: number) => `${count(n, 'order is', 'orders are')} being picked`,
  empty: 'Nothing to pick here',
  emptyHint: 'New orders appear here by themselves.',
  noQueue: 'Choose a queue',
  needsNetwork: 'Taking orders needs the network',
  store: (id: string) => `Web store ${id}`,
  more: (n: number) => `${n} more, due later`,
  away: 'Go on with the tickets of this device.',
  awayNone: 'Tickets that you take online can be picked without the network.',
};
