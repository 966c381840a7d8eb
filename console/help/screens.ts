/** The help of each screen apart from its texts: its keys, and its page of the guide. */

/** Actions of keys. Each language has the words for them. */
export type KeyWord =
  | 'help'
  | 'find'
  | 'closeDialog'
  | 'code'
  | 'rows'
  | 'open'
  | 'short'
  | 'one'
  | 'undo'
  | 'confirm'
  | 'nextPlace'
  | 'take'
  | 'blind'
  | 'close'
  | 'mode';

const PICKING = {
  F2: 'short',
  F4: 'one',
  F8: 'undo',
  'Ctrl+z': 'undo',
  F9: 'confirm',
  ArrowDown: 'nextPlace',
  ArrowUp: 'nextPlace',
  PageDown: 'nextPlace',
  PageUp: 'nextPlace',
} as const;

/** The keys of single screens. `useKeys` accepts only keys that are listed here, so the help names all of them. */
export const SCREEN_KEYS = {
  '/queue': { t: 'take' },
  '/pick/:storeId/:ticketId': PICKING,
  '/bring-back/:storeId/:ticketId': PICKING,
  '/receive': { b: 'blind' },
  '/receive/:type/:number': { u: 'undo', 'Ctrl+z': 'undo', m: 'mode', c: 'close' },
  '/receive/:type/:number/carton/:cartonId': { u: 'undo', 'Ctrl+z': 'undo' },
} as const satisfies Partial<Record<ScreenPattern, Readonly<Record<string, KeyWord>>>>;

/** A screen with keys of its own. */
export type KeyedScreen = keyof typeof SCREEN_KEYS;

interface HelpOfScreen {
  /** Page and heading of the guide. */
  guide: string;
  /** True if the screen has a scan line, in which a code can be typed. */
  hasTarget?: boolean;
  /** True if the screen has a table whose rows can be opened by key. */
  hasTable?: boolean;
}

const ASSOCIATES = 'docs/for/associates.md';
const LEADS = 'docs/for/leads-and-managers.md';
const CLERKS = 'docs/for/receiving-clerks.md';
const OPERATORS = 'docs/for/operators.md';
const SUPPORT = 'docs/for/support.md';
const PICK = { guide: `${ASSOCIATES}#pick`, hasTarget: true };
const RECEIVE = { guide: `${CLERKS}#receive-a-shipment`, hasTarget: true };
const CHECK_IN = { guide: `${CLERKS}#cartons-for-customers`, hasTarget: true };
const STOCK = { guide: `${CLERKS}#stock`, hasTarget: true };
const TAKE_BACK = { guide: `${ASSOCIATES}#take-goods-back`, hasTarget: true };
const COUNTER = { guide: ASSOCIATES, hasTarget: true };
const INBOUND = `${LEADS}#goods-in-and-stock`;

/** The help of every screen by its path. The table of screens takes its paths from here, so every screen has help. */
export const HELP = {
  '/sign-in': { guide: `${ASSOCIATES}#sign-in` },
  '/choose-place': { guide: `${ASSOCIATES}#home` },
  '/': { guide: `${ASSOCIATES}#home` },
  '/queue': { guide: `${ASSOCIATES}#pick` },
  '/pick/:storeId/:ticketId': PICK,
  '/pick/:storeId/:ticketId/correct': { guide: `${LEADS}#tickets-of-others` },
  '/tickets': { guide: `${LEADS}#tickets-of-others` },
  '/bring-back': { guide: `${ASSOCIATES}#pick` },
  '/bring-back/:storeId/:ticketId': PICK,
  '/hand-over': COUNTER,
  '/hand-over/:storeId/:orderId': COUNTER,
  '/return': TAKE_BACK,
  '/return/:storeId/order/:orderId': TAKE_BACK,
  '/return/:storeId/blind': TAKE_BACK,
  '/return/:storeId/announced/:number': TAKE_BACK,
  '/check-in': CHECK_IN,
  '/check-in/:storeId/:orderId': CHECK_IN,
  '/receive': RECEIVE,
  '/receive/:type/:number': RECEIVE,
  '/receive/:type/:number/carton/:cartonId': RECEIVE,
  '/receive/:type/:number/close': { guide: `${CLERKS}#close` },
  '/stock': STOCK,
  '/stock/count': STOCK,
  '/stock/plans': STOCK,
  '/stock/plans/:planId': STOCK,
  '/stock/plans/:planId/count': STOCK,
  '/stock/move': STOCK,
  '/pack': COUNTER,
  '/pack/:storeId/:orderId': COUNTER,
  '/deliver': COUNTER,
  '/deliver/:storeId/:orderId': { guide: ASSOCIATES },
  '/move': COUNTER,
  '/find': { guide: `${ASSOCIATES}#home` },
  '/exceptions': { guide: `${LEADS}#exceptions` },
  '/boards': { guide: `${LEADS}#boards` },
  '/items': { guide: LEADS },
  '/item/:itemId': { guide: `${CLERKS}#stock` },
  '/office/orders': { guide: SUPPORT, hasTable: true },
  '/office/orders/:storeId/:orderId': { guide: SUPPORT },
  '/office/people': { guide: `${LEADS}#people`, hasTable: true },
  '/office/devices': { guide: `${LEADS}#pins-and-devices` },
  '/office/inbound': { guide: INBOUND, hasTable: true },
  '/office/inbound/:type/:number': { guide: INBOUND },
  '/office/returns': { guide: 'docs/returns.md', hasTable: true },
  '/office/returns/:storeId/:number': { guide: 'docs/returns.md' },
  '/office/refunds': { guide: 'docs/returns.md', hasTable: true },
  '/office/edi': { guide: 'docs/edi.md', hasTable: true },
  '/office/edi/interchange/:interchangeId': { guide: 'docs/edi.md' },
  '/office/edi/try': { guide: 'docs/how-to/check-an-edi-file.md' },
  '/office/edi/partners': { guide: 'docs/edi.md', hasTable: true },
  '/office/imports': { guide: 'docs/importing.md' },
  '/office/credentials': { guide: OPERATORS },
  '/office/webhooks': { guide: 'docs/how-to/receive-webhooks.md', hasTable: true },
  '/office/nodes': { guide: OPERATORS, hasTable: true },
  '/office/settings': { guide: OPERATORS },
  '/office/providers': { guide: 'docs/how-to/sign-in-with-oidc.md', hasTable: true },
  '/office/access': { guide: 'docs/people.md#access-events' },
  '/office/setup': { guide: OPERATORS },
  '/office/stores': { guide: OPERATORS, hasTable: true },
  '/office/clients': { guide: OPERATORS },
  '/office/clock': { guide: OPERATORS },
  '/labels': { guide: 'docs/how-to/print.md' },
  '/scanner': { guide: 'docs/how-to/scanners.md', hasTarget: true },
  '/sync': { guide: 'docs/offline.md#when-the-service-does-not-accept-it' },
  '/passkeys': { guide: 'docs/how-to/use-passkeys.md' },
  '/me': { guide: 'docs/for/associates.md#sign-in' },
} as const satisfies Readonly<Record<string, HelpOfScreen>>;

/** Path of a screen. Tables with this key type must have an entry for every screen. */
export type ScreenPattern = keyof typeof HELP;

/** Keys whose names differ by language. */
export type NamedKey = 'control' | 'arrows' | 'pages';

const NAMED: Readonly<Record<string, NamedKey>> = {
  ArrowDown: 'arrows',
  ArrowUp: 'arrows',
  PageDown: 'pages',
  PageUp: 'pages',
};

/**
 * Returns the keys of a screen with their actions. The keys for finding, for the help and for closing a dialog come
 * last.
 */
export function keysOf(
  screen: ScreenPattern,
  names: Readonly<Record<NamedKey, string>>,
): readonly { keys: readonly string[]; word: KeyWord }[] {
  const rows = new Map<KeyWord, Set<string>>();
  const add = (word: KeyWord, ...keys: readonly string[]) =>
    rows.set(word, new Set([...(rows.get(word) ?? []), ...keys]));
  const nameOf = (key: string) => {
    const named = NAMED[key];
    return named === undefined ? key.toUpperCase().replace('CTRL+', `${names.control} `) : names[named];
  };
  const own: Readonly<Record<string, KeyWord>> = screen in SCREEN_KEYS ? SCREEN_KEYS[screen as KeyedScreen] : {};
  const { hasTarget = false, hasTable = false }: HelpOfScreen = HELP[screen];
  if (hasTarget) add('code', 'Enter');
  for (const [key, word] of Object.entries(own)) add(word, nameOf(key));
  if (hasTable) {
    add('rows', 'J', 'K');
    add('open', 'Enter');
  }
  if (screen !== '/sign-in') add('find', nameOf('Ctrl+k'));
  add('help', '?', 'F1');
  add('closeDialog', 'Esc');
  return [...rows].map(([word, keys]) => ({ keys: [...keys], word }));
}
