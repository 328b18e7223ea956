// The simulated day adds up: everything that is done falls into a minute, sockets that open close again, and twice the accounts make twice
// the work.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { PEOPLE } from './assumptions.ts';
import { MINUTES, peak, simulate, total, WORK } from './simulate.ts';

const near = (value: number, wanted: number, share: number, what: string) =>
  assert.ok(Math.abs(value / wanted - 1) < share, `${what}: ${value}, about ${wanted} wanted`);

describe('a simulated day', () => {
  test('has the work that the assumptions say', () => {
    const accounts = 40_000;
    const { work, sockets } = simulate(accounts, PEOPLE, 1);
    const active = accounts * PEOPLE.active;
    const mean = PEOPLE.operations.median * Math.exp(PEOPLE.operations.spread ** 2 / 2);
    near(total(work.operations), active * mean, 0.05, 'operations');
    near(total(work.pushes), total(work.operations) / PEOPLE.operationsPerPush, 0.05, 'pushes');
    near(total(work.requests), accounts * PEOPLE.programs * PEOPLE.programRequests, 0.1, 'requests');
    near(total(work.reminders), active * PEOPLE.reminders, 0.05, 'reminders');
    near(total(work.rowsRead), active * PEOPLE.fullReads * PEOPLE.rows, 0.2, 'rows read');
    // Minutes that all sockets were open together, against those of each way of using the app.
    const { keepOpen, openHours, visits, visitMinutes, otherDevices } = PEOPLE;
    const open = keepOpen * ((openHours[0] + openHours[1]) / 2) * 60 + (1 - keepOpen) * visits * visitMinutes;
    near(total(sockets), active * (1 + otherDevices) * open, 0.05, 'minutes of sockets');
    assert.ok(sockets.every((count) => count >= 0));
    for (const kind of WORK) assert.equal(work[kind].length, MINUTES);
  });

  test('grows with the accounts, and is the same for the same seed', () => {
    const [one, again, twice] = [
      simulate(20_000, PEOPLE, 7),
      simulate(20_000, PEOPLE, 7),
      simulate(40_000, PEOPLE, 8),
    ];
    assert.deepEqual(one, again);
    near(total(twice.work.operations), 2 * total(one.work.operations), 0.05, 'operations');
    near(peak(twice.sockets), 2 * peak(one.sockets), 0.05, 'the busiest minute');
    assert.ok(
      peak(one.work.operations) > (3 * total(one.work.operations)) / MINUTES / 2,
      'there is a busy hour',
    );
  });
});
