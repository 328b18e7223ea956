// Operations of a sealed scope: all content in them sealed as they are sent, and opened again where a server tells of them
// (history). What they ask for, the server reads: ids, places, states and times.
import type { Id } from '#core/ids.ts';
import { isEntityType, type EntityType, type UnknownType } from '#core/model.ts';
import { failed, ok, type Result } from '#core/result.ts';
import type { SealedWriter, Sealer, SealProblem } from '#core/sealing/envelope.ts';
import type { InboxSealer } from '#core/sealing/inbox.ts';
import type { Operation, OperationHead, Reoffer } from '../rows/operation.ts';
import type { Fields } from '../rows/row.ts';
import {
  openRegister,
  sealRegister,
  sealRegisterForInbox,
  type HiddenProblem,
  type LockProblem,
  type Opening,
  type Register,
  type Subject,
} from './registers.ts';

/** An operation as it is sent, or as a server tells of it: its content is sealed, or may be. */
export type SentOperation = OperationHead & {
  readonly a: string;
  readonly id: Id;
} & Readonly<Record<string, unknown>>;

/** Why an operation can't be sealed: what it is about isn't known here, so neither is where its content belongs. */
export type OperationProblem = SealProblem | { readonly type: 'unknown-row'; readonly id: Id };

/** What sealing an operation needs. */
export interface OperationSealing {
  readonly sealer: Sealer;
  /** The server's number of this device: no operation is sealed before it is known. */
  readonly device: number;
  /** The type of an entity; undefined where it isn't known. */
  readonly typeOf: (id: Id) => EntityType | UnknownType | undefined;
}

/** What is done with each register; the answer has its new name and value. */
type Change<Problem> = (subject: Subject, register: Register) => Result<Register, Problem>;

const recordOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null ? (value as Fields) : {};

function changedFields<Problem>(
  change: Change<Problem>,
  subject: Subject,
  fields: Fields,
): Result<Fields, Problem> {
  const changed: [string, unknown][] = [];
  for (const [name, value] of Object.entries(fields)) {
    // As JSON has it: absent, which isn't the default.
    if (value === undefined) continue;
    const register = change(subject, { name, value });
    if (!register.ok) return register;
    changed.push([register.value.name, register.value.value]);
  }
  return ok(Object.fromEntries(changed));
}

/** The register that an edit of a note is sealed as: edits of one text aren't edits of another. */
const updateRegister = (seed: unknown) => `notes/update/${String(seed)}`;

/** The parts of an operation with content, changed. */
function changedParts<Problem>(
  change: Change<Problem>,
  operation: SentOperation,
  type: EntityType,
): Result<Fields, Problem> {
  const subject: Subject = { id: operation.id, type };
  switch (operation.a) {
    case 'create':
    case 'reoffer': {
      const fields = recordOf(operation['fields']);
      const changed = changedFields(change, { ...subject, fields }, fields);
      return changed.ok ? ok({ fields: changed.value }) : changed;
    }
    case 'set': {
      const changed = change(subject, { name: String(operation['field']), value: operation['value'] });
      return changed.ok ? ok({ field: changed.value.name, value: changed.value.value }) : changed;
    }
    case 'complete':
    case 'reopen': {
      const part = operation.a === 'complete' ? 'next' : 'previous';
      if (operation[part] === null || operation[part] === undefined) return ok({});
      const changed = changedFields(change, subject, recordOf(operation[part]));
      return changed.ok ? ok({ [part]: changed.value }) : changed;
    }
    case 'note': {
      const name = updateRegister(operation['seed']);
      const update = change(subject, { name, value: operation['update'] });
      const text = change(subject, { name: 'notes', value: operation['text'] });
      if (!update.ok) return update;
      return text.ok ? ok({ update: update.value.value, text: text.value.value }) : text;
    }
    default:
      return ok({});
  }
}

/** The names of registers in an offer's times, as the server knows them. */
function sentTimes(
  { sealer, device }: OperationSealing,
  subject: Subject,
  { times, q }: Reoffer & OperationHead,
): Fields {
  const nameOf = (name: string) => {
    const sealing = { sealer, writer: { device, seq: q }, keepsEnvelopes: true };
    const sent = sealRegister(sealing, subject, { name, value: null });
    return sent.ok ? sent.value.name : name;
  };
  return Object.fromEntries(Object.entries(times).map(([name, time]) => [nameOf(name), time]));
}

function typeOf(
  { typeOf: known }: OperationSealing,
  operation: Operation,
): EntityType | UnknownType | undefined {
  return operation.a === 'create' || operation.a === 'reoffer' ? operation.type : known(operation.id);
}

/**
 * The operation with its content sealed in the newest generation. Sealing it again gives another text of the same meaning, so it can be
 * sent twice. Rows of types that this program doesn't know are handed on as they came.
 */
export function sealOperation(
  sealing: OperationSealing,
  operation: Operation,
): Result<SentOperation, OperationProblem> {
  const sent = operation as unknown as SentOperation;
  const { a, id, q } = operation;
  if (a === 'place' || a === 'delete' || a === 'restore') return ok(sent);
  const type = typeOf(sealing, operation);
  if (type === undefined) return failed({ type: 'unknown-row', id });
  if (!isEntityType(type)) return a === 'reoffer' ? ok(sent) : failed({ type: 'unknown-row', id });
  const writer = { device: sealing.device, seq: q };
  const registers = { sealer: sealing.sealer, writer, keepsEnvelopes: a === 'reoffer' };
  const parts = changedParts((subject, register) => sealRegister(registers, subject, register), sent, type);
  if (!parts.ok) return parts;
  const times = a === 'reoffer' ? { times: sentTimes(sealing, { id, type }, operation) } : {};
  return ok({ ...sent, ...parts.value, ...times });
}

/** The operation of a writer without keys, sealed to the inbox of its scope. `type`: of what it is about. */
export function sealOperationForInbox(
  { seal, writer }: { readonly seal: InboxSealer; readonly writer: SealedWriter },
  operation: Operation,
  type: EntityType,
): Result<Operation, HiddenProblem> {
  const sent = operation as unknown as SentOperation;
  const parts = changedParts(
    (subject, register) => sealRegisterForInbox({ seal, writer }, subject, register),
    sent,
    type,
  );
  return parts.ok ? ok({ ...operation, ...parts.value } as Operation) : parts;
}

/** The registers that an operation writes, edits of notes among them, for who only asks in which form they are. */
export function registersIn(sent: SentOperation, type: EntityType): readonly Register[] {
  const found: Register[] = [];
  changedParts<never>(
    (_subject, register) => {
      found.push(register);
      return ok(register);
    },
    sent,
    type,
  );
  return found;
}

/** An operation that has been opened as far as it can be. */
export interface OpenedOperation {
  readonly operation: SentOperation;
  /** Registers that stay sealed in it, by the names they came with. */
  readonly locked: ReadonlyMap<string, LockProblem>;
}

/** Opens an operation about an entity of this type, as a server tells of it. What doesn't open stays as it came. */
export function openOperation(opening: Opening, sent: SentOperation, type: EntityType): OpenedOperation {
  const locked = new Map<string, LockProblem>();
  // An edit of a note is no register, so no check knows it.
  const checks = {
    register: (of: EntityType, name: string, value: unknown) =>
      name.startsWith('notes/update/') ? null : opening.checks.register(of, name, value),
  };
  const parts = changedParts<never>(
    (subject, register) => {
      const opened = openRegister({ ...opening, checks }, subject, register);
      if (opened.ok) return ok({ name: opened.value.name, value: opened.value.value });
      locked.set(register.name, opened.problem);
      return ok(register);
    },
    sent,
    type,
  );
  return { operation: parts.ok ? { ...sent, ...parts.value } : sent, locked };
}
