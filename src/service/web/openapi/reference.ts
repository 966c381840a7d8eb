/**
 * Tables of codes for the document and for docs/codes.md. They are generated from the tables that the service uses, so
 * they always match its behavior.
 */

import { EVENT_TYPE_NAMES, EVENT_TYPES } from '../../../events/types.ts';
import { ACTIONS_OF_TYPE } from '../../../kernel/allowed.ts';
import {
  IN_STORE_CHECKIN_QUEUE,
  ORDER_ACTIONS,
  ORDER_STATES,
  ORDER_TRANSITIONS,
  type OrderAction,
  type OrderState,
  type Outcome,
  QUEUE_IDS,
  QUEUES,
  REVERSE_PICK_QUEUE,
  SLA_STEP,
} from '../../../kernel/states.ts';
import {
  PICK_TICKET_STATES,
  PICK_TICKET_TRANSITIONS,
  type PickTicketState,
  TICKET_ACTIONS,
  type TicketAction,
} from '../../../kernel/tickets/states.ts';
import { VOLUME_UNITS } from '../../../platform/measures.ts';
import {
  DEFAULT_SETTINGS,
  FULFILLMENT_TYPES,
  type FulfillmentType,
  SLA_STEPS,
  type SlaStep,
} from '../../../shared/client-settings.ts';

/** Rows of cells; the first row has the headings. */
export type Table = readonly (readonly string[])[];

/** A section of a page: a table with its title. */
export interface Section {
  title: string;
  /** Sentences before the table. */
  says: string;
  table: Table;
}

const TYPES: Record<FulfillmentType, string> = {
  STORE_PICK_UP: 'Picked in the store; the customer collects the order there.',
  SHIP_TO_HOME: 'Picked and packed in the store or warehouse; a carrier brings the order to the customer.',
  SHIP_TO_STORE: 'Arrives in packages at the store and is checked in; the customer collects the order there.',
  ASSOCIATE_DELIVERY: 'Picked and packed in the store; an associate brings the order to the customer.',
};

const ACTIONS: Record<OrderAction, string> = {
  hold: 'the street date of an item has changed; the order is held until that date',
  generate: 'put the order on a pick ticket',
  confirm: 'the pick ticket of the order is confirmed',
  reset: 'the pick ticket of the order is reset',
  packSlip: 'generate the pack slip of the order (SHIP_TO_HOME)',
  pack: 'record the packages of the order',
  saveCheckIn: 'save the progress of a check-in (UPDATE)',
  confirmCheckIn: 'confirm a check-in (CONFIRM)',
  handOver: 'hand the order over to the customer in the store',
  deliver: 'an associate delivers the order',
  decline: 'decline picked units that are broken or missing',
  cancel: 'the customer cancels the order or some of its units',
  expire: 'the customer has not collected the order in time',
  bringBack: 'a reverse pick ticket is confirmed: units are back on their shelf',
  resource: 'the owner decides a re-source request',
  release: 'the street date of the order is reached, so the order waits for pick',
  change: 'change fields of the order, or add a note (see its `allowedChanges`)',
  move: 'the goods of the order are moved to another location',
  correct: 'a wrong CONFIRM of the pick ticket is corrected',
  declineAll: 'the node declines the whole order before the pick',
};

const SHOWN = new Set<OrderAction>(Object.values(ACTIONS_OF_TYPE).flat());
/** The actions that no response lists in `allowedActions`. */
const HIDDEN = ORDER_ACTIONS.filter((action) => !SHOWN.has(action)).map(code);

/** Texts for next states that depend on the order. */
const NEXT: Partial<Record<Outcome, string>> = { byUnits: 'by units', entry: 'the first state of its type' };

const TICKET_STATES: Record<PickTicketState, string> = {
  NEW: 'Generated and not yet opened.',
  IN_PROGRESS: 'Opened; a user works on it.',
  CONFIRMED: 'Closed with a result for each item. Shown as status CLOSED with outcome CONFIRMED.',
  RESET: 'Closed; its orders wait for pick again. Shown as status CLOSED with outcome RESET.',
};

const TICKET_WORDS: Record<TicketAction, string> = {
  open: 'open the ticket',
  saveProgress: 'save scans',
  takeOver: 'take the ticket over',
  CONFIRM: 'CONFIRM',
  RESET: 'RESET',
  lapse: 'no work on the ticket for too long',
  correct: 'correct a wrong CONFIRM',
};

const STEPS: Record<SlaStep, string> = {
  START_PICK: 'From intake until the order is on a pick ticket.',
  COMPLETE_PICK: 'While the order is on a pick ticket.',
  PACK: 'From the pick until the order is packed.',
  CHECK_IN: 'Until the packages of the order are checked in.',
  CUSTOMER_PICKUP: 'From ready until the customer has collected the order.',
  DELIVERY: 'From packed until the order is delivered.',
  REVERSE_PICK: 'Until the canceled units are back on their shelf.',
};

const { statusDescriptions, slaMinutes } = DEFAULT_SETTINGS;

/** Every table, in the order of the page. */
export function reference(): Section[] {
  return [
    {
      title: 'Fulfillment types',
      says: '`fulfillmentType` is the way in which the customer gets the goods.',
      table: [['type', 'meaning'], ...FULFILLMENT_TYPES.map((type) => [code(type), TYPES[type]])],
    },
    {
      title: 'Order states',
      says: 'The status code of an order rises with progress. Descriptions and minutes are defaults: a client may set its own.',
      table: [
        ['code', 'description', 'SLA step', 'what can be done, and the next state'],
        ...ORDER_STATES.map((state) => [
          code(state),
          statusDescriptions[state] ?? '',
          SLA_STEP[state] === null ? '' : code(SLA_STEP[state]),
          actionsIn(state),
        ]),
      ],
    },
    {
      title: 'Actions on orders',
      says: `These are the actions of the table above. \`allowedActions\` lists those that belong to the type of the order; ${HIDDEN.slice(0, -1).join(', ')} and ${HIDDEN.at(-1)} are never in it. A next state "by units" depends on the places of the order’s units.`,
      table: [['action', 'meaning'], ...ORDER_ACTIONS.map((action) => [code(action), ACTIONS[action]])],
    },
    {
      title: 'Queues',
      says: 'The type and state of an order determine its queue. A held order (1000) and an order that has ended are on no queue. The ids are defaults: a client may set its own.',
      table: [['queueId', 'orders on it'], ...QUEUE_IDS.map((queue) => [code(queue), ordersOn(queue)])],
    },
    {
      title: 'SLA steps',
      says: '`slaTypeId` is the present step of the order. The minutes are defaults: a client may set its own for each step and fulfillment type.',
      table: [
        ['step', 'time that runs', 'minutes'],
        ...SLA_STEPS.map((step) => [code(step), STEPS[step], String(slaMinutes[step])]),
      ],
    },
    {
      title: 'Pick ticket states',
      says: 'A ticket is NEW, IN_PROGRESS or CLOSED. A CLOSED ticket has an outcome.',
      table: [
        ['state', 'meaning', 'what can be done, and the next state'],
        ...PICK_TICKET_STATES.map((state) => [code(state), TICKET_STATES[state], ticketActionsIn(state)]),
      ],
    },
    {
      title: 'Reason codes',
      says: 'Every unit that is declined, canceled or rejected has one of these reasons. The list is a default: a client may have its own list in its setting `cancelReasons`. The console translates the default meanings, and shows another meaning as the client has written it.',
      table: [
        ['code', 'meaning'],
        ...DEFAULT_SETTINGS.cancelReasons.map((reason) => [code(reason.code), reason.description]),
      ],
    },
    {
      title: 'Values of a client',
      says: `These lists are defaults: a client may set its own lists. Units of volume are the same for all clients and cannot be set: ${VOLUME_UNITS.map(code).join(', ')}, and their common names.`,
      table: [
        ['setting', 'values'],
        ...(
          [
            ['itemTypes', DEFAULT_SETTINGS.itemTypes.map(({ name }) => name)],
            ['salesClasses', DEFAULT_SETTINGS.salesClasses],
            ['itemStatuses', DEFAULT_SETTINGS.itemStatuses],
            ['giftCardTenderCodes', DEFAULT_SETTINGS.giftCardTenderCodes],
            ['upcTypes', DEFAULT_SETTINGS.upcTypes],
            ['operationTypes.add', DEFAULT_SETTINGS.operationTypes.add],
            ['operationTypes.delete', DEFAULT_SETTINGS.operationTypes.delete],
            ['weightUnits', DEFAULT_SETTINGS.weightUnits],
            ['sizeUnits', DEFAULT_SETTINGS.sizeUnits],
            ['verificationMethods', DEFAULT_SETTINGS.verificationMethods],
          ] as const
        ).map(([name, values]) => [code(name), values.map(code).join(', ')]),
      ],
    },
    {
      title: 'Event types',
      says: 'The OpenAPI document has the schema of each type under `webhooks`. New types may be added.',
      table: [['type', 'when'], ...EVENT_TYPE_NAMES.map((name) => [code(name), EVENT_TYPES[name].says])],
    },
  ];
}

/** Returns a table in Markdown. */
export function markdown([head = [], ...rows]: Table): string {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

function code(value: string | number): string {
  return `\`${value}\``;
}

function actionsIn(state: OrderState): string {
  return ORDER_ACTIONS.flatMap((action) => {
    const outcome = ORDER_TRANSITIONS[state][action];
    if (outcome === 'refused') return [];
    return [`${action}: ${NEXT[outcome] ?? outcome}`];
  }).join(', ');
}

function ticketActionsIn(state: PickTicketState): string {
  return TICKET_ACTIONS.flatMap((action) => {
    const effect = PICK_TICKET_TRANSITIONS[state][action];
    if (effect === 'refused') return [];
    return [`${TICKET_WORDS[action]}: ${effect === 'repeats' ? 'changes nothing' : effect}`];
  }).join(', ');
}

function ordersOn(queue: string): string {
  if (queue === REVERSE_PICK_QUEUE) {
    return 'orders of any type whose remaining units were canceled and must go back to their shelf (8000)';
  }
  if (queue === IN_STORE_CHECKIN_QUEUE) return 'SHIP_TO_STORE in 1300 whose goods are in the store already';
  return FULFILLMENT_TYPES.flatMap((type) => {
    const states = ORDER_STATES.filter((state) => QUEUES[type][state] === queue);
    return states.length === 0 ? [] : [`${type} in ${states.join(' and ')}`];
  }).join('; ');
}
