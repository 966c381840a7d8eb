import { expect, it } from 'vitest';
import { openTown } from '../support/town.ts';

it('opens', async () => {
  for (let i = 0; i < 3; i++) {
    const t0 = performance.now();
    const town = await openTown({ neighbours: true });
    console.log(performance.now() - t0);
    expect((await town.operator('GET', '/operator/v1/clients/TOWN')).status).toBe(200);
    expect((await town.credential({ groups: ['items'] })).secrets.apiKey).toBeTruthy();
    await town.close();
  }
});
