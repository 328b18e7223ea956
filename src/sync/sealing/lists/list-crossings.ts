// Moves of tasks into lists that stay encrypted and out of them, as they are sent: everything that moves goes along in the form of the scope that it
// goes to, sealed with its key, or open where that one is plain. The server moves it so, all or nothing, and nothing is open on the way.
import type { Id } from '#core/ids.ts';
import { failed, ok, type Result } from '#core/result.ts';
import type { Sealer } from '#core/sealing/envelope.ts';
import type { Keyring } from '#core/sealing/keys.ts';
import { fateOf, hiddenRegister } from '#core/sealing/sealable.ts';
import { alongLimits, type Reformed, type SyncRequest, type SyncResponse } from '#wire/sync.ts';
import {
  counterpartOf,
  isLabelLiving,
  isLabelPrivate,
  labelNameKey,
  labelRegister,
  labelsNamedOn,
  type GroupedLabel,
} from '../../rows/label-mapping.ts';
import { lockedOf } from '../../rows/locked.ts';
import type { HeardVerdict, Operation } from '../../rows/operation.ts';
import { placeOf } from '../../rows/row-reading.ts';
import { isKnown, registersOf, registerStamp, type Row } from '../../rows/row.ts';
import type { DeviceKeys } from '../device-keys.ts';
import { Homes } from '../leaving/home.ts';
import { rowsBeneath } from '../leaving/list-walk.ts';
import { writerOf } from '../reencoding.ts';
import { sealRegister } from '../registers.ts';
import type { SealingHost } from '../ports.ts';

/** How often a move is tried that the server leaves unjudged, as something was written beneath it, or that can't be made here. */
const TRIES = 5;
/** Rows that are sealed before keys and frames have their turn. */
const TURN_ROWS = 16;

interface Ports {
  /** Of somebody's own scope. */
  readonly keys: DeviceKeys;
  /** Of lists that stay encrypted, by their scopes. */
  readonly lists: ReadonlyMap<Id, DeviceKeys>;
  readonly host: SealingHost;
}

interface Move {
  readonly operation: Operation;
  readonly from: Id;
  readonly to: Id;
}

/** What of a request can go out now. */
export interface Departing {
  readonly request: SyncRequest;
  /** A move that is answered here. */
  readonly refused: readonly [q: number, verdict: HeardVerdict][];
}

/** A side of a move: `open` it is plain; `shut` it is sealed, and this device has no key for it now. */
type Side = { readonly ring: Keyring; readonly sealer: Sealer | null } | 'open' | 'shut';

/** The register in the form of the other side; null: it is the same there. */
function reformed(
  row: Row,
  [name, value]: readonly [string, unknown],
  { from, to }: { readonly from: Exclude<Side, 'shut'>; readonly to: Exclude<Side, 'shut'> },
): Result<Reformed | null, null> {
  const fate = fateOf(row.type, name);
  // What a note was merged from stays behind.
  if (fate === 'plain' || name === 'notesDoc' || value === null || value === undefined) return ok(null);
  const stamp = registerStamp(row, name);
  const known = from !== 'open' && fate === 'hidden' ? hiddenRegister(from.ring, row.id, name) : name;
  const beside = row.type === 'attachment' && name === 'content' ? { hash: row.fields.hash } : {};
  const of = { id: row.id, from: known, stamp: [...stamp] as Reformed['stamp'], ...beside };
  if (to === 'open') return ok({ ...of, to: { name, value: value as Reformed['to']['value'] } });
  if (to.sealer === null) return failed(null);
  const subject = { id: row.id, type: row.type, fields: registersOf(row) };
  const sealed = sealRegister({ sealer: to.sealer, writer: writerOf(stamp) }, subject, { name, value });
  return sealed.ok ? ok({ ...of, to: sealed.value as Reformed['to'] }) : failed(null);
}

/** The labels of a scope, for what comes there. */
interface LabelsThere {
  readonly scope: Id;
  readonly labels: readonly GroupedLabel[];
  /** A label of any scope; undefined: it isn't known here. */
  readonly labelOf: (id: Id) => GroupedLabel | undefined;
}

/** The labels on a task that are called as one of the other side, as that one: a server can't compare their names. Private ones stay. */
function relabeled(row: Row, { scope, labels, labelOf }: LabelsThere): readonly Reformed[] {
  if (row.type !== 'task') return [];
  const registers = registersOf(row);
  return labelsNamedOn(row).flatMap(({ label: id, isOn }) => {
    const label = isOn ? labelOf(id) : undefined;
    if (label === undefined || label.row.scope === scope || isLabelPrivate(label)) return [];
    const there = counterpartOf(labelNameKey(label.row), { scope, labels, twins: new Set() });
    if (there === undefined || registers[labelRegister(there)] !== undefined) return [];
    const from = labelRegister(id);
    const stamp = [...registerStamp(row, from)] as Reformed['stamp'];
    return [{ id: row.id, from, to: { name: labelRegister(there), value: true }, stamp }];
  });
}

/** Sees to moves between encrypted lists and other scopes. */
export class ListCrossings {
  readonly #ports: Ports;
  /** How often a move had no success, by its number. */
  readonly #tries = new Map<number, number>();

  constructor(ports: Ports) {
    this.#ports = ports;
  }

  /** The beginning of the queue that can go out: all before the first of these moves, or the first one with what goes along. */
  async outgoing(request: SyncRequest): Promise<Departing> {
    const { host } = this.#ports;
    if (host.lists.length === 0) return { request, refused: [] };
    const queue = request.ops as readonly Operation[];
    const homes = new Homes(host);
    const moves = queue.map((operation) => this.#moveOf(operation, homes));
    const at = moves.findIndex((move) => move !== null);
    if (at !== 0) return { request: at < 0 ? request : { ...request, ops: queue.slice(0, at) }, refused: [] };
    const [move] = moves;
    if (move === null || move === undefined) return { request, refused: [] };
    const [from, to] = [await this.#side(move.from), await this.#side(move.to)];
    // With all that follows it waits for the key.
    if (from === 'shut' || to === 'shut') return { request: { ...request, ops: [] }, refused: [] };
    const { operation } = move;
    const isTired = (this.#tries.get(operation.q) ?? 0) >= TRIES;
    const along = isTired ? failed('forbidden' as const) : await this.#along(move, { from, to });
    if (along.ok)
      return {
        request: { ...request, ops: [operation], along: { [operation.u]: along.value } },
        refused: [],
      };
    this.#tries.delete(operation.q);
    return { request: { ...request, ops: [] }, refused: [[operation.q, along.problem]] };
  }

  /** What a server said to such a request. */
  heard({ ops, along }: SyncRequest, { results }: Pick<SyncResponse, 'results'>): void {
    if (along === undefined) return;
    for (const { q } of ops as readonly Operation[])
      if (results.some(([judged]) => judged === q)) this.#tries.delete(q);
      else this.#tries.set(q, (this.#tries.get(q) ?? 0) + 1);
  }

  #moveOf(operation: Operation, homes: Homes): Move | null {
    const from = homes.next(operation);
    if (operation.a !== 'place') return null;
    const to = homes.of(operation.place.parent) ?? from;
    const { lists } = this.#ports.host;
    return from !== to && [from, to].some((each) => lists.includes(each)) ? { operation, from, to } : null;
  }

  async #side(scope: Id): Promise<Side> {
    const { host, keys: own, lists } = this.#ports;
    const keys = scope === host.scope ? own : lists.get(scope);
    if (keys === undefined) return host.lists.includes(scope) ? 'shut' : 'open';
    await keys.load();
    const { ring, sealer, state } = keys;
    if (state.phase === 'plain' && !host.lists.includes(scope)) return 'open';
    // One that is being decrypted takes nothing meanwhile.
    const isReady = ring !== null && sealer !== null && keys.seals && !keys.isLeaving;
    return isReady ? { ring, sealer } : 'shut';
  }

  #labelsIn(scope: Id): LabelsThere {
    const { host } = this.#ports;
    const labelOf = (id: Id): GroupedLabel | undefined => {
      const row = host.confirmed(id);
      const parent = row === undefined ? undefined : placeOf(row)?.parent;
      return row?.type === 'label' ? { row, group: parent && host.confirmed(parent) } : undefined;
    };
    const held = (scope === host.scope ? host : host.list(scope)).held();
    const labels = held.flatMap(({ id, type }) => (type === 'label' ? (labelOf(id) ?? []) : []));
    return {
      scope,
      labels: labels.filter((label) => isLabelLiving(label) && !isLabelPrivate(label)),
      labelOf,
    };
  }

  /** The registers of all that moves, in the form of the other side. `forbidden`: something doesn't open here. */
  async #along(
    { operation, from, to }: Move,
    sides: { readonly from: Exclude<Side, 'shut'>; readonly to: Exclude<Side, 'shut'> },
  ): Promise<Result<Reformed[], 'forbidden' | 'limit'>> {
    const { host } = this.#ports;
    const held = (from === host.scope ? host : host.list(from)).held();
    const beneath = rowsBeneath(held, operation.id);
    const labels = this.#labelsIn(to);
    const along: Reformed[] = [];
    for (const [index, row] of held.filter(({ id }) => beneath.has(id)).entries()) {
      if (!isKnown(row) || lockedOf(row) !== undefined) return failed('forbidden');
      for (const register of Object.entries(registersOf(row))) {
        const done = reformed(row, register, sides);
        if (!done.ok) return failed('forbidden');
        if (done.value !== null) along.push(done.value);
      }
      along.push(...relabeled(row, labels));
      if (along.length > alongLimits.registers) return failed('limit');
      if (index % TURN_ROWS === TURN_ROWS - 1) await host.breathe();
    }
    return JSON.stringify(along).length > alongLimits.bytes ? failed('limit') : ok(along);
  }
}
