import type { Messages } from '../messages.ts';

const units = (n: number) => `${n} Stück`;

/** Lieferung durch Mitarbeitende. */
export const deliver: Messages['deliver'] = {
  title: 'Zustellen',
  waiting: (n) => `${n} ${n === 1 ? 'Auftrag' : 'Aufträge'} zu liefern`,
  empty: 'Nichts zu liefern',
  emptyHint: 'Gepackte Lieferungen erscheinen hier. Unter Start steht, was sonst wartet.',
  call: 'Anrufen',
  received: 'Wer hat es angenommen?',
  main: (n) => `${units(n)} geliefert`,
  mainRefuse: (n) => `${units(n)} als abgelehnt buchen`,
  notHome: 'Niemand da',
  notHomeTitle: 'Niemand war zu Hause',
  notHomeHint: 'Die Ware kommt mit Ihnen zurück. Der Auftrag bleibt für die nächste Fahrt auf der Liste.',
  notHomeMain: 'Versuch buchen',
  notHomeDone: 'Gebucht: niemand zu Hause',
  notHomeBring: (place) => `Ware zurück nach ${place} bringen.`,
  done: 'Geliefert',
  next: 'Nächste Lieferung',
  needsNetwork: 'Eine Lieferung bucht nur, wer Netz hat',
  needsNetworkHint: 'Adressen bleiben lesbar. Buchen Sie, sobald das Netz da ist, vor der nächsten Tür.',
};
