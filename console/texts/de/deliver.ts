import type { Messages } from '../messages.ts';

const units = (n: number) => `${n} Stück`;

/** German texts for delivery by an associate. */
export const deliver: Messages['deliver'] = {
  title: 'Zustellen',
  waiting: (n) => `${n} ${n === 1 ? 'Auftrag' : 'Aufträge'} zuzustellen`,
  empty: 'Nichts zuzustellen',
  emptyHint: 'Verpackte Zustellungen erscheinen hier. Unter Start steht, was sonst wartet.',
  call: 'Anrufen',
  received: 'Wer hat es angenommen?',
  main: (n) => `${units(n)} zugestellt`,
  mainRefuse: (n) => `${units(n)} als abgelehnt buchen`,
  notHome: 'Niemand da',
  notHomeTitle: 'Niemand war zu Hause',
  notHomeHint: 'Die Ware kommt mit Ihnen zurück. Der Auftrag bleibt für die nächste Fahrt auf der Liste.',
  notHomeMain: 'Versuch buchen',
  notHomeDone: 'Gebucht: niemand zu Hause',
  notHomeBring: (place) => `Ware zurück nach ${place} bringen.`,
  done: 'Zugestellt',
  doneRest: (n, place) => `${units(n)} ${n === 1 ? 'bleibt' : 'bleiben'} für später. Zurück nach ${place} bringen.`,
  rest: 'Rest jetzt zustellen',
  next: 'Nächste Zustellung',
  needsNetwork: 'Zustellungen buchen geht nur mit Netz',
  needsNetworkHint: 'Adressen bleiben lesbar. Buchen Sie, sobald das Netz da ist, vor der nächsten Tür.',
};
