// The labels that an operation names, where its task is in another scope than they are: it is made to name those that stand for
// them there. A private one is written into the author's own row of the task.
import { mineId, type Id } from '#core/ids.ts';
import { isEntityType } from '#core/model.ts';
import { labelOfRegister, labelRegister } from '#sync/rows/label-mapping.ts';
import { stampOver, stillHolds, type Writer } from '#sync/rows/merge.ts';
import type { Action, Operation } from '#sync/rows/operation.ts';
import { registersOf, type Fields, type Row } from '#sync/rows/row.ts';
import type { LabelTwin } from '../data/store.ts';
import { planLabels, type LabelPlan, type LabelReads, type LabelScope } from './label-plan.ts';

const NONE: ReadonlyMap<Id, boolean> = new Map();

/** The labels that an operation puts on a task, and those that it takes off; true: it puts them on. */
export function labelsNamedBy(operation: Operation): ReadonlyMap<Id, boolean> {
  if (operation.a === 'set') {
    const label = labelOfRegister(operation.field);
    return label === undefined ? NONE : new Map([[label, operation.value === true]]);
  }
  if (operation.a !== 'create' && operation.a !== 'reoffer') return NONE;
  if (operation.type !== 'task' || !isEntityType(operation.type)) return NONE;
  const named = new Map<Id, boolean>();
  const name = (register: string, value: unknown) => {
    const label = labelOfRegister(register);
    if (label !== undefined) named.set(label, value === true);
  };
  if (operation.a === 'reoffer') for (const register in operation.times) name(register, null);
  for (const register in operation.fields) name(register, operation.fields[register]);
  return named;
}

/** What is asked about the labels of an operation that are in other scopes. */
export interface NamedAsked {
  readonly account: number;
  /** The scope of the task. */
  readonly to: LabelScope;
  /** The scopes that the labels are in, each with its labels; `isHidden`: the author may not read it. */
  readonly foreign: readonly {
    readonly from: LabelScope;
    readonly labels: ReadonlyMap<Id, boolean>;
    readonly isHidden: boolean;
  }[];
  readonly noted: readonly LabelTwin[];
}

/** Decides what becomes of them. */
export async function planNamed(tx: LabelReads, asked: NamedAsked): Promise<LabelPlan> {
  const plans: LabelPlan[] = [];
  const planOf = (label: Id) => plans.find((plan) => plan.wayOf(label).type !== 'stays');
  const made: LabelPlan['made'] = (writer) => plans.flatMap((plan) => plan.made(writer));
  const nobody = { version: 0, stamp: [0, 0, 0, 0] } as const;
  const { account, to } = asked;
  for (const each of asked.foreign) {
    const noted = [...asked.noted, ...plans.flatMap((plan) => plan.twins)];
    const before = { ...to, written: () => [...to.written(), ...made(nobody)] };
    plans.push(await planLabels(tx, { ...each, account, to: before, noted }));
  }
  return {
    wayOf: (label) => planOf(label)?.wayOf(label) ?? { type: 'stays' },
    exclusiveGroupOf: () => null,
    rivalsOf: () => [],
    isSame: (label, other) => plans.some((plan) => plan.isSame(label, other)),
    made,
    twins: plans.flatMap((plan) => plan.twins),
  };
}

/** An operation as it is carried out. */
export interface Renamed {
  /** Null: it is about private labels alone. */
  readonly operation: Operation | null;
  /** What is written into the author's own row of the task. */
  readonly own: readonly OwnWrite[];
}

/** A write into a person's own row of a task. */
export interface OwnWrite {
  readonly action: Action;
  /** When it was written, if that was before the operation: what a device brings back says it. */
  readonly at?: number;
}

/** What an operation is about. */
export interface NamedOn {
  /** The task as it is. */
  readonly row: Row | undefined;
  /** Registers of the task in which labels like the one that is named were left when they were taken off. */
  readonly left: readonly string[];
  readonly personalScope: Id;
  readonly writer: Writer;
}

/**
 * The operation with the labels that stand for those it names. Or why it is not carried out: who has
 * left a list may not name its labels, and what was written before a later write was left behind comes too late.
 */
export function renamedLabels(
  operation: Operation,
  plan: Pick<LabelPlan, 'wayOf'>,
  of: NamedOn,
): Renamed | 'forbidden' | 'superseded' {
  if (operation.a === 'set') return renamedSet(operation, plan, of);
  if (operation.a !== 'create' && operation.a !== 'reoffer') return { operation, own: [] };
  const own: Record<string, unknown> = {};
  let isForbidden = false;
  const isHere = (register: string) => registersOf(of.row)[register] === true;
  const rename = <V>(registers: Readonly<Record<string, V>>): Record<string, V> => {
    const renamed: Record<string, V> = {};
    for (const [register, value] of Object.entries(registers)) {
      const label = labelOfRegister(register);
      const way = label === undefined ? null : plan.wayOf(label);
      if (way?.type === 'label') renamed[labelRegister(way.id)] = value;
      else if (way?.type === 'own') {
        own[register] = operation.fields[register] ?? null;
        // A label of a time before it was private may still be on the task itself.
        if (own[register] === null && isHere(register)) renamed[register] = value;
      } else renamed[register] = value;
      if (way?.type === 'hidden') isForbidden = true;
    }
    return renamed;
  };
  const fields: Fields = rename(operation.fields);
  const task = operation.id;
  const mine = { a: 'create', id: mineId(of.personalScope, task), type: 'mine' } as const;
  if (operation.a === 'reoffer') {
    const times = rename(operation.times);
    // Each with the time at which it was put on. What was taken off needs no row, and what was taken off here since stays off.
    const timeOf = (register: string) => operation.times[register] ?? operation.at;
    const isLate = (register: string) => (of.row?.stamps?.[register]?.[1] ?? -Infinity) >= timeOf(register);
    const put = Object.keys(own).filter((register) => own[register] === true && !isLate(register));
    return {
      operation: { ...operation, fields, times },
      own: put.map((register) => ({
        action: { ...mine, fields: { of: task, [register]: true } },
        at: timeOf(register),
      })),
    };
  }
  if (isForbidden) return 'forbidden';
  const isOwn = Object.keys(own).length > 0;
  return {
    operation: { ...operation, fields },
    own: isOwn ? [{ action: { ...mine, fields: { of: task, ...own } } }] : [],
  };
}

function renamedSet(
  operation: Extract<Operation, { readonly a: 'set' }>,
  plan: Pick<LabelPlan, 'wayOf'>,
  { row, left, personalScope, writer }: NamedOn,
): Renamed | 'forbidden' | 'superseded' {
  const { field, value, only, id: task } = operation;
  const label = labelOfRegister(field);
  const way = label === undefined ? ({ type: 'stays' } as const) : plan.wayOf(label);
  if (way.type === 'stays') return { operation, own: [] };
  const isHere = registersOf(row)[field] === true;
  if (way.type === 'hidden') return isHere && value === null ? { operation, own: [] } : 'forbidden';
  // It was taken off before the task came here, and had no counterpart: that write is still under the name that it had.
  const stamps = left.map((register) => row?.stamps?.[register]).filter((stamp) => stamp !== undefined);
  const isUndone =
    row !== undefined &&
    only !== undefined &&
    left.some((register) => stillHolds(row, register, writer.device, only));
  if (!isUndone && stamps.some((stamp) => stampOver(stamp, writer) === null)) return 'superseded';
  const { only: _only, ...plain } = operation;
  const asked = isUndone ? plain : operation;
  if (way.type === 'label') return { operation: { ...asked, field: labelRegister(way.id) }, own: [] };
  const id = mineId(personalScope, task);
  // A label of a time before it was private may still be on the task itself.
  const here = isHere && value === null ? operation : null;
  if ('only' in asked && asked.only !== undefined)
    return { operation: here, own: [{ action: { a: 'set', id, field, value, only: asked.only } }] };
  return {
    operation: here,
    own: [{ action: { a: 'create', id, type: 'mine', fields: { of: task, [field]: value } } }],
  };
}
