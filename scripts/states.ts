/**
 * Writes the tables of docs/states.md from the tables of src/kernel/states.ts, src/orders/change-rules.ts,
 * src/kernel/tickets/states.ts, src/stock/count-states.ts and src/stock/count-plans/states.ts, between the markers of
 * the page. With --check it writes nothing and exits with 1 if the page is stale.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import {
  AFTER_PACK,
  DONE_STATE,
  ENTRY_STATE,
  IN_STORE_CHECKIN_QUEUE,
  ORDER_ACTIONS,
  ORDER_STATES,
  ORDER_TRANSITIONS,
  QUEUES,
  SLA_STEP,
  stateAfter,
  type Units,
} from '../src/kernel/states.ts';
import { PICK_TICKET_STATES, PICK_TICKET_TRANSITIONS, TICKET_ACTIONS } from '../src/kernel/tickets/states.ts';
import { NOTHING_REQUESTED } from '../src/kernel/units.ts';
import { changeableTypes, ORDER_CHANGES } from '../src/orders/change-rules.ts';
import { DEFAULT_SETTINGS, FULFILLMENT_TYPES, type FulfillmentType } from '../src/shared/client-settings.ts';
import { COUNT_PLAN_ACTIONS, COUNT_PLAN_STATES, COUNT_PLAN_TRANSITIONS } from '../src/stock/count-plans/states.ts';
import { COUNT_ACTIONS, COUNT_STATES, COUNT_TRANSITIONS } from '../src/stock/count-states.ts';

const FILE = new URL('../docs/states.md', import.meta.url);
const COMMAND = 'npx node scripts/states.ts';

const TABLES: Record<string, () => string[][]> = {
  states: () => [
    ['code', 'description', 'SLA step', 'minutes'],
    ...ORDER_STATES.map((state) => {
      const step = SLA_STEP[state];
      const minutes = step === null ? '' : String(DEFAULT_SETTINGS.slaMinutes[step]);
      return [String(state), DEFAULT_SETTINGS.statusDescriptions[state] ?? '', step ?? '', minutes];
    }),
  ],
  transitions: () => [
    ['state', ...ORDER_ACTIONS],
    ...ORDER_STATES.map((state) => [
      String(state),
      ...ORDER_ACTIONS.map((action) => {
        const outcome = ORDER_TRANSITIONS[state][action];
        return outcome === 'refused' ? '' : String(outcome);
      }),
    ]),
  ],
  types: () => [
    ['type', 'enters in', 'after pick or check-in', 'packed', 'done', 'all units declined (default)'],
    ...FULFILLMENT_TYPES.map((type) => [
      type,
      String(ENTRY_STATE[type]),
      String(afterPick(type, { onHand: 1, left: 1 })),
      String(AFTER_PACK[type] ?? ''),
      String(DONE_STATE[type]),
      String(afterPick(type, { resourceable: type === 'SHIP_TO_HOME' ? 1 : 0 })),
    ]),
  ],
  queues: () => [
    ['type', 'state', 'queue'],
    ...FULFILLMENT_TYPES.flatMap((type) =>
      ORDER_STATES.filter((state) => QUEUES[type][state] !== null).map((state) => {
        const queue = QUEUES[type][state] ?? '';
        const inStore = type === 'SHIP_TO_STORE' && state === 1300;
        return [type, String(state), inStore ? `${queue}; goods already there: ${IN_STORE_CHECKIN_QUEUE}` : queue];
      }),
    ),
  ],
  changes: () => [
    ['change', ...ORDER_STATES.map(String)],
    ...ORDER_CHANGES.map((change) => [
      change,
      ...ORDER_STATES.map((state) => {
        const types = changeableTypes(change, state);
        return types.length === FULFILLMENT_TYPES.length ? 'all' : types.map((type) => LETTERS[type]).join(' ');
      }),
    ]),
  ],
  tickets: () => [
    ['state', ...TICKET_ACTIONS],
    ...PICK_TICKET_STATES.map((state) => [
      state,
      ...TICKET_ACTIONS.map((action) => {
        const effect = PICK_TICKET_TRANSITIONS[state][action];
        return effect === 'refused' ? 'rejected' : effect;
      }),
    ]),
  ],
  counts: () => [
    ['state', ...COUNT_ACTIONS],
    ...COUNT_STATES.map((state) => [
      state,
      ...COUNT_ACTIONS.map((action) => {
        const effect = COUNT_TRANSITIONS[state][action];
        return effect === 'refused' ? 'rejected' : effect;
      }),
    ]),
  ],
  countPlans: () => [
    ['state', ...COUNT_PLAN_ACTIONS],
    ...COUNT_PLAN_STATES.map((state) => [
      state,
      ...COUNT_PLAN_ACTIONS.map((action) => {
        const effect = COUNT_PLAN_TRANSITIONS[state][action];
        return effect === 'refused' ? 'rejected' : effect;
      }),
    ]),
  ],
};

const LETTERS: Record<FulfillmentType, string> = {
  STORE_PICK_UP: 'P',
  SHIP_TO_HOME: 'H',
  SHIP_TO_STORE: 'S',
  ASSOCIATE_DELIVERY: 'D',
};

const page = readFileSync(FILE, 'utf8');
const fresh = Object.entries(TABLES).reduce(fill, page);
if (!process.argv.includes('--check')) writeFileSync(FILE, fresh);
else if (fresh !== page) {
  console.error(`docs/states.md does not show the tables of the lifecycles. Run: ${COMMAND}`);
  process.exitCode = 1;
}

function fill(text: string, [name, rows]: [string, () => string[][]]): string {
  const between = new RegExp(String.raw`(<!-- table: ${name} -->\n)[\s\S]*?(<!-- end -->)`);
  if (!between.test(text)) throw new Error(`docs/states.md has no markers for the table ${name}`);
  return text.replace(between, (_all, start: string, end: string) => `${start}\n${markdown(rows())}\n\n${end}`);
}

/**
 * Returns the state of an order of this type after its pick. `found` has the unit counts after the pick; a missing
 * count is 0.
 */
function afterPick(type: FulfillmentType, found: Partial<Units>) {
  const none: Units = { open: 0, onHand: 0, canceling: 0, left: 0, handedOver: 0, ...NOTHING_REQUESTED };
  return stateAfter(type, ENTRY_STATE[type], { ...none, ...found });
}

function markdown([head = [], ...rows]: string[][]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}
