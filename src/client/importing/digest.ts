// What an import remembers of a task, in one line of its metadata: the id that it has in the other program, and what each register
// was when it came. By it a later import knows what was changed there, and what was changed here. Pure.
import type { Id } from '#core/ids.ts';
import type { RepeatRule } from '#core/model.ts';
import { isDayWhen, isInstantWhen, isWhen } from '#core/when.ts';

/** The name of the metadata. */
export const IMPORT_META = 'meta:import';

/** The registers that are remembered, each by a letter. A label set and a place count as registers. */
const LETTERS = {
  title: 't',
  notes: 'n',
  due: 'd',
  start: 's',
  repeat: 'r',
  status: 'c',
  duration: 'u',
  labels: 'l',
  place: 'p',
} as const;

/** A register that later imports compare. */
export type ComparedRegister = keyof typeof LETTERS;
/** All of them. */
export const comparedRegisters = Object.keys(LETTERS) as readonly ComparedRegister[];

/** Digests by register; an absent one has its default. */
export type Digests = Readonly<Partial<Record<ComparedRegister, string>>>;

const OFFSET = 0x81_1c_9d_c5;
const PRIME = 0x01_00_01_93;

/** The same text for the same value, whatever the order in which its parts were written. */
function canonical(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? '';
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  const parts = Object.entries(value)
    .filter(([, part]) => part !== undefined)
    .map(([name, part]) => `${JSON.stringify(name)}:${canonical(part)}`);
  return `{${parts.toSorted().join()}}`;
}

/** A digest of a value in six letters or fewer; empty for the default. */
export function digestOf(value: unknown): string {
  if (value === null || value === undefined || value === '') return '';
  const text = canonical(value);
  let hash = OFFSET;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), PRIME) >>> 0;
  return hash.toString(36);
}

/** The line: `todoist:12345 t1k2j d9x`. */
export function writeMark(foreign: string, digests: Digests): string {
  const said = comparedRegisters.flatMap((register) => {
    const digest = digests[register] ?? '';
    return digest === '' ? [] : [`${LETTERS[register]}${digest}`];
  });
  return [foreign, ...said].join(' ');
}

/** Null: nothing that an import wrote. */
export function readMark(text: unknown): { readonly foreign: string; readonly digests: Digests } | null {
  if (typeof text !== 'string') return null;
  const [foreign = '', ...said] = text.split(' ');
  if (!foreign.includes(':')) return null;
  const digests: Partial<Record<ComparedRegister, string>> = {};
  for (const register of comparedRegisters) {
    const found = said.find((each) => each.startsWith(LETTERS[register]));
    if (found !== undefined) digests[register] = found.slice(1);
  }
  return { foreign, digests };
}

const LABEL = 'label:';

/** The value of a register as digests compare it. A label set is its ids, a place its parent, a status whether it is done. */
export function comparedValue(
  register: ComparedRegister,
  fields: Readonly<Record<string, unknown>>,
  parent: Id | undefined,
): unknown {
  if (register === 'place') return parent;
  if (register === 'status') return (fields['status'] ?? null) === null ? null : true;
  if (register === 'due' || register === 'start') return dateValue(fields[register]);
  if (register === 'repeat') return repeatValue(fields['repeat']);
  if (register !== 'labels') return fields[register] ?? null;
  const labels = Object.keys(fields).filter((name) => name.startsWith(LABEL) && fields[name] === true);
  return labels.length === 0 ? null : labels.toSorted();
}

/** A date as every client sees it: a day, or the moment; of a floating time, as if its clock were in UTC. */
function dateValue(value: unknown): unknown {
  if (!isWhen(value)) return null;
  if (isDayWhen(value)) return value.on;
  return isInstantWhen(value) ? value.at : Date.parse(`${value.local}Z`);
}

/** What every client sees of a rule. */
function repeatValue(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return null;
  const { value: every, unit, metadata, from } = value as Partial<RepeatRule>;
  return { every, unit, metadata: metadata ?? null, from: from ?? null };
}
