/** English texts for the settings of a client that users can only read. */
export const settingsShown = {
  readOnly: 'You can read these settings. The operator changes them.',
  late: 'Time until a step is late',
  lateHint: 'Counted from the moment at which an order reaches the step.',
  counter: 'At the counter',
  pinRule: 'An order with a PIN needs it',
  yes: 'Yes',
  no: 'No',
  returnDays: 'Goods can come back for',
  blind: 'Goods without papers',
  blindKinds: { HOLD: 'are held for a lead', ALLOW: 'go where their condition says', REFUSE: 'are not taken back' },
  returnReasons: 'Reasons of returns',
  conditions: 'Conditions of returned goods',
  noTargets: 'No targets yet.',
};
