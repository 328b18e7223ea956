// The labels of one write transaction of the exchange (sync/push.ts): plans what becomes of them where rows move and where an
// operation names labels of another scope, and keeps which labels stand for each other by now.
import type { Id } from '#core/ids.ts';
import { labelOfRegister, labelRegister, labelsNamedOn } from '#sync/rows/label-mapping.ts';
import type { Writer } from '#sync/rows/merge.ts';
import { apply, type ApplyContext } from '#sync/rows/apply.ts';
import type { Action, Operation, OperationHead, Verdict } from '#sync/rows/operation.ts';
import type { Row } from '#sync/rows/row.ts';
import type { AccountActor } from '../access/authorise.ts';
import type { LabelTwin, WriteTransaction } from '../data/store.ts';
import { lookUp, type OpenScope } from '../sync/open-scope.ts';
import type { WorkingSet } from '../sync/working-set.ts';
import { MissingLock } from '../sync/routing.ts';
import { readLabels, unlocked, type LabelPlan, type LabelScope } from './label-plan.ts';
import { moveLabels, type MovedLabels } from './moved-labels.ts';
import { labelsNamedBy, planNamed, renamedLabels, type NamedAsked, type Renamed } from './named-labels.ts';

/** Who names labels. */
export interface NamedBy {
  readonly actor: AccountActor;
  /** The operation has waited: its author is known in the scope alone in which it has done so. */
  readonly isParked?: true;
}

/** An operation as it is carried out, and the labels to be made for it. */
export interface Named extends Renamed {
  readonly plan: Pick<LabelPlan, 'made' | 'twins'>;
  /** The author's own scope. */
  readonly personalScope: Id;
}

function scopeOf({ before, set }: OpenScope): LabelScope {
  const { id, kind, sealing } = before;
  return {
    id,
    kind,
    isSealed: sealing !== undefined && sealing.phase !== 'plain',
    *written() {
      for (const { row } of set.writes()) yield row;
    },
  };
}

/** Applies an operation together with the labels that it needs. Anything but `ok` has changed nothing. */
export function applyNamed(
  set: WorkingSet,
  operation: Operation,
  { context, named }: { readonly context: ApplyContext; readonly named: Named | null },
): Verdict {
  if (named === null) return apply(set, operation, context);
  const mark = set.mark();
  const { version, time, device, seq } = context;
  for (const made of named.plan.made({ version, stamp: [version, time, device, seq] })) set.put(made);
  const verdict = apply(set, operation, context);
  if (verdict !== 'ok') set.rollback(mark);
  return verdict;
}

/**
 * A write into a person's own row that belongs to an operation. `time`: when it was written, if a device brings it back: it counts
 * from then, and as no device's, as others may bring it back as well. Of such writes the time is the number, so that the later one stands.
 */
export function ownWrite(
  { q, u, t, x, g }: OperationHead,
  { scope, action, time }: { readonly scope: Id; readonly action: Action; readonly time: number | undefined },
) {
  const ids = { ...(x === undefined ? {} : { x }), ...(g === undefined ? {} : { g }) };
  const operation: Operation = { q: time ?? q, u, t, b: 0, scope, ...ids, ...action };
  return { operation, back: time === undefined ? {} : { time, device: 0 } };
}

/** What becomes of labels in one write transaction. It writes nothing itself. */
export class TransactionLabels {
  readonly #tx: WriteTransaction;
  readonly #scopes: ReadonlyMap<Id, OpenScope>;
  #twins: LabelTwin[] = [];

  /** `scopes`: those that are locked. */
  constructor(tx: WriteTransaction, scopes: ReadonlyMap<Id, OpenScope>) {
    this.#tx = tx;
    this.#scopes = scopes;
  }

  /** What this transaction has noted. */
  get twins(): readonly LabelTwin[] {
    return this.#twins;
  }

  /** To be called when what was planned has been written. */
  keep({ twins }: Pick<LabelPlan, 'twins'>): void {
    this.#twins.push(...twins);
  }

  /** Forgets what was noted after so many. */
  forget(after: number): void {
    this.#twins = this.#twins.slice(0, after);
  }

  /** The labels of rows that an account takes from one scope to another one. */
  moved(
    rows: readonly Row[],
    { account, from, to }: { readonly account: number; readonly from: OpenScope; readonly to: OpenScope },
  ): Promise<MovedLabels> {
    const scopes = { from: scopeOf(from), to: scopeOf(to) };
    return moveLabels(this.#tx, rows, { account, ...scopes, noted: this.#twins });
  }

  /** An operation of a scope with labels of that scope; null: it names no others. Throws when it lacks a lock. */
  named(
    scope: OpenScope,
    operation: Operation,
    author: { readonly by: NamedBy; readonly writer: Writer },
  ): Promise<Named | 'forbidden' | 'superseded' | null> | null {
    const labels = labelsNamedBy(operation);
    return labels.size === 0 ? null : this.#named(scope, operation, { ...author, labels });
  }

  async #named(
    scope: OpenScope,
    operation: Operation,
    {
      by,
      writer,
      labels: named,
    }: {
      readonly by: NamedBy;
      readonly writer: Writer;
      readonly labels: ReadonlyMap<Id, boolean>;
    },
  ): Promise<Named | 'forbidden' | 'superseded' | null> {
    const row = scope.set.row(operation.id);
    if (operation.a === 'set' && row?.type !== 'task') return null;
    const byScope = new Map<Id, Map<Id, boolean>>();
    for (const [label, isOn] of named) {
      const lookup = await lookUp(this.#tx, scope, label);
      if (lookup.type !== 'elsewhere') continue;
      const of = byScope.get(lookup.scope) ?? new Map<Id, boolean>();
      byScope.set(lookup.scope, of.set(label, isOn));
    }
    if (byScope.size === 0) return null;
    const { account } = by.actor;
    let { personalScope } = by.actor;
    const foreign: NamedAsked['foreign'][number][] = [];
    for (const [id, labels] of byScope) {
      const isHidden = !(await this.#mayRead(id, by));
      // Who waited is known by account alone: the scope itself tells whether it is theirs.
      if (by.isParked === true && !isHidden) {
        const { kind, owner } = this.#opened(id).before;
        if (kind === 'personal' && owner === account) personalScope = id;
      }
      const open = this.#scopes.get(id);
      foreign.push({ from: open === undefined ? unlocked(id) : scopeOf(open), labels, isHidden });
    }
    const asked = { account, to: scopeOf(scope), foreign, noted: this.#twins };
    const plan = await planNamed(this.#tx, asked);
    const left = operation.a === 'set' && row !== undefined ? await this.#leftOn(row, operation, plan) : [];
    const renamed = renamedLabels(operation, plan, { row, left, personalScope, writer });
    if (typeof renamed === 'string') return renamed;
    if (renamed.own.length > 0) this.#opened(personalScope);
    return { ...renamed, plan, personalScope };
  }

  /** Where labels like the named one were left on a task when they were taken off, in other scopes. */
  async #leftOn(
    row: Row,
    { field }: { readonly field: string },
    plan: LabelPlan,
  ): Promise<readonly string[]> {
    const named = labelOfRegister(field);
    const off = labelsNamedOn(row).flatMap(({ label, isOn }) => (isOn ? [] : [label]));
    if (named === undefined || off.length === 0) return [];
    const others = await readLabels(
      this.#tx,
      off.filter((label) => label !== named),
    );
    const same = others.filter((other) => other.scope !== row.scope && plan.isSame(named, other));
    return [...(off.includes(named) ? [field] : []), ...same.map(({ id }) => labelRegister(id))];
  }

  #opened(scope: Id): OpenScope {
    const open = this.#scopes.get(scope);
    if (open === undefined) throw new MissingLock([scope]);
    return open;
  }

  async #mayRead(scope: Id, { actor, isParked }: NamedBy): Promise<boolean> {
    if (actor.roles.has(scope)) return true;
    return isParked === true && (await this.#tx.roleIn(scope, actor.account)) !== null;
  }
}
