/**
 * While the service is stopped, a client with data gets separate shards, which move to another node. Then clerks
 * continue their work, and new clients are created.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { openStore } from '../../src/platform/storage/db.ts';
import { harbourStreet } from '../../src/service/demo/town.ts';
import { ask } from '../../town/citus-cluster.ts';
import { freePort } from '../../town/free-port.ts';
import { OPERATOR_KEY, ServiceProcess, send } from '../../town/service-process.ts';
import { makeTown } from '../../town/small-town.ts';
import { judge } from '../support/judge.ts';
import { Load } from '../support/load.ts';
import { MAY_SEND } from '../support/receiver.ts';
import { type Scene, type Stage, spreadRows, wellSpread } from './scene.ts';

/** Duration of the load before the move, in milliseconds. The load after the move takes longer. */
const WORK_MS = 4_000;
const CLIENTS = 12;

export const tenants: Scene = async (stage) => {
  const url = await stage.cluster.database();
  const credential = await makeTown(url);
  const start = async () => ServiceProcess.start({ databaseUrl: url, port: await freePort(), env: MAY_SEND });
  let service = await start();
  const store = await openStore(url, { connections: 2 });
  try {
    const load = await Load.open('move', credential, stage.seed);
    load.start(service.base);
    await sleep(WORK_MS);
    await load.stop();
    await service.stop();
    const moved = await move(url, stage);
    service = await start();
    load.start(service.base);
    const clients = await makeClients(service.base, stage);
    await sleep(WORK_MS);
    await load.stop();
    const { faults } = await judge(store, load);
    for (const fault of [...load.faults, ...faults]) stage.fail(fault);
    const places = await ask(
      url,
      `select count(distinct get_shard_id_for_distribution_column('nodes', client_id)) as shards from clients where client_id like 'NEW%'`,
    );
    const shards = Number(places[0]!['shards']);
    if (shards < 2) stage.fail(`${clients} new clients are on ${shards} shard`);
    await wellSpread(stage, url);
    return `${moved}; ${clients} new clients on ${shards} shards, ${load.count(200) + load.count(201) + load.count(204)} requests acknowledged, ${await spreadRows(url)} orders and events`;
  } finally {
    await service.stop();
    await store.close();
  }
};

interface Place {
  shard: string;
  port: number;
}

async function placeOf(url: string, client: string): Promise<Place> {
  const [row] = await ask(
    url,
    `select s.shardid as shard, s.nodeport as port from citus_shards s
     where s.shardid = get_shard_id_for_distribution_column('nodes', $1::text)`,
    [client],
  );
  return { shard: String(row!['shard']), port: Number(row!['port']) };
}

/** Moves the client as docs/scale.md describes. Returns a short summary. */
async function move(url: string, { fail }: Stage): Promise<string> {
  const began = performance.now();
  await ask(
    url,
    `select isolate_tenant_to_new_shard('nodes', 'TOWN', 'CASCADE', shard_transfer_mode => 'block_writes')`,
  );
  const before = await placeOf(url, 'TOWN');
  const nodes = await ask(url, `select nodeport as port from pg_dist_node where groupid <> 0 and nodeport <> $1`, [
    before.port,
  ]);
  const to = Number(nodes[0]!['port']);
  await ask(
    url,
    `select citus_move_shard_placement($1::bigint, '127.0.0.1', $2::int, '127.0.0.1', $3::int, 'block_writes')`,
    [before.shard, before.port, to],
  );
  const after = await placeOf(url, 'TOWN');
  if (after.port !== to) fail(`TOWN is at ${after.port}, not at ${to}`);
  return `a client moved in ${((performance.now() - began) / 1_000).toFixed(0)} s`;
}

async function makeClients(base: string, { fail }: Stage): Promise<number> {
  const headers = { authorization: `Bearer ${OPERATOR_KEY}`, 'content-type': 'application/json' };
  for (let index = 0; index < CLIENTS; index += 1) {
    const id = `NEW${index}`;
    for (const [path, body] of [
      [`/operator/v1/clients/${id}`, { name: id, catalogIds: ['1'] }],
      [`/operator/v1/clients/${id}/nodes/${id}-N1`, { ...harbourStreet, name: id }],
    ] as const) {
      const answer = await send(base, { method: 'PUT', path, headers, body: JSON.stringify(body) });
      if (answer?.status !== 201) fail(`PUT ${path} returned ${answer?.status}: ${answer?.text.slice(0, 300)}`);
    }
  }
  return CLIENTS;
}
