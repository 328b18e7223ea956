// Labels belong to scopes. What becomes of a label on a task that is, or comes, into another scope: the pure rule, for the
// server, which decides it with the move, and for devices, which show it before. Who reads and makes labels is server/labels/ and
// client/labels/.
import { deriveId, type Id } from '#core/ids.ts';
import { fieldOf, registersOf, registerStamp, withFields, type Row, type Stamp } from './row.ts';
import { isTrashed, nameOf } from './row-reading.ts';

const PREFIX = 'label:';
/** Further ids that are tried for a copy of a label before it is left as it is. */
const SPARE_IDS = 3;

/** The label of a register; undefined: it is another register. */
export function labelOfRegister(register: string): Id | undefined {
  return register.startsWith(PREFIX) ? (register.slice(PREFIX.length) as Id) : undefined;
}

/** The register of a label on a task. */
export const labelRegister = (label: Id): `label:${Id}` => `${PREFIX}${label}`;

/** The labels that a row has, and those that were taken off it: of these only the stamp is left. */
export function labelsNamedOn(row: Row): readonly { readonly label: Id; readonly isOn: boolean }[] {
  const fields = registersOf(row);
  const found: { label: Id; isOn: boolean }[] = [];
  for (const register in fields) {
    const label = labelOfRegister(register);
    if (label !== undefined) found.push({ label, isOn: fields[register] === true });
  }
  for (const register in row.stamps) {
    const label = labelOfRegister(register);
    if (label !== undefined && fields[register] === undefined) found.push({ label, isOn: false });
  }
  return found;
}

/** A label with its group. */
export interface GroupedLabel {
  readonly row: Row;
  readonly group: Row | undefined;
}

/** Whether neither the label nor its group is in the trash. */
export function isLabelLiving({ row, group }: GroupedLabel): boolean {
  return !isTrashed(row) && !isTrashed(group);
}

/** Whether nobody but its person sees it. */
export function isLabelPrivate({ row, group }: GroupedLabel): boolean {
  return fieldOf(row, 'visibility') === 'private' || fieldOf(group, 'visibility') === 'private';
}

/** How the names of labels are compared across scopes: exactly, whichever way their letters are composed. */
export function labelNameKey(row: Row): string {
  const name: unknown = nameOf(row);
  // A sealed one is like no other.
  return typeof name === 'string' ? name.normalize('NFC') : '';
}

/** What becomes of a label in another scope. */
export type LabelWay =
  /** It stays as it is: it is of that scope, or nobody can say what it is. */
  | { readonly type: 'stays' }
  /** It goes into the person's own row of the task. */
  | { readonly type: 'own' }
  | { readonly type: 'label'; readonly id: Id }
  /** A label of that scope is to be made for it. */
  | { readonly type: 'new' };

/** The labels of the scope that a task comes into. */
export interface LabelsThere {
  readonly scope: Id;
  /** Living ones. */
  readonly labels: Iterable<GroupedLabel>;
  /** What stands for the label by the person's own records. A device has none. */
  readonly twins: ReadonlySet<Id>;
}

/** The label that stands for another one: a recorded twin, else one of the same name. */
export function counterpartOf(name: string, there: LabelsThere): Id | undefined {
  let [named, twin]: (Id | undefined)[] = [];
  for (const { row } of there.labels) {
    const isSame = name !== '' && labelNameKey(row) === name;
    if (isSame) named ??= row.id;
    if (there.twins.has(row.id) && (twin === undefined || isSame)) twin = row.id;
  }
  return twin ?? named;
}

/**
 * The rule. A private label is its person's even in the trash; any other one there stays as it is: it is shown nowhere, and
 * would be there.
 */
export function wayOfLabel(label: GroupedLabel, there: LabelsThere): LabelWay {
  if (label.row.scope === there.scope) return { type: 'stays' };
  if (isLabelPrivate(label)) return { type: 'own' };
  if (!isLabelLiving(label)) return { type: 'stays' };
  const id = counterpartOf(labelNameKey(label.row), there);
  return id === undefined ? { type: 'new' } : { type: 'label', id };
}

/** The ids that a label made for another one may have, in the order in which they are tried. */
export function idsOfCopies(scope: Id, label: Id): readonly Id[] {
  const spare = Array.from({ length: SPARE_IDS }, (_, at) =>
    deriveId('label in', scope, label, String(at + 1)),
  );
  return [deriveId('label in', scope, label), ...spare];
}

/** The id of the group made for the group of such a label. */
export function idOfGroupCopy(scope: Id, group: Id): Id {
  return deriveId('label group in', scope, group);
}

/** Where a label register of a row goes. */
export type RegisterWay = { readonly type: 'stays' | 'own' } | { readonly type: 'label'; readonly id: Id };

/** A label that goes into the person's own row of a task, with the write that put it on. */
export interface OwnLabel {
  readonly label: Id;
  readonly stamp: Stamp;
}

interface Candidate {
  readonly isOn: boolean;
  readonly stamp: Stamp;
}

/** Whether the write of a stamp is later. */
function isAfter([, time, device, seq]: Stamp, [, thenTime, thenDevice, thenSeq]: Stamp): boolean {
  return time > thenTime || (time === thenTime && (device - thenDevice || seq - thenSeq) > 0);
}

/**
 * The row with the labels that stand for its own in another scope. Every write stays with its time and author; where two labels become
 * one, the later write stands, and of an exclusive group the label that was put on last. What was taken off and has no
 * counterpart keeps its stamp under its old name: an older write that puts it on comes too late wherever the row is.
 */
export function mappedLabels(
  row: Row,
  wayOf: (label: Id) => RegisterWay,
  exclusiveGroupOf: (label: Id) => Id | null,
): { readonly row: Row; readonly own: readonly OwnLabel[] } {
  const named = labelsNamedOn(row);
  const own: OwnLabel[] = [];
  const there = new Map<Id, Candidate>();
  let isChanged = false;
  for (const { label, isOn } of named) {
    const way = wayOf(label);
    const stamp = registerStamp(row, labelRegister(label));
    if (way.type !== 'stays' && (isOn || way.type !== 'own')) isChanged = true;
    if (way.type === 'own' && isOn) {
      own.push({ label, stamp });
      continue;
    }
    const id = way.type === 'label' ? way.id : label;
    const other = there.get(id);
    if (other === undefined || isAfter(stamp, other.stamp)) there.set(id, { isOn, stamp });
  }
  if (!isChanged) return { row, own };
  replaceExclusive(there, exclusiveGroupOf);
  const fields: Record<string, unknown> = {};
  for (const [register, value] of Object.entries(row.fields))
    if (labelOfRegister(register) === undefined) fields[register] = value;
  const stamps: Record<string, Stamp> = {};
  for (const [register, stamp] of Object.entries(row.stamps ?? {}))
    if (labelOfRegister(register) === undefined) stamps[register] = stamp;
  for (const [label, { isOn, stamp }] of there) {
    if (isOn) fields[labelRegister(label)] = true;
    if (!isOn || stamp !== row.stamp) stamps[labelRegister(label)] = stamp;
  }
  const { stamps: _stamps, ...rest } = withFields(row, fields);
  return { row: Object.keys(stamps).length === 0 ? rest : { ...rest, stamps }, own };
}

/** Of each exclusive group the label that was put on last stays. */
function replaceExclusive(there: Map<Id, Candidate>, exclusiveGroupOf: (label: Id) => Id | null): void {
  const last = new Map<Id, { readonly label: Id; readonly stamp: Stamp }>();
  for (const [label, { isOn, stamp }] of there) {
    const group = isOn ? exclusiveGroupOf(label) : null;
    if (group === null) continue;
    const before = last.get(group);
    const [stays, goes] =
      before === undefined || isAfter(stamp, before.stamp) ? [{ label, stamp }, before] : [before, { label }];
    last.set(group, stays);
    if (goes !== undefined) there.set(goes.label, { isOn: false, stamp: stays.stamp });
  }
}
