// The replica, its disk and its timers as sealing sees them (sync/sealing/ports.ts).
import type { Id } from '#core/ids.ts';
import { UNREAD } from '../replica/generation-history.ts';
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

/** The copy as the scope of a list that stays encrypted sees it. */
function hostOfList(
  own: SealingHost,
  scope: Id,
  { replica, saves }: Pick<Ports, 'replica' | 'saves'>,
): SealingHost {
  const isKept = () => replica.meta.lists?.[scope] !== undefined;
  const keep = (state: 'open' | 'locked') => {
    if (replica.meta.lists?.[scope] === state) return;
    replica.amend({ meta: { ...replica.meta, lists: { ...replica.meta.lists, [scope]: state } } }, null);
    saves.add({});
  };
  return {
    ...own,
    scope,
    // What is sealed in a list belongs to no account.
    account: 0,
    held: () => replica.confirmedOf(scope),
    get isHeld() {
      return replica.meta.cursors[scope] !== undefined;
    },
    seenBefore: (generation) => seenIn(replica, scope, generation),
    get wasSealed() {
      return isKept();
    },
    remember() {
      if (!isKept()) keep('locked');
    },
    // Nothing goes from it to another scope, whatever its state is.
    standApart: () => undefined,
    showsKey: (hasKey) => keep(hasKey ? 'open' : 'locked'),
    // Programs write nothing there.
    get inbox() {
      return {};
    },
    keepInbox: () => undefined,
  };
}

/** The highest version of a scope that was seen before this generation of the server began; null: the copy isn't in it. */
function seenIn(replica: DeviceReplica, scope: Id, generation: string): number | null {
  const { cursors, trails = {} } = replica.meta;
  if (cursors[scope]?.generation !== generation) return null;
  const before = (trails[scope] ?? []).filter(([each]) => each !== generation);
  return Math.max(0, ...before.map(([, version]) => version));
}

/** What sealing asks of a copy. `wake`: something can be sent now. */
export function hostOf(ports: Ports, wake: () => void): SealingHost {
  const { replica, saves, timers } = ports;
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
    get isReading() {
      const { readings, cursors } = replica.meta;
      return readings !== undefined || Object.values(cursors).some(({ generation }) => generation === UNREAD);
    },
    confirmed: (id) => replica.confirmed(id),
    row: (id) => replica.row(id),
    held: () => replica.confirmedOf(replica.scope),
    isHeld: true,
    attachments: () => replica.stored().filter(isAttachment),
    namesFile: (scope, hash, besides) =>
      [...replica.all()].some(
        (row) => isAttachment(row) && row.scope === scope && row.fields.hash === hash && row.id !== besides,
      ),
    put: (rows) => saves.add({ rowsPut: receivePage(replica, rows, () => true) }),
    seenBefore: (generation) => seenIn(replica, replica.scope, generation),
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
    get lists() {
      return Object.keys(replica.meta.lists ?? {}) as Id[];
    },
    list(scope) {
      return hostOfList(this, scope, ports);
    },
  };
}
