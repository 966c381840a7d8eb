/**
 * `npm run proof:faults`: the disk is full or broken, or the database is locked, restarts, hangs or is unreachable,
 * while clients write. Clients get only clear errors (503 with Retry-After), and `/readyz` shows the state.
 * Acknowledged writes are stored, and rejected writes are not. The service recovers by itself wherever that is safe.
 */
import { join } from 'node:path';
import { whyNoMount } from '../town/disk.ts';
import type { PostgresServer } from '../town/postgres-server.ts';
import { createDatabase } from '../town/small-town.ts';
import { type Campaign, main, type Work } from './campaign.ts';
import { durablePostgres } from './crash.ts';
import { postgresScenes } from './faults/postgres.ts';
import type { Scene } from './faults/scene.ts';
import { sqliteScenes, whyNoStrace } from './faults/sqlite.ts';
import { Stage } from './faults/stage.ts';

export const faults: Campaign = {
  name: 'faults',
  unit: 'faults',
  count: 50,
  control: { planted: 'a store that reports a failed commit as done', count: 30 },
  async run(work) {
    const server = work.engine === 'postgres' ? await durablePostgres() : undefined;
    try {
      const scenes = playable(work);
      for (let number = 0; number < work.count && !work.enough(); number += 1) {
        await play(work, scenes[number % scenes.length]!, number, server);
        work.done();
      }
    } finally {
      await server?.remove();
    }
  },
};

/**
 * Returns the scenes that this machine can play. The control plays only scenes that can show its bug. Except in the
 * control, the function prints the name of each scene that this machine cannot play, with the reason.
 */
function playable(work: Work): Scene[] {
  const refused = { mount: whyNoMount(work.folder()), strace: whyNoStrace() };
  const all = work.engine === 'sqlite' ? sqliteScenes : postgresScenes;
  const fitting = work.planted ? all.filter((scene) => scene.failsCommits) : all;
  return fitting.filter(({ name, needs }) => {
    const why = needs === undefined ? undefined : refused[needs];
    if (why !== undefined && !work.planted) work.say(`not played: ${name}, because ${why}`);
    return why === undefined;
  });
}

async function play(work: Work, scene: Scene, number: number, server: PostgresServer | undefined): Promise<void> {
  const stages: Stage[] = [];
  const planted =
    work.planted || scene.planted
      ? { ...scene.planted, ...(work.planted && { plant: 'swallow' as const }) }
      : undefined;
  const open = async (url: string, own = server) => {
    const name = `f${number}`;
    const stage = await Stage.set({ url, seed: work.seed + number, name, planted, ...(own && { server: own }) });
    stages.push(stage);
    return stage;
  };
  const database = () =>
    server === undefined
      ? Promise.resolve(`sqlite:${join(work.folder(), 'backroom.db')}`)
      : createDatabase(server.url, `faults_${number}`);
  try {
    await scene.play({ open, database, server, folder: work.folder(), random: work.random });
  } catch (error) {
    stages[0]?.faults.push(`the scene was interrupted: ${(error as Error).message}`);
    if (stages.length === 0) throw error;
  } finally {
    for (const stage of stages) await stage.remove();
  }
  const found = stages.flatMap((stage) => stage.faults);
  if (found.length > 0) work.fail(`${scene.name}: ${found.slice(0, 3).join('; ')} (${found.length} in all)`);
}

await main(faults, import.meta.url);
