// The labels of rows that move to another scope: which they carry there, and what goes into the mover's own rows of them.
import { mineId, type Id } from '#core/ids.ts';
import { labelRegister, labelsNamedOn, mappedLabels, type OwnLabel } from '#sync/rows/label-mapping.ts';
import { asRow, registersOf, registerStamp, withRegister, writtenStamp, type Row } from '#sync/rows/row.ts';
import {
  planLabels,
  readLabels,
  unlocked,
  type LabelPlan,
  type LabelReads,
  type LabelsAsked,
  type LabelWriter,
} from './label-plan.ts';

/** A private label that goes into its person's own row of a task, which has none of the others of its group then. */
interface OwnPut extends OwnLabel {
  readonly rivals: readonly Id[];
}

/** What becomes of the labels of rows that move. */
export interface MovedLabels {
  readonly plan: Pick<LabelPlan, 'made' | 'twins'>;
  /** The row with the labels of the scope that it goes to; its version and the rest stay. */
  there(row: Row): Row;
  /** The labels that go into the mover's own rows, by task. */
  readonly own: ReadonlyMap<Id, readonly OwnPut[]>;
}

const labelsAmong = (rows: readonly Row[]): ReadonlyMap<Id, boolean> => {
  const labels = new Map<Id, boolean>();
  for (const row of rows)
    if (row.type === 'task')
      for (const { label, isOn } of labelsNamedOn(row)) labels.set(label, isOn || labels.get(label) === true);
  return labels;
};

/** What was taken off in a scope before the one that is left now, and had no counterpart there, may have one where it goes. */
async function planLeft(
  tx: LabelReads,
  labels: ReadonlyMap<Id, boolean>,
  asked: Omit<LabelsAsked, 'labels'>,
): Promise<readonly LabelPlan[]> {
  const off = [...labels].flatMap(([label, isOn]) => (isOn ? [] : [label]));
  const others = (await readLabels(tx, off)).filter(
    ({ scope }) => scope !== asked.from.id && scope !== asked.to.id,
  );
  const plans: LabelPlan[] = [];
  for (const [scope, rows] of Map.groupBy(others, (row) => row.scope))
    plans.push(
      await planLabels(tx, {
        ...asked,
        from: unlocked(scope),
        labels: new Map(rows.map(({ id }) => [id, false])),
      }),
    );
  return plans;
}

/** Plans the labels of rows, as they are in the scope that they leave. */
export async function moveLabels(
  tx: LabelReads,
  rows: readonly Row[],
  asked: Omit<LabelsAsked, 'labels'>,
): Promise<MovedLabels> {
  const labels = labelsAmong(rows);
  const plan = await planLabels(tx, { ...asked, labels });
  const left = await planLeft(tx, labels, asked);
  const wayOf = (label: Id) => {
    const way = [plan, ...left].map((each) => each.wayOf(label)).find(({ type }) => type !== 'stays');
    return way === undefined || way.type === 'hidden' ? ({ type: 'stays' } as const) : way;
  };
  const mapped = (row: Row) => mappedLabels(row, wayOf, (label) => plan.exclusiveGroupOf(label));
  const own = new Map<Id, readonly OwnPut[]>();
  for (const row of rows) {
    const of = row.type === 'task' ? mapped(row).own : [];
    if (of.length > 0)
      own.set(
        row.id,
        of.map((put) => ({ ...put, rivals: plan.rivalsOf(put.label) })),
      );
  }
  return { plan, own, there: (row) => (row.type === 'task' ? mapped(row).row : row) };
}

/**
 * A person's own row of a task with these labels; undefined: it has them, or they were taken off it later. Of an exclusive group
 * the label that was put on last stays.
 */
export function withOwnLabels(
  held: Row | undefined,
  of: { readonly scope: Id; readonly task: Id; readonly labels: readonly OwnPut[] },
  { version, stamp }: LabelWriter,
): Row | undefined {
  const { scope, task, labels } = of;
  const blank = { id: mineId(scope, task), type: 'mine', scope, fields: { of: task } } as const;
  const before = held ?? asRow({ ...blank, version, stamp, createdAt: stamp[1], updatedAt: 0 });
  let row = before;
  for (const { label, stamp: put, rivals } of labels) {
    const register = labelRegister(label);
    const written = held === undefined ? undefined : writtenStamp(row, register);
    if (written !== undefined && (written[1] >= put[1] || registersOf(row)[register] === true)) continue;
    const beside = rivals.map(labelRegister).filter((other) => registersOf(row)[other] === true);
    if (beside.some((other) => registerStamp(row, other)[1] >= put[1])) continue;
    row = withRegister(row, register, true, put);
    for (const other of beside) row = withRegister(row, other, null, put);
  }
  return row === before ? undefined : { ...row, version };
}
