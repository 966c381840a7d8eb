import type { Messages } from '../messages.ts';

/** German texts for lists of tickets. */
export const tickets: Messages['tickets'] = {
  mine: 'Meine',
  all: 'Alle',
  others: 'Bei anderen',
  of: (name) => `bei ${name}`,
  nobody: 'frei',
  from: (place) => `Zurückräumen von ${place}`,
  none: 'Kein Schein ist offen',
  noneMine: 'Sie haben keinen offenen Schein',
  noneHint: 'Nehmen Sie Aufträge aus einer Warteschlange; dann steht der Schein hier.',
  noneBack: 'Nichts zurückzuräumen',
  noneBackHint: 'Gepickte Ware stornierter Aufträge erscheint hier.',
  onDevice: 'Auf diesem Gerät',
};
