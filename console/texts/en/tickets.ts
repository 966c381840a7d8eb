/** English texts for lists of tickets. */
export const tickets = {
  mine: 'Mine',
  all: 'All',
  others: 'With others',
  of: (name: string) => `with ${name}`,
  nobody: 'free',
  from: (place: string) => `Bring back from ${place}`,
  none: 'No ticket is open',
  noneMine: 'You have no open ticket',
  noneHint: 'Take orders from a pick queue; then the ticket is here.',
  noneBack: 'Nothing to bring back',
  noneBackHint: 'Picked goods of canceled orders appear here.',
  onDevice: 'On this device',
};
