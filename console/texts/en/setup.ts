/** Texts of the steps that set up an installation. */
export const setup = {
  hint: 'The steps before the first order can come in',
  progress: (done: number, all: number) => `${done} of ${all} steps are done`,
  allDone: 'Everything is set up',
  allDoneHint: 'Orders can come in. Come back here when a store or a system is added.',
  done: (n: number) => (n === 1 ? 'Done' : `Done: ${n}`),
  open: 'Open',
  hiddenKeys: 'You see no key. Keys with more rights than yours are hidden: ask the operator first.',
  steps: {
    client: {
      title: 'A client',
      hint: 'The retailer whose stores fulfill orders.',
      action: 'Make a client',
    },
    store: {
      title: 'A web store',
      hint: 'Orders name it; it has a catalog and a currency.',
      action: 'Make a web store',
    },
    node: { title: 'A node', hint: 'The store or warehouse that picks and packs.', action: 'Add a node' },
    people: { title: 'People', hint: 'A manager first; managers add the others.', action: 'Add a person' },
    devices: {
      title: 'A device',
      hint: 'A handheld or tablet of the store: badge and PIN sign in there.',
      action: 'Set up a device',
    },
    credential: {
      title: 'A key for your system',
      hint: 'Your order system sends items and orders with it.',
      action: 'Make a key',
    },
    items: { title: 'Items', hint: 'Orders name items, so these come first.', action: 'Import items' },
    webhook: { title: 'A webhook', hint: 'Tells your system what happens to its orders.', action: 'Add a webhook' },
    tested: {
      title: 'The webhook, tested',
      hint: 'A real event goes to your receiver, and you see its response.',
      action: 'Open the webhooks',
    },
  },
};
