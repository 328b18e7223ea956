// The walk over the rows of a scope that is being sealed or unsealed: devices bring one register after the other into its new form.
// The value means the same, so its stamp stays; a register that somebody has written meanwhile is left to its new value.
import { failed, ok, type Result } from '#core/result.ts';
import type { SealedWriter } from '#core/sealing/envelope.ts';
import { registersOf, registerStamp, withFields, type Row, type Stamp } from '../rows/row.ts';
import type { Register } from './registers.ts';
import { isInForm, type ScopeSealing } from './scope-state.ts';

/** A register in its new form. */
export interface Reencoding {
  /** Its name up to now. */
  readonly from: string;
  /** Another name where names are hidden or shown again. */
  readonly to: Register;
  /** Of the value that was read: only that one is replaced. */
  readonly stamp: Stamp;
}

/** Why a register stays: `changed` it was written meanwhile, or is there already; `form` it isn't in the form that is wanted. */
export interface ReencodingProblem {
  readonly type: 'changed' | 'form';
}

/**
 * Who wrote a value, for sealing it in another form: as its stamp says. An edit merged of several authors has none, and neither has what a
 * server made.
 */
export function writerOf([, , device, seq]: Stamp): SealedWriter {
  return device > 0 && seq >= 0 ? { device, seq } : { device: 0, seq: 0 };
}

const isSame = (one: Stamp, other: Stamp) => one.every((part, index) => part === other[index]);

/** The row with the register in its new form, in a new version, written by whom it was. */
export function reencoded(
  row: Row,
  { from, to, stamp }: Reencoding,
  {
    state,
    version,
    isAnew = false,
  }: {
    readonly state: ScopeSealing;
    readonly version: number;
    /** It is replaced although it has that form: it may be sealed with the key of another scope. */
    readonly isAnew?: boolean;
  },
): Result<Row, ReencodingProblem> {
  const fields = registersOf(row);
  const present = Object.hasOwn(fields, from) ? fields[from] : undefined;
  if (present === undefined || !isSame(registerStamp(row, from), stamp)) return failed({ type: 'changed' });
  if (!isAnew && isInForm(state, row.type, { name: from, value: present }))
    return failed({ type: 'changed' });
  if (to.name !== from && Object.hasOwn(fields, to.name)) return failed({ type: 'changed' });
  const isWanted = to.value !== null && to.value !== undefined && isInForm(state, row.type, to);
  if (!isWanted) return failed({ type: 'form' });
  const renamed = ([name, value]: [string, unknown]): [string, unknown] =>
    name === from ? [to.name, to.value] : [name, value];
  const stamps = Object.entries(row.stamps ?? {}).map(
    ([name, each]) => [name === from ? to.name : name, each] as const,
  );
  const changed = withFields(row, Object.fromEntries(Object.entries(fields).map(renamed)));
  return ok({
    ...changed,
    version,
    ...(row.stamps === undefined ? {} : { stamps: Object.fromEntries(stamps) }),
  });
}

/** How many registers of a row are not yet in the form that the state leads to. */
export function leftIn(state: ScopeSealing, row: Row): number {
  return Object.entries(registersOf(row)).filter(
    ([name, value]) => !isInForm(state, row.type, { name, value }),
  ).length;
}
