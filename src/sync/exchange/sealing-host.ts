// The replica, its disk and its timers as sealing sees them (sync/sealing/ports.ts).
import type { Id } from '#core/ids.ts';
import { limits } from '#core/model.ts';
import { placeOf } from '../rows/row-reading.ts';
import type { Operation } from '../rows/operation.ts';
import type { Row } from '../rows/row.ts';
import type { Timers } from '../replica/ports.ts';
import type { DeviceReplica } from '../replica/replica.ts';
import type { SaveQueue } from '../replica/save-queue.ts';
import type { SealingHost } from '../sealing/ports.ts';
import { receivePage } from './taking-in.ts';

interface Ports {
  readonly replica: DeviceReplica;
  readonly saves: SaveQueue;
  readonly timers: Timers;
}

/** The task of a record, or the parent of anything else. */
const above = (row: Row | undefined): Id | undefined =>
  row?.type === 'completion' ? row.fields.task : placeOf(row)?.parent;

/** Rows that were made here are where the first one above them is that the server has: it may have moved since. */
function homeOf(replica: DeviceReplica, operation: Operation): Id {
  let at: Id | undefined = operation.id;
  for (let hops = 0; at !== undefined && hops < limits.depth; hops += 1) {
    const confirmed = replica.confirmed(at);
    if (confirmed !== undefined) return confirmed.scope;
    at = above(replica.row(at));
  }
  return operation.scope;
}

/** What sealing asks of a copy. `wake`: something can be sent now. */
export function hostOf({ replica, saves, timers }: Ports, wake: () => void): SealingHost {
  return {
    get scope() {
      return replica.scope;
    },
    get account() {
      return replica.account;
    },
    numberOf(device) {
      const { meta } = replica;
      const lanes = [meta, ...Object.values(meta.lanes ?? {})];
      return lanes.find((lane) => lane.device === device)?.deviceNumber ?? 0;
    },
    typeOf: (id) => replica.row(id)?.type ?? replica.storedRow(id)?.type,
    confirmed: (id) => replica.confirmed(id),
    homeOf: (operation) => homeOf(replica, operation),
    held: () => replica.confirmedOf(replica.scope),
    put: (rows) => saves.add({ rowsPut: receivePage(replica, rows, () => true) }),
    get wasSealed() {
      return replica.meta.sealed === true;
    },
    remember() {
      if (replica.meta.sealed === true) return;
      replica.amend({ meta: { ...replica.meta, sealed: true } }, null);
      saves.add({});
    },
    standApart(isApart) {
      const { apart: before, ...meta } = replica.meta;
      if ((before === true) === isApart) return;
      replica.amend({ meta: isApart ? { ...meta, apart: true } : meta }, null);
      saves.add({});
    },
    breathe: () =>
      new Promise((resolve) => {
        if (timers.soon === undefined) timers.after(0, resolve);
        else timers.soon(resolve);
      }),
    wake,
  };
}
