// The replica, its disk and its timers as sealing sees them (sync/sealing/ports.ts).
import type { DeviceMeta, Timers } from '../replica/ports.ts';
import type { DeviceReplica } from '../replica/replica.ts';
import type { SaveQueue } from '../replica/save-queue.ts';
import type { SealingHost } from '../sealing/ports.ts';
import type { AttachmentRow, StoredRow } from '../rows/row.ts';
import { receivePage } from './taking-in.ts';

interface Ports {
  readonly replica: DeviceReplica;
  readonly saves: SaveQueue;
  readonly timers: Timers;
}

const isAttachment = (row: StoredRow): row is AttachmentRow => row.type === 'attachment';

/** What sealing asks of a copy. `wake`: something can be sent now. */
export function hostOf({ replica, saves, timers }: Ports, wake: () => void): SealingHost {
  const keep = (meta: DeviceMeta): void => {
    replica.amend({ meta }, null);
    saves.add({});
  };
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
    row: (id) => replica.row(id),
    held: () => replica.confirmedOf(replica.scope),
    attachments: () => replica.stored().filter(isAttachment),
    namesFile: (scope, hash, besides) =>
      [...replica.all()].some(
        (row) => isAttachment(row) && row.scope === scope && row.fields.hash === hash && row.id !== besides,
      ),
    put: (rows) => saves.add({ rowsPut: receivePage(replica, rows, () => true) }),
    seenBefore(generation) {
      const { cursors, trails = {} } = replica.meta;
      if (cursors[replica.scope]?.generation !== generation) return null;
      const before = (trails[replica.scope] ?? []).filter(([each]) => each !== generation);
      return Math.max(0, ...before.map(([, version]) => version));
    },
    saved: () => saves.flushed(),
    get wasSealed() {
      return replica.meta.sealed === true;
    },
    remember() {
      if (replica.meta.sealed !== true) keep({ ...replica.meta, sealed: true });
    },
    standApart(isApart, isBridge) {
      const { apart, bridge, ...meta } = replica.meta;
      if ((apart === true) === isApart && (bridge === true) === isBridge) return;
      keep({ ...meta, ...(isApart ? { apart: true } : {}), ...(isBridge ? { bridge: true } : {}) });
    },
    get inbox() {
      return replica.meta.inbox ?? {};
    },
    keepInbox: (inbox) => keep({ ...replica.meta, inbox }),
    breathe: () =>
      new Promise((resolve) => {
        if (timers.soon === undefined) timers.after(0, resolve);
        else timers.soon(resolve);
      }),
    wake,
  };
}
