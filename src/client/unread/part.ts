// Marks for what others changed in shared lists: at a list in the sidebar, at rows. A list is seen once it was open for a moment; up
// to where is kept in its mount (`seenVersion`), for all of the person's devices. A muted list has no marks.
import { listsRoot, type Id } from '#core/ids.ts';
import type { ChangeCause, RowChange } from '#sync/replica/replica-types.ts';
import type { Row } from '#sync/rows/row.ts';
import { definePart, type PartHooks } from '../app/part.ts';
import { within } from '../app/portions.ts';
import type { Program } from '../app/program.ts';
import { mountOf, setMount } from '../own-layer/mount-fields.ts';
import { DeviceOwners } from './device-owners.ts';
import { Unread, type SeenUpTo } from './unread.ts';

/** A list that is open this long has been seen. */
const SEEN_MS = 2_000;
/** What arrives while it stays open is written down this often at most. */
const AGAIN_MS = 15_000;
/** A server that did not say whose a device is gets asked again after this. */
const ASK_AGAIN_MS = 30_000;
/** Rows are looked through in portions, so that no key waits for the marks. */
const PORTION_MS = 4;
/** Rows between two looks at the clock. */
const STRETCH = 500;

class UnreadMarks implements PartHooks {
  readonly #program: Program;
  readonly #unread: Unread;
  /** The shared list at the top of a scope. */
  readonly #lists = new Map<Id, Id>();
  readonly #owners: DeviceOwners;
  #isAsking = false;
  /** Ends waiting for the next time that the server is asked. */
  #stopAsking: (() => void) | null = null;
  /** Ends looking through the rows. */
  #stopLooking: (() => void) | null = null;
  #open: Id | null = null;
  /** Rows marked in the open list until the cursor was on them, or the list is left. */
  readonly #marked = new Set<Id>();
  /** Rows of the open list that the cursor was on, with what was unread of them then. */
  readonly #looked = new Map<Id, number>();
  #cancel: (() => void) | null = null;
  #hasWritten = false;
  /** Of what is unread, as it was when the open list was marked last. */
  #grown = -1;
  /** Up to where a list had been seen when its unread rows were last looked through. */
  readonly #pruned = new Map<Id, number>();

  constructor(program: Program) {
    const { replica, rowFacts, sidebar } = program;
    this.#program = program;
    this.#owners = new DeviceOwners(program);
    this.#unread = new Unread({
      scope: replica.scope,
      row: (id) => replica.row(id),
      whose: (device) => this.#owners.whose(device),
      seenUpTo: (scope) => this.#seenUpTo(scope),
    });
    rowFacts.isUnread = (row) => this.#isUnread(row);
    sidebar.isUnread = (row) =>
      row.type === 'list' && row.scope !== replica.scope && this.isUnread(row.scope);
    void program.engine.loaded().then(
      () => program.act(() => this.#begin()),
      () => undefined,
    );
  }

  /** Others changed something in the list of this scope that the person has not seen. */
  isUnread(scope: Id): boolean {
    return scope !== this.#open && this.#unread.in(scope).size > 0 && !this.#isMuted(scope);
  }

  apply(changes: readonly RowChange[], cause: ChangeCause): void {
    for (const { id, before, after } of changes) {
      const row = after ?? before;
      if (row?.type === 'list' && row.scope !== this.#program.replica.scope) this.#lists.set(row.scope, id);
    }
    if (cause === 'load') return;
    if (cause === 'remote') this.#owners.refresh();
    for (const { after } of changes) this.#owners.notice(after);
    this.#unread.apply(changes);
    this.#askWhose();
  }

  beforeSettle(): void {
    for (const scope of this.#unread.scopes) this.#prune(scope);
    const open = this.#openScope();
    if (open !== this.#open) {
      this.#leave();
      this.#open = open;
      this.#grown = -1;
    }
    const { cursor } = this.#program.workspace;
    if (open !== null && this.#grown !== this.#unread.grown) {
      for (const [id, version] of this.#unread.in(open))
        if (this.#looked.get(id) !== version) this.#marked.add(id);
      this.#seeSoon();
    }
    this.#grown = this.#unread.grown;
    if (cursor !== null) this.#look(cursor);
  }

  tick(): void {
    for (const scope of this.#unread.scopes) this.#prune(scope);
  }

  close(): void {
    this.#stopAsking?.();
    this.#stopLooking?.();
    this.#leave();
  }

  #begin(): void {
    const { replica } = this.#program;
    for (const scope of replica.scopes) {
      const list = replica.children(listsRoot(scope)).find(({ type }) => type === 'list');
      if (list !== undefined && list.scope !== replica.scope) this.#lists.set(scope, list.id);
    }
    if (this.#lists.size === 0) return;
    for (const list of this.#lists.values()) this.#owners.notice(mountOf(replica, list));
    this.#lookThrough();
  }

  /** Notes every row, from the first; afterwards the work grows with what changes. */
  #lookThrough(): void {
    this.#stopLooking?.();
    this.#lookAtRows(this.#program.replica.all()[Symbol.iterator]());
  }

  #lookAtRows(rows: Iterator<Row>): void {
    this.#stopLooking = null;
    const { replica } = this.#program;
    const isOver = within(replica, PORTION_MS);
    this.#owners.refresh();
    const seen = new Map<Id, SeenUpTo>();
    for (let looked = 1; ; looked += 1) {
      const { value: row, done } = rows.next();
      if (done === true) break;
      if (row.scope === replica.scope) this.#owners.notice(row);
      else {
        let upTo = seen.get(row.scope);
        if (upTo === undefined) seen.set(row.scope, (upTo = this.#seenUpTo(row.scope)));
        this.#unread.note(row, upTo);
      }
      if (looked % STRETCH === 0 && isOver()) {
        this.#stopLooking = this.#program.after(0, () => this.#lookAtRows(rows));
        return;
      }
    }
    this.#seeSoon();
    this.#askWhose();
  }

  /** The scope of the shared list that is in front of the person. */
  #openScope(): Id | null {
    const { workspace, replica } = this.#program;
    const { place, results } = workspace;
    if (results !== null || place.type === 'trash') return null;
    const scope = replica.row(place.id)?.scope ?? replica.scope;
    return scope === replica.scope ? null : scope;
  }

  #look(id: Id): void {
    const scope = this.#program.replica.row(id)?.scope;
    if (scope === undefined || scope === this.#program.replica.scope) return;
    this.#marked.delete(id);
    const version = this.#unread.in(scope).get(id);
    // In the open list it stays to be written down.
    if (scope !== this.#open) this.#unread.look(scope, id);
    else if (version !== undefined) this.#looked.set(id, version);
  }

  #isUnread({ id, scope }: Row): boolean {
    if (scope === this.#program.replica.scope) return false;
    const isMarked = scope === this.#open ? this.#marked.has(id) : this.#unread.in(scope).has(id);
    return isMarked && !this.#isMuted(scope);
  }

  #isMuted(scope: Id): boolean {
    const list = this.#lists.get(scope);
    return list !== undefined && mountOf(this.#program.replica, list)?.fields.muted === true;
  }

  #seenUpTo(scope: Id): SeenUpTo {
    const list = this.#lists.get(scope);
    const { seenVersion, joinedAt = 0 } =
      (list === undefined ? undefined : mountOf(this.#program.replica, list)?.fields) ?? {};
    return seenVersion === undefined ? { version: 0, time: joinedAt } : { version: seenVersion, time: 0 };
  }

  /** Another device may have seen more. */
  #prune(scope: Id): void {
    const { version } = this.#seenUpTo(scope);
    if (this.#pruned.get(scope) === version) return;
    this.#pruned.set(scope, version);
    this.#unread.reconsider(scope);
  }

  #seeSoon(): void {
    const open = this.#open;
    // What is written down counts for all rows: also for those that were not looked through yet.
    if (this.#stopLooking !== null) return;
    if (open === null || this.#cancel !== null || this.#unread.in(open).size === 0) return;
    this.#cancel = this.#program.after(this.#hasWritten ? AGAIN_MS : SEEN_MS, () => {
      this.#cancel = null;
      this.#write();
    });
  }

  #leave(): void {
    this.#cancel?.();
    this.#cancel = null;
    this.#write();
    this.#hasWritten = false;
    this.#marked.clear();
    this.#looked.clear();
  }

  #write(): void {
    const { replica } = this.#program;
    const list = this.#open === null ? undefined : this.#lists.get(this.#open);
    if (this.#open === null || list === undefined || replica.row(list) === undefined) return;
    const version = this.#unread.lookAt(this.#open);
    if (version === null || version <= this.#seenUpTo(this.#open).version) return;
    this.#hasWritten = true;
    const actions = setMount(replica, list, { seenVersion: version });
    this.#program.change(actions, 'seen', { undoable: false, group: replica.newId() });
  }

  /** Rows tell devices, and the server says which are the person's own. Asked once for each number; until then it has no mark. */
  #askWhose(): void {
    const { unknown } = this.#owners;
    if (unknown.size === 0 || this.#isAsking) return;
    this.#isAsking = true;
    const asked = [...unknown];
    const failed = () => {
      this.#stopAsking = this.#program.after(ASK_AGAIN_MS, () => {
        this.#isAsking = false;
        this.#askWhose();
      });
    };
    void this.#program.platform.account.devices().then(
      (answer) =>
        this.#program.act(() => {
          if ('message' in answer) failed();
          else this.#learn(asked, answer);
        }),
      failed,
    );
  }

  #learn(asked: readonly number[], own: readonly { readonly number: number }[]): void {
    this.#isAsking = false;
    this.#owners.learn(
      asked,
      own.map(({ number }) => number),
    );
    this.#lookThrough();
  }
}

/** What others changed and the person has not seen yet. */
export const unreadMarks = definePart({
  name: 'Unread marks',
  create: (program) => new UnreadMarks(program),
});
