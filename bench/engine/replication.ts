// What the replica costs alone: predicting an operation, and taking in rows of another device while own operations wait.
import { registerChecks } from '#wire/registers.ts';
import { inboxId, type Id } from '#core/ids.ts';
import { rowToWire } from '#sync/rows/codec.ts';
import { DeviceReplica } from '#sync/replica/replica.ts';
import { asRow, type Row } from '#sync/rows/row.ts';
import { receive } from '#sync/exchange/taking-in.ts';
import type { ScopeChanges } from '#wire/sync.ts';
import type { Distribution } from '../statistics.ts';
import { timeSteps } from './measure.ts';
import { clock, newId, random, scope } from './subject.ts';

const PAGE_ROWS = 1_000;
const WAITING = 100;
const REMOTE_ROWS = 20;
const ACCOUNT = 7;

export function openReplica(rows: readonly Row[]): DeviceReplica {
  const meta = {
    device: newId(),
    deviceNumber: 1,
    scope,
    account: ACCOUNT,
    seq: 0,
    acked: 0,
    cursors: {},
    clockOffsetMs: 0,
  };
  const replica = new DeviceReplica(meta, [], { checks: registerChecks, clock, random });
  for (let at = 0; at < rows.length; at += PAGE_ROWS) replica.load(rows.slice(at, at + PAGE_ROWS));
  replica.loaded();
  return replica;
}

function answerWith(rows: readonly Row[], version: number): ScopeChanges {
  const changed = rows.map((row, index) =>
    asRow({
      ...row,
      version: version + index,
      fields: { ...row.fields, title: `from elsewhere ${version + index}` },
      stamp: [version + index, clock.now(), 2, version + index],
    }),
  );
  return {
    scope,
    generation: 'bench',
    from: version - 1,
    to: version + rows.length,
    rows: changed.map(rowToWire),
    gone: [],
    more: false,
  };
}

export function timeReplica(rows: readonly Row[], count: number): ReadonlyMap<string, Distribution> {
  const replica = openReplica(rows);
  const tasks = rows.filter((row) => row.type === 'task').map((row) => row.id);
  const pick = (at: number): Id => tasks[(at * 7_919) % tasks.length] as Id;
  let version = 10;
  const set = timeSteps(count, (at) => {
    replica.issue([{ a: 'set', id: pick(at), field: 'title', value: `named ${at}` }]);
  });
  const place = timeSteps(count, (at) => {
    replica.issue([{ a: 'place', id: pick(at), place: { parent: inboxId(scope), after: pick(at + 1) } }]);
  });
  const fresh = openReplica(rows);
  for (let at = 0; at < WAITING; at += 1)
    fresh.issue([{ a: 'set', id: pick(at), field: 'title', value: `waiting ${at}` }]);
  const news = timeSteps(count, (at) => {
    const remote = Array.from({ length: REMOTE_ROWS }, (_, index) => fresh.row(pick(at * 3 + index))).filter(
      (row) => row !== undefined,
    );
    const changes = [answerWith(remote, version)];
    version += REMOTE_ROWS + 1;
    receive(fresh, { results: [], changes, left: [], deviceNumber: 1, clockOffsetMs: 0 });
  });
  return new Map([
    ['set a title', set],
    ['move to another place', place],
    [`take in ${REMOTE_ROWS} rows over ${WAITING} waiting operations`, news],
  ]);
}
