/** Commands that change settings of the client, and the default place and promises of a node. */
import fc from 'fast-check';
import { type Command, type Rule, rule } from './command.ts';
import type { Spot } from './goods.ts';
import { KEPT } from './ledger.ts';
import { type Settings, settingsOf, type Tolerance } from './terms.ts';
import type { Node } from './things.ts';
import { nodeBody, nodeOf, type World } from './world.ts';

/**
 * Tolerances. 34 % of three units is one unit; 34 % of two units is no unit. In some tolerances, `units` is the larger
 * limit.
 */
const tolerance = fc.constantFrom<Tolerance>(
  { percent: 0, units: 0 },
  { percent: 34, units: 0 },
  { percent: 50, units: 1 },
  { percent: 0, units: 2 },
  { percent: 100, units: 0 },
);

export const made = fc.record<Settings>({
  promiseCheck: fc.constantFrom('ALL', 'ALL', 'ELIGIBLE'),
  over: tolerance,
  short: tolerance,
  fourEyes: fc.boolean(),
  duplicateCartons: fc.constantFrom('WARN', 'WARN', 'REFUSE'),
  countTolerance: tolerance,
  blind: fc.constantFrom('HOLD', 'HOLD', 'ALLOW', 'REFUSE'),
  refundShipping: fc.constantFrom('WHEN_ALL', 'NEVER', 'ALWAYS'),
  refundOn: fc.constantFrom('CLOSED', 'CLOSED', 'RECEIVED'),
  fee: fc.constantFrom(0, 0, 2.5, 100),
});

const pathOf = ({ id }: World) => `/operator/v1/clients/${id}`;

const putSettings = rule<{ settings: Settings }, unknown>({
  weight: 1,
  members: fc.record({ settings: made }),
  // If the amount due to a customer changes while a return is open again, the new amount waits for the close of this
  // return. The model does not know such amounts, so it keeps the setting until the return is closed.
  fit(model, command) {
    const isOpenAgain = model.backs.some(({ wasClosed, state }) => wasClosed && state === 'RECEIVING');
    const { refundShipping, ...others } = command.settings;
    const kept = isOpenAgain ? model.settings.refundShipping : refundShipping;
    return { ...command, settings: kept === undefined ? others : { ...others, refundShipping: kept } };
  },
  send: (world, { settings }) =>
    world.operator('PUT', pathOf(world), {
      name: world.model.clientTitle === undefined ? world.id : `name ${world.model.clientTitle}`,
      catalogIds: ['21'],
      settings: settingsOf(settings),
    }),
  expect(model, { settings }) {
    model.settings = settings;
    return { status: 200 };
  },
});

const setPromise = rule<{ node: Node; promise: string }, { promise: string }>({
  weight: 2,
  members: fc.record({ node: fc.constantFrom(...KEPT), promise: fc.constantFrom('AVAILABLE', 'AVAILABLE', 'ANY') }),
  send: (world, { node, promise }) =>
    world.operator('PUT', `${pathOf(world)}/nodes/${nodeOf(world, node)}`, { ...nodeBody(world.id, node), promise }),
  expect({ promising }, { node, promise }) {
    if (promise === 'AVAILABLE') promising.add(node);
    else promising.delete(node);
    return { status: 200 };
  },
});

/** Sets the default place for good units at the first node. A PUT without `receiveTo` does not change the place. */
const setReceiveTo = rule<{ receiveTo: Spot }, { receiveTo: string }>({
  weight: 1,
  members: fc.record({ receiveTo: fc.constantFrom<Spot>('STAGE', 'STAGE', 'SHELF') }),
  send: (world, { receiveTo }) =>
    world.operator('PUT', `${pathOf(world)}/nodes/${nodeOf(world, 1)}`, { ...nodeBody(world.id, 1), receiveTo }),
  expect(model, { receiveTo }) {
    model.receiveTo = receiveTo;
    return { status: 200, shows: receiveTo };
  },
  shows: ({ receiveTo }) => receiveTo,
});

export const settings: Record<string, Rule<Command>> = { putSettings, setPromise, setReceiveTo };
