// What an import remembers of a task, in one line of its metadata: the id that it has in the other program, and what each register
// was when it came. Lists and labels have it in a setting. By it a later import knows what was changed there, and what was changed here. Pure.
import { parseId, type Id } from '#core/ids.ts';
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

/** Registers of lists and labels that are remembered, each by a letter. */
const ENTITY_LETTERS = { name: 't', notes: 'n', color: 'c' } as const;
/** A register of a list or label that later imports compare. */
export type EntityRegister = keyof typeof ENTITY_LETTERS;
/** All of them. */
export const entityRegisters = Object.keys(ENTITY_LETTERS) as readonly EntityRegister[];
const ENTITY = 'entity:';
const ORDER = ' o';

/** The name of the setting that remembers a list, folder or label: they have no metadata. */
export const entityMarkKey = (id: Id): string => `import:${id}`;

/** The list or label that a setting remembers; null: it is another setting. */
export const markedId = (key: string): Id | null =>
  key.startsWith('import:') ? parseId(key.slice('import:'.length)) : null;

/** The line of a list or label. */
export function writeEntityMark(fields: Readonly<Partial<Record<EntityRegister, unknown>>>): string {
  return joinEntityMark(
    Object.fromEntries(entityRegisters.map((register) => [register, digestOf(fields[register])])),
  );
}

/** As `writeEntityMark`, of digests. */
export function joinEntityMark(digests: Readonly<Partial<Record<EntityRegister, string>>>): string {
  const said = entityRegisters.flatMap((register) => {
    const digest = digests[register] ?? '';
    return digest === '' ? [] : [`${ENTITY_LETTERS[register]}${digest}`];
  });
  return [ENTITY, ...said].join(' ');
}

/** As `readMark`, of a list or label. */
export function readEntityMark(text: unknown): Readonly<Partial<Record<EntityRegister, string>>> | null {
  const read = partsOf(text);
  if (read === null || read.foreign !== ENTITY) return null;
  return digestsIn(read.said, ENTITY_LETTERS);
}

/** A mark with the place in the file, by a key that sorts. */
export const withOrder = (mark: string, key: string): string => `${mark}${ORDER}${key}`;

/** A mark without its place, and the place; null: it has none. */
export function splitOrder(mark: string): { readonly mark: string; readonly order: string | null } {
  const at = mark.lastIndexOf(ORDER);
  const key = at < 0 ? '' : mark.slice(at + ORDER.length);
  return at < 0 || key === '' || key.includes(' ') || !isOrderKey(key)
    ? { mark, order: null }
    : { mark: mark.slice(0, at), order: key };
}

/** As `generateKeyBetween` makes them. */
const isOrderKey = (key: string) => /^[A-Za-z][0-9A-Za-z]*$/.test(key);

function partsOf(text: unknown): { readonly foreign: string; readonly said: readonly string[] } | null {
  if (typeof text !== 'string') return null;
  const [foreign = '', ...said] = splitOrder(text).mark.split(' ');
  return foreign.includes(':') ? { foreign, said } : null;
}

function digestsIn<Register extends string>(
  said: readonly string[],
  letters: Readonly<Record<Register, string>>,
): Readonly<Partial<Record<Register, string>>> {
  const digests: Partial<Record<Register, string>> = {};
  for (const register of Object.keys(letters) as Register[]) {
    const found = said.find((each) => each.startsWith(letters[register]));
    if (found !== undefined) digests[register] = found.slice(1);
  }
  return digests;
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
  const read = partsOf(text);
  return read === null ? null : { foreign: read.foreign, digests: digestsIn(read.said, LETTERS) };
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
