const count = (n: number, one: string, many: string) => `${n} ${n === 1 ? one : many}`;

/** English texts for delivery by an associate. */
export const deliver = {
  title: 'Deliver',
  waiting: (n: number) => `${count(n, 'order', 'orders')} to deliver`,
  empty: 'Nothing to deliver',
  emptyHint: 'Packed deliveries appear here. Home shows the other work.',
  call: 'Call',
  received: 'Who took it?',
  main: (n: number) => `Delivered ${count(n, 'unit', 'units')}`,
  mainRefuse: (n: number) => `Record ${count(n, 'rejected unit', 'rejected units')}`,
  notHome: 'Not at home',
  notHomeTitle: 'Customer not at home',
  notHomeHint: 'The goods come back with you. The order stays on the list for the next try.',
  notHomeMain: 'Record the attempt',
  notHomeDone: 'Recorded: customer not at home',
  notHomeBring: (place: string) => `Bring the goods back to ${place}.`,
  done: 'Delivered',
  doneRest: (n: number, place: string) =>
    `${count(n, 'unit remains', 'units remain')} for later. Bring ${n === 1 ? 'it' : 'them'} back to ${place}.`,
  rest: 'Deliver the rest now',
  next: 'Next delivery',
  needsNetwork: 'Recording a delivery needs the network',
  needsNetworkHint: 'Addresses stay readable. Record this delivery when the network is back, before you go on.',
};
