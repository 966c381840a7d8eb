import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEFAULT_SETTINGS } from '../../src/shared/client-settings.ts';
import { ALL, DAMAGED, type Dock, LOST, line, message, openDock, pack } from './arrivals.ts';

let dock: Dock;
beforeAll(async () => {
  dock = await openDock();
});
afterAll(() => dock.close());

const codes = DEFAULT_SETTINGS.cancelReasons.map((reason) => reason.code);
const faultsOf = (answer: { body: { errors: { pointer: string; rule: string }[] } }) =>
  answer.body.errors.map(({ pointer, rule }) => `${pointer.replace('/fulfillmentOrder', '')} ${rule}`);

describe('check-in UPDATE', () => {
  it('saves what has arrived so far and leaves the order waiting for check-in', async () => {
    await dock.arriving('u1');
    const answer = await dock.update('u1', [pack('P1', line('1', 2, 1, 1, DAMAGED))]);
    expect([answer.status, answer.text]).toEqual([204, '']);
    expect(await dock.stands('u1')).toMatchObject({
      status: 1300,
      queue: 'WAITING_FOR_CHECKIN_STS',
      hold: null,
      sla: 'CHECK_IN',
      lines: [
        [3, 0, 0, null],
        [1, 0, 0, null],
      ],
    });
    const { checkInPackages } = (await dock.read('u1')).body.fulfillmentOrder;
    expect(checkInPackages.map((one: { checkInPackageItems: unknown }) => one.checkInPackageItems)).toEqual([
      [line('1', 2, 1, 1, DAMAGED)],
      [line('1', 1, 0), line('2', 1, 0)],
    ]);
  });

  it('takes absolute quantities: sending the same UPDATE again changes nothing and records no event', async () => {
    await dock.arriving('u2');
    await dock.update('u2', [pack('P1', line('1', 2, 1))]);
    const before = await dock.stands('u2');
    expect((await dock.update('u2', [pack('P1', line('1', 2, 1))])).status).toBe(204);
    expect(await dock.stands('u2')).toEqual(before);
    expect(await dock.events('u2')).toHaveLength(1);
  });

  it('accepts a saved reason of a line also after the client removed it', async () => {
    await dock.arriving('u2-reason');
    await dock.update('u2-reason', [pack('P1', line('1', 2, 1, 1, DAMAGED))]);
    const path = '/operator/v1/clients/C1';
    const { body } = await dock.operator('GET', path);
    const cancelReasons = [{ code: 'OTHER', description: 'Other' }];
    const put = await dock.operator('PUT', path, { ...body, settings: { ...body.settings, cancelReasons } });
    expect(put.status, put.text).toBe(200);
    const same = await dock.update('u2-reason', [pack('P1', line('1', 2, 1, 1, DAMAGED))]);
    const more = await dock.update('u2-reason', [pack('P1', line('1', 2, 0, 2, DAMAGED))]);
    const other = await dock.update('u2-reason', [pack('P1', line('1', 2, 1, 1, LOST))]);
    await dock.operator('PUT', path, body);
    expect([same.status, more.status]).toEqual([204, 204]);
    expect(faultsOf(other)).toEqual(['/checkInPackages/0/checkInPackageItems/0/checkInCancellationReasonCode reason']);
  });

  it('can be corrected by a later UPDATE, downwards too', async () => {
    await dock.arriving('u3');
    await dock.update('u3', [pack('P1', line('1', 2, 1, 1, LOST))]);
    await dock.update('u3', [pack('P1', line('1', 2, 1))]);
    expect((await dock.read('u3')).body.fulfillmentOrder.checkInPackages[0].checkInPackageItems).toEqual([
      line('1', 2, 1),
    ]);
  });

  it('keeps the packages that it does not list: packages of different days add up', async () => {
    await dock.arriving('u4');
    await dock.update('u4', [pack('P1', line('1', 2, 2))]);
    dock.clock.now += 24 * 3_600_000;
    await dock.update('u4', [pack('P2', line('2', 1, 1))]);
    const { checkInPackages } = (await dock.read('u4')).body.fulfillmentOrder;
    expect(checkInPackages[0].checkInPackageItems).toEqual([line('1', 2, 2)]);
    expect(checkInPackages[1].checkInPackageItems).toEqual([line('1', 1, 0), line('2', 1, 1)]);
  });

  it('takes at most the quantity of the package', async () => {
    await dock.arriving('u5');
    expect((await dock.update('u5', [pack('P1', line('1', 2, 1, 1, LOST))])).status).toBe(204);
    expect(faultsOf(await dock.update('u5', [pack('P1', line('1', 2, 2, 1, LOST))]))).toEqual([
      '/checkInPackages/0/checkInPackageItems/0/checkInQuantity maximum',
    ]);
  });

  it('needs at least one package', async () => {
    await dock.arriving('u6');
    expect(faultsOf(await dock.update('u6', []))).toEqual(['/checkInPackages minItems']);
  });

  it('without a package saves the hold location, and keeps the counts', async () => {
    await dock.arriving('u6-place');
    await dock.update('u6-place', [pack('P1', line('1', 2, 1))]);
    const saved = await dock.update('u6-place', [], { holdLocation: 'A2' });
    expect([saved.status, saved.text]).toEqual([204, '']);
    expect(await savedOf('u6-place')).toBe('A2');
    expect((await dock.read('u6-place')).body.fulfillmentOrder.checkInPackages[0].checkInPackageItems).toEqual([
      line('1', 2, 1),
    ]);
  });

  it('keeps the time of the queue, so the SLA does not restart', async () => {
    await dock.arriving('u7');
    const standing = () =>
      dock.store.read((db) =>
        db
          .selectFrom('fulfillment_orders')
          .select(['queued_at', 'sla_at', 'queue_id', 'sla_type'])
          .where('client_id', '=', 'C1')
          .where('fulfillment_order_id', '=', 'u7')
          .executeTakeFirst(),
      );
    const before = await standing();
    dock.clock.now += 60_000;
    await dock.update('u7', [pack('P1', line('1', 2, 2))]);
    expect(await standing()).toEqual(before);
  });

  const savedOf = async (id: string) => {
    const path = `/operator/v1/stores/S1/fulfillmentOrders/${id}`;
    const answer = await dock.call({ method: 'GET', path, headers: { apiKey: dock.keys.all } });
    return answer.body.checkIn.savedHoldLocation as string | undefined;
  };

  it('needs no hold location; one that is sent is kept for the order’s own read and the CONFIRM, not for the details', async () => {
    await dock.arriving('u8');
    await dock.update('u8', ALL);
    expect(await savedOf('u8')).toBeUndefined();
    expect(faultsOf(await dock.confirm('u8', [], { holdLocation: undefined }))).toEqual(['/holdLocation required']);
    await dock.update('u8', ALL, { holdLocation: 'A1' });
    await dock.update('u8', ALL, { holdLocation: 'A2' });
    const before = await dock.stands('u8');
    await dock.update('u8', ALL, { holdLocation: 'A2' });
    await dock.update('u8', ALL);
    expect(await dock.stands('u8')).toEqual(before);
    expect(await savedOf('u8')).toBe('A2');
    expect((await dock.read('u8')).body.fulfillmentOrder).not.toHaveProperty('holdLocation');
    const where = (await dock.events('u8')).map(({ data }) => (data as { holdLocation?: string }).holdLocation);
    expect(where).toEqual([undefined, 'A1', 'A2']);
    expect((await dock.confirm('u8', [], { holdLocation: undefined })).status).toBe(204);
    expect((await dock.stands('u8')).hold).toBe('A2');
    expect(await savedOf('u8')).toBeUndefined();
    expect((await dock.confirm('u8', [], { holdLocation: undefined })).status).toBe(204);
    expect((await dock.confirm('u8', [], { holdLocation: 'A1' })).status).toBe(400);
  });

  it('names a hold location that the CONFIRM can replace', async () => {
    await dock.arriving('u9');
    await dock.update('u9', ALL, { holdLocation: 'A1' });
    expect((await dock.confirm('u9', [], { holdLocation: 'B7' })).status).toBe(204);
    expect((await dock.stands('u9')).hold).toBe('B7');
    expect((await dock.confirm('u9', [], { holdLocation: undefined })).status).toBe(204);
  });
});

describe('check-in CONFIRM', () => {
  it('of everything makes the order ready for customer pickup at its hold location', async () => {
    await dock.arriving('c1');
    const answer = await dock.confirm('c1', ALL, { holdLocation: 'Loc1-123' });
    expect([answer.status, answer.text]).toEqual([204, '']);
    expect(await dock.stands('c1')).toMatchObject({
      status: 1400,
      queue: 'WAITING_FOR_CUSTOMER_PICK',
      hold: 'Loc1-123',
      sla: 'CUSTOMER_PICKUP',
      lines: [
        [3, 3, 0, null],
        [1, 1, 0, null],
      ],
    });
  });

  it('with damaged and missing units continues with the units that arrived; each line keeps its first reason', async () => {
    await dock.arriving('c2');
    await dock.confirm('c2', [
      pack('P1', line('1', 2, 1, 1, DAMAGED)),
      pack('P2', line('1', 1, 0, 1, LOST), line('2', 1, 0, 1, LOST)),
    ]);
    expect(await dock.stands('c2')).toMatchObject({
      status: 1400,
      lines: [
        [3, 1, 2, DAMAGED],
        [1, 0, 1, LOST],
      ],
    });
  });

  it('with nothing arrived cancels the order, which then has no queue and no hold location', async () => {
    await dock.arriving('c3');
    const nothing = [
      pack('P1', line('1', 2, 0, 2, LOST)),
      pack('P2', line('1', 1, 0, 1, LOST), line('2', 1, 0, 1, LOST)),
    ];
    expect((await dock.confirm('c3', nothing)).status).toBe(204);
    expect(await dock.stands('c3')).toMatchObject({ status: 9000, queue: null, hold: null, sla: null });
    expect((await dock.confirm('c3', nothing)).status).toBe(204);
  });

  it('counts packages that it does not list with their last UPDATE', async () => {
    await dock.arriving('c4');
    await dock.update('c4', [pack('P1', line('1', 2, 1, 1, DAMAGED))]);
    expect((await dock.confirm('c4', [pack('P2', line('1', 1, 1), line('2', 1, 1))])).status).toBe(204);
    expect(await dock.stands('c4')).toMatchObject({
      status: 1400,
      lines: [
        [3, 2, 1, DAMAGED],
        [1, 1, 0, null],
      ],
    });
  });

  it('can list nothing when every unit was saved before', async () => {
    await dock.arriving('c5');
    await dock.update('c5', ALL);
    expect((await dock.confirm('c5', [])).status).toBe(204);
    expect((await dock.stands('c5')).status).toBe(1400);
  });

  it('counts a line that it does not list with its last UPDATE', async () => {
    await dock.arriving('c6');
    await dock.update('c6', [pack('P2', line('1', 1, 1))]);
    expect((await dock.confirm('c6', [pack('P1', line('1', 2, 2)), pack('P2', line('2', 1, 1))])).status).toBe(204);
  });

  it('names every package without any saved quantity', async () => {
    await dock.arriving('c7');
    const answer = await dock.confirm('c7', []);
    expect(faultsOf(answer)).toEqual(['/checkInPackages unaccounted', '/checkInPackages unaccounted']);
    expect(answer.body.errors.map((fault: { message: string }) => fault.message)).toEqual([
      expect.stringContaining('"P1"'),
      expect.stringContaining('"P2"'),
    ]);
  });

  it('names every line that is not fully accounted for, with the units that are', async () => {
    await dock.arriving('c8');
    await dock.update('c8', [pack('P1', line('1', 2, 1))]);
    const answer = await dock.confirm('c8', [pack('P2', line('1', 1, 1))]);
    expect(answer.body.errors.map((fault: { message: string }) => fault.message)).toEqual([
      'line "1" of package "P1" is missing, and only 1 of its 2 units is confirmed or canceled so far; add the line',
      'line "2" of package "P2" is missing, and only 0 of its 1 unit are confirmed or canceled so far; add the line',
    ]);
  });

  it('takes exactly the quantity: not one less and not one more', async () => {
    await dock.arriving('c9');
    const send = (arrived: number) =>
      dock.confirm('c9', [pack('P1', line('1', 2, arrived)), pack('P2', line('1', 1, 1), line('2', 1, 1))]);
    const at = '/checkInPackages/0/checkInPackageItems/0/checkInQuantity';
    expect(faultsOf(await send(1))).toEqual([`${at} unaccounted`]);
    expect(faultsOf(await send(3))).toEqual([`${at} maximum`]);
    expect((await send(2)).status).toBe(204);
  });

  it('checks in an order whose goods are already in the store in the same way', async () => {
    await dock.arriving('c10', { inStore: true, packages: undefined as never, shipFromAddress: undefined as never });
    expect((await dock.stands('c10')).queue).toBe('WAITING_FOR_INSTORE_CHECKIN_STS');
    expect((await dock.update('c10', [pack('1', line('1', 3, 3))])).status).toBe(204);
    expect((await dock.stands('c10')).queue).toBe('WAITING_FOR_INSTORE_CHECKIN_STS');
    expect((await dock.confirm('c10', [pack('1', line('2', 1, 1))])).status).toBe(204);
    expect(await dock.stands('c10')).toMatchObject({ status: 1400, queue: 'WAITING_FOR_CUSTOMER_PICK', hold: 'A1' });
  });
});

describe('check-in CONFIRM repeated', () => {
  beforeAll(async () => {
    await dock.arriving('r1');
    await dock.confirm('r1', ALL);
  });

  const isConflict = async (answer: Promise<{ status: number; body: { category: string; code: string } }>) => {
    const { status, body } = await answer;
    expect([status, body.category, body.code]).toEqual([400, 'STATE', 'CONFLICT']);
  };

  it('with the same content is 204 again and changes nothing, from any associate and in any order of lines', async () => {
    const before = await dock.stands('r1');
    const again = { ...message('r1', 'CONFIRM', [...ALL].reverse()), modifyAssociateId: 'ada' };
    expect((await dock.send('r1', again)).status).toBe(204);
    expect((await dock.confirm('r1', [])).status).toBe(204);
    expect(await dock.stands('r1')).toEqual(before);
    expect(await dock.events('r1')).toHaveLength(1);
  });

  it('with other quantities is a conflict', () =>
    isConflict(dock.confirm('r1', [pack('P1', line('1', 2, 1, 1, LOST))])));

  it('with the same content is 204 after the goods were moved; another hold location is still a conflict', async () => {
    const moved = await dock.call({
      method: 'POST',
      path: '/operator/v1/stores/S1/fulfillmentOrders/r1/move',
      body: { moveId: 'm1', userId: 'ana', holdLocation: 'B7' },
      headers: { apiKey: dock.keys.all },
    });
    expect(moved.status, moved.text).toBe(200);
    expect((await dock.confirm('r1', ALL)).status).toBe(204);
    await isConflict(dock.confirm('r1', ALL, { holdLocation: 'B2' }));
  });

  it('with another hold location is a conflict', () => isConflict(dock.confirm('r1', ALL, { holdLocation: 'B2' })));

  it('an UPDATE after CONFIRM is a conflict, also with the same quantities', () => isConflict(dock.update('r1', ALL)));

  it('with the same content is 204 also if its reason was removed in the meantime', async () => {
    await dock.arriving('r3');
    const counted = [pack('P1', line('1', 2, 1, 1, LOST)), ALL[1]];
    await dock.confirm('r3', counted);
    const path = '/operator/v1/clients/C1';
    const { body } = await dock.operator('GET', path);
    const cancelReasons = [{ code: 'OTHER', description: 'Other' }];
    const put = await dock.operator('PUT', path, { ...body, settings: { ...body.settings, cancelReasons } });
    expect(put.status, put.text).toBe(200);
    const again = await dock.confirm('r3', counted);
    await isConflict(dock.confirm('r3', [pack('P1', line('1', 2, 0, 2, LOST)), ALL[1]]));
    await dock.operator('PUT', path, body);
    expect(again.status, again.text).toBe(204);
  });

  it('with another reason is a conflict', async () => {
    await dock.arriving('r2');
    await dock.confirm('r2', [pack('P1', line('1', 2, 1, 1, LOST)), ALL[1]]);
    await isConflict(dock.confirm('r2', [pack('P1', line('1', 2, 1, 1, DAMAGED)), ALL[1]]));
  });
});

describe('check-in reasons', () => {
  it.each(codes)('%s is known', async (code) => {
    const id = `code-${codes.indexOf(code)}`;
    await dock.arriving(id);
    expect((await dock.update(id, [pack('P1', line('1', 2, 0, 2, code))])).status).toBe(204);
  });

  it('a canceled unit needs a reason, and the error lists the known ones', async () => {
    await dock.arriving('why');
    for (const reason of [undefined, '']) {
      const answer = await dock.update('why', [pack('P1', line('1', 2, 1, 1, reason))]);
      expect(faultsOf(answer)).toEqual([
        '/checkInPackages/0/checkInPackageItems/0/checkInCancellationReasonCode required',
      ]);
      for (const code of codes) expect(answer.body.errors[0].message).toContain(code);
    }
  });

  it('an unknown reason is an error that lists the known ones, with nothing canceled too', async () => {
    await dock.arriving('odd');
    for (const canceled of [0, 1]) {
      const answer = await dock.update('odd', [pack('P1', line('1', 2, 1, canceled, 'stsproductnotreceived'))]);
      expect(faultsOf(answer)).toEqual([
        '/checkInPackages/0/checkInPackageItems/0/checkInCancellationReasonCode reason',
      ]);
      for (const code of codes) expect(answer.body.errors[0].message).toContain(code);
    }
  });

  it('a known reason without canceled units is dropped', async () => {
    await dock.arriving('drop');
    await dock.update('drop', [pack('P1', line('1', 2, 1, 0, LOST))]);
    const { checkInPackages } = (await dock.read('drop')).body.fulfillmentOrder;
    expect(checkInPackages[0].checkInPackageItems).toEqual([line('1', 2, 1)]);
  });

  it('a client’s own reasons replace the known ones', async () => {
    const own = await openDock();
    try {
      await own.operator('PUT', '/operator/v1/clients/C1', {
        name: 'First',
        catalogIds: ['1'],
        settings: { cancelReasons: [{ code: 'GONE', description: 'Gone' }] },
      });
      await own.arriving('own');
      expect((await own.update('own', [pack('P1', line('1', 2, 1, 1, 'GONE'))])).status).toBe(204);
      expect((await own.update('own', [pack('P1', line('1', 2, 1, 1, LOST))])).status).toBe(400);
    } finally {
      await own.close();
    }
  });
});

describe('check-in errors', () => {
  beforeAll(() => dock.arriving('f1'));

  it('are all listed in one response, and nothing is saved', async () => {
    const before = await dock.stands('f1');
    const answer = await dock.send('f1', {
      modifyAssociateId: 'bo',
      fulfillmentOrder: {
        action: 'CONFIRM',
        storeId: 'S2',
        nodeId: 'N2',
        fulfillmentOrderId: 'f2',
        omsOrderId: 'no',
        webOrderId: 'no',
        checkInPackages: [
          {
            ...pack('P1', line('1', 3, 1, 1), { ...line('1', 2, 2), itemId: 'x' }, line('9', 1, 1)),
            trackingNumber: 'T9',
          },
          pack('P1', line('1', 2, 2)),
          pack('P9', line('1', 1, 1)),
        ],
      },
    });
    expect([answer.status, answer.body.code]).toEqual([400, 'INVALID_REQUEST']);
    expect(faultsOf(answer)).toEqual([
      '/storeId path-mismatch',
      '/nodeId path-mismatch',
      '/fulfillmentOrderId path-mismatch',
      '/holdLocation required',
      '/omsOrderId mismatch',
      '/webOrderId mismatch',
      '/checkInPackages/0/trackingNumber mismatch',
      '/checkInPackages/0/checkInPackageItems/0/quantity mismatch',
      '/checkInPackages/0/checkInPackageItems/0/checkInCancellationReasonCode required',
      '/checkInPackages/0/checkInPackageItems/1/webLineId duplicate',
      '/checkInPackages/0/checkInPackageItems/2/webLineId unknown',
      '/checkInPackages/1/checkInPackageId duplicate',
      '/checkInPackages/2/checkInPackageId unknown',
      '/checkInPackages unaccounted',
    ]);
    expect(answer.body.errorsTotal).toBe(14);
    expect(await dock.stands('f1')).toEqual(before);
  });

  it('an unknown package or line names the known ones', async () => {
    const answer = await dock.update('f1', [pack('P9', line('1', 1, 1)), pack('P2', line('9', 1, 1))]);
    expect(answer.body.errors[0].message).toContain('"P1", "P2"');
    expect(answer.body.errors[1].message).toContain('"1", "2"');
  });

  it('an item that is not the line’s is rejected with the item of the line', async () => {
    const answer = await dock.update('f1', [pack('P1', { ...line('1', 2, 2), itemId: '1-B' })]);
    expect(faultsOf(answer)).toEqual(['/checkInPackages/0/checkInPackageItems/0/itemId mismatch']);
    expect(answer.body.errors[0].message).toContain('"1-A"');
  });

  it('a line of another package is not a line of this one', async () => {
    expect(faultsOf(await dock.update('f1', [pack('P1', line('2', 1, 1))]))).toEqual([
      '/checkInPackages/0/checkInPackageItems/0/webLineId unknown',
    ]);
  });

  it('lists at most 100 and counts all', async () => {
    const answer = await dock.update('f1', [pack('P1', ...Array.from({ length: 150 }, () => line('9', 1, 1)))]);
    expect([answer.body.errors.length, answer.body.errorsTotal]).toEqual([100, 150]);
  });
});

describe('check-in events', () => {
  it('carry counts and the associate, and no customer', async () => {
    await dock.arriving('e1');
    await dock.update('e1', [pack('P1', line('1', 2, 1, 1, LOST))]);
    await dock.confirm('e1', [ALL[1]]);
    expect(await dock.events('e1')).toEqual([
      {
        type: 'order.checkInSaved',
        data: {
          modifyAssociateId: 'bo',
          status: '1300',
          statusName: 'Waiting for check-in',
          lines: 1,
          checkedIn: 1,
          canceled: 1,
        },
      },
      {
        type: 'order.checkedIn',
        data: {
          modifyAssociateId: 'bo',
          status: '1400',
          statusName: 'Ready for customer pickup',
          lines: 2,
          checkedIn: 3,
          canceled: 1,
        },
      },
    ]);
  });
});
