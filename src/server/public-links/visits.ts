// What visitors of a public link change: a plan on the one write path, which decides from the rows as they are at that moment. It is
// written in the name of the owner of the list, by a device of the link, and the history keeps by which link. Exactly five things are
// possible; what of them a link permits, `authorise` decides inside the transaction.
import { deriveId, type Id } from '#core/ids.ts';
import { failed, ok, type Result } from '#core/result.ts';
import { walkUp } from '#core/walk-up.ts';
import { carryText } from '#sync/notes/note-merge.ts';
import { noteTextOf } from '#sync/notes/note.ts';
import type { Action, VisitorMark } from '#sync/rows/operation.ts';
import { isDone, isShown, isTrashed, occurrenceOf, placeOf } from '#sync/rows/row-reading.ts';
import { isEnvelope } from '#core/sealing/envelope.ts';
import { registersOf, type Row, type TaskRow } from '#sync/rows/row.ts';
import type { LinkPermission, VisitorChange } from '#wire/public-links.ts';
import type { SealedChange } from '#wire/public-page/sealed-links.ts';
import { authorise, type AccountActor } from '../access/authorise.ts';
import type { Exchange } from '../sync/exchange.ts';
import type { PlanView } from '#api/ports.ts';
import type { OpenLink } from './links.ts';
import type { LocalIds } from './local-ids.ts';

/** Why a visitor's change was not made. `stale`: the note that it was merged into isn't the present one. */
export type VisitProblem = 'gone' | 'forbidden' | 'too_deep' | 'invalid' | 'stale';

/** What a change needs. */
export interface VisitPorts {
  readonly exchange: Pick<Exchange, 'carryOut'>;
  readonly newId: () => Id;
  readonly now: () => number;
}

/** A change, and by which link it comes. */
export interface Visit {
  readonly link: OpenLink;
  /** The name that the page has. */
  readonly name: string;
  readonly ids: LocalIds;
  /** Of an encrypted list sealed by the page. */
  readonly change: VisitorChange | SealedChange;
}

/** The device of a link, for the person in whose name it writes. */
export const linkDevice = (link: Id, account: number): Id =>
  deriveId('public link', `${link} ${String(account)}`);

/** The owner of the list, acting for a visitor. */
function actorFor({ visitor, owner }: OpenLink): AccountActor {
  return {
    type: 'account',
    account: owner.account,
    session: linkDevice(visitor.link, owner.account),
    kind: 'api',
    personalScope: owner.personal,
    roles: new Map([[visitor.scope, 'member']]),
    visitor,
  };
}

/** A task that the link shows at this moment; undefined: there is none of this id. */
function shownTask(view: PlanView, { scope, list }: OpenLink['visitor'], id: Id): TaskRow | undefined {
  const task = view.row(scope, id);
  if (!isShown(task)) return undefined;
  const parentOf = (row: Row) => {
    const parent = placeOf(row)?.parent;
    return parent === undefined ? undefined : view.row(scope, parent);
  };
  for (const above of walkUp<Row>(task, parentOf)) {
    if (above.id === list) return isTrashed(above) ? undefined : task;
    if (!isShown(above)) return undefined;
  }
  return undefined;
}

/** Asked also where nothing would change: what is not permitted is refused whatever it would come to. */
const NEEDED: Readonly<Record<VisitorChange['do'], LinkPermission>> = {
  add: 'add',
  complete: 'complete',
  reopen: 'complete',
  title: 'titles',
  notes: 'notes',
};

type Plain<Do extends VisitorChange['do']> = VisitorChange & { readonly do: Do };
type Sealed<Do extends VisitorChange['do']> = SealedChange & { readonly do: Do };

/** Two texts, or two sealed ones. */
const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

class VisitPlan {
  readonly #visit: Visit;
  readonly #now: number;
  problem: VisitProblem | null = null;

  constructor(visit: Visit, now: number) {
    this.#visit = visit;
    this.#now = now;
  }

  /** The ids that the change names. */
  get ids(): readonly Id[] {
    const { ids, change } = this.#visit;
    const named = change.do === 'add' ? [change.parent, change.after] : [change.id];
    return named.flatMap((local) => {
      const id = local === undefined ? null : ids.read(local);
      return id === null ? [] : [id];
    });
  }

  /** Null: refused, and `problem` says why. */
  decide(view: PlanView): readonly Action[] | null {
    this.problem = null;
    const { change } = this.#visit;
    if (change.do === 'add') return this.#add(view, change);
    const task = this.#task(view, change.id);
    if (task === undefined) return this.#refuse('gone');
    const { id } = task;
    const occ = occurrenceOf(task);
    switch (change.do) {
      case 'complete':
        // A repeating task is marked as done and does not go on to its next date: that is for those whose list it is.
        return isDone(task) ? [] : [{ a: 'complete', id, occ, at: this.#now, next: null }];
      case 'reopen':
        return isDone(task) ? [{ a: 'reopen', id, occ, previous: null }] : [];
      case 'title':
        return isSame(task.fields.title ?? '', change.title)
          ? []
          : [{ a: 'set', id, field: 'title', value: change.title }];
      case 'notes':
        return typeof change.notes === 'string'
          ? this.#notes(task, change as Plain<'notes'>)
          : this.#sealedNotes(task, change as Sealed<'notes'>);
    }
  }

  /** The id of a new task: of one key there is one task, however often it is sent. */
  get made(): Id | null {
    const { link, change } = this.#visit;
    return change.do === 'add' ? deriveId('public task', `${link.visitor.link} ${change.key}`) : null;
  }

  #add(
    view: PlanView,
    { title, parent, after, ...others }: Plain<'add'> | Sealed<'add'>,
  ): readonly Action[] | null {
    const notes = 'notes' in others ? (others.notes ?? '') : '';
    const { scope, list } = this.#visit.link.visitor;
    const id = this.made;
    if (id === null) return null;
    if (view.row(scope, id) !== undefined || view.absence(scope, id) !== 'unknown') return [];
    const above = parent === undefined ? list : this.#task(view, parent)?.id;
    if (above === undefined) return this.#refuse('gone');
    if (parent === undefined && isTrashed(view.row(scope, list))) return this.#refuse('gone');
    const before = after === undefined ? undefined : this.#visit.ids.read(after);
    const place = { parent: above, ...(before ? { after: before } : { at: 'end' as const }) };
    const fields = { title, ...(notes === '' ? {} : { notes }) };
    return [{ a: 'create', id, type: 'task', fields, place }];
  }

  /** The page has merged it: nobody here could. It has to have seen what is there now. */
  #sealedNotes(task: TaskRow, { was, notes }: Sealed<'notes'>): readonly Action[] | null {
    const stored = registersOf(task)['notes'];
    const present = isEnvelope(stored) ? stored.e : null;
    // Sent again.
    if (present === (notes?.e ?? null)) return [];
    if (present !== was) return this.#refuse('stale');
    return [{ a: 'set', id: task.id, field: 'notes', value: notes }];
  }

  #notes(task: TaskRow, { was, notes }: Plain<'notes'>): readonly Action[] {
    const present = noteTextOf(task);
    // Sent again, or written by somebody else just so.
    if (was === notes || present === notes) return [];
    const value = carryText(was, notes, present);
    return value === present ? [] : [{ a: 'set', id: task.id, field: 'notes', value: value || null }];
  }

  #task(view: PlanView, local: string): TaskRow | undefined {
    const id = this.#visit.ids.read(local);
    return id === null ? undefined : shownTask(view, this.#visit.link.visitor, id);
  }

  #refuse(problem: VisitProblem): null {
    this.problem = problem;
    return null;
  }
}

/** Makes a visitor's change. Resolves, when it is durable, with the task that it is about. */
export async function visit(ports: VisitPorts, of: Visit): Promise<Result<Id | null, VisitProblem>> {
  const { exchange, newId, now } = ports;
  const { link, name, change } = of;
  const { scope, link: id } = link.visitor;
  const ask = { type: 'link', what: NEEDED[change.do], link: id } as const;
  if (!authorise(link.visitor, ask).allowed) return failed('forbidden');
  const plan = new VisitPlan(of, Math.round(now()));
  const nick = 'nick' in change ? (change.nick?.trim() ?? '') : '';
  const via: VisitorMark = { link: id, name, ...(nick === '' ? {} : { nick }) };
  const named = plan.ids.map((row) => ({ scope, id: row }));
  const actor = actorFor(link);
  const refused = await exchange.carryOut(actor, actor.session, {
    scopes: [scope],
    want: { rows: named, ancestors: named, siblings: [] },
    decide: (view) =>
      plan.decide(view)?.map((action) => ({ scope, action, u: newId(), x: newId(), g: newId(), via })) ??
      null,
  });
  if (refused === null) return ok(plan.made ?? plan.ids[0] ?? null);
  if (refused === 'by plan') return failed(plan.problem ?? 'gone');
  if (refused === 'device') return failed('forbidden');
  const { verdict } = refused;
  if (verdict === 'limit') return failed('too_deep');
  // Sealed with another key than the present one.
  if (verdict === 'forbidden' || verdict === 'encrypted') return failed('forbidden');
  return failed(verdict === 'gone' || verdict === 'badparent' ? 'gone' : 'invalid');
}
