// One register of a sealed scope on its way out and in: its name, its value, and where it belongs. What an operation or a row is
// made of is sealed-operation.ts and sealed-row.ts.
import { isId, type Id } from '#core/ids.ts';
import { readField, type EntityType } from '#core/model.ts';
import { failed, ok, type Result } from '#core/result.ts';
import {
  generationOf,
  inboxGenerationOf,
  isEnvelope,
  isSealedText,
  openValue,
  sealValue,
  type Envelope,
  type Home,
  type Sealer,
  type SealedWriter,
  type SealProblem,
} from '#core/sealing/envelope.ts';
import type { InboxSealer } from '#core/sealing/inbox.ts';
import { isListGeneration, type Keyring } from '#core/sealing/keys.ts';
import { fateOf, hiddenRegister, isHiddenRegister } from '#core/sealing/sealable.ts';
import type { RegisterChecks } from '#wire/registers.ts';
import type { Fields } from '../rows/row.ts';

/** The entity whose registers these are. `fields` tells a completion's task. */
export interface Subject {
  readonly id: Id;
  readonly type: EntityType;
  readonly fields?: Fields;
}

/** A register under the name that it has on this side. */
export interface Register {
  readonly name: string;
  readonly value: unknown;
}

/** Registers that a completion has from its task as they are, also on a server that can't read them. */
const COPIED: ReadonlySet<string> = new Set(['title', 'due', 'start']);

function homeOf({ id, type, fields = {} }: Subject, register: string): Home {
  const task = readField(fields, 'task');
  if (type === 'completion' && COPIED.has(register) && isId(task))
    return { id: task, type: 'task', register };
  return { id, type, register };
}

/** What sealing needs for one operation. */
export interface RegisterSealing {
  readonly sealer: Sealer;
  readonly writer: SealedWriter;
  /** Values that are envelopes already go as they are: rows that are handed back, locked ones among them. */
  readonly keepsEnvelopes?: boolean;
}

/** Whether a register of a row that is handed back has never been opened here, or is one that nobody has filled since. */
function isAsItCame(name: string, value: unknown): boolean {
  if (isEnvelope(value)) return isSealedText(value);
  return isHiddenRegister(name) && (value === null || value === undefined);
}

/** The register as the server gets it. Null stays null: it means the default. */
export function sealRegister(
  { sealer, writer, keepsEnvelopes = false }: RegisterSealing,
  subject: Subject,
  { name, value }: Register,
): Result<Register, SealProblem> {
  const fate = fateOf(subject.type, name);
  if (fate === 'plain') return ok({ name, value });
  if (keepsEnvelopes && isAsItCame(name, value)) return ok({ name, value });
  const sentName = fate === 'hidden' ? hiddenRegister(sealer.ring, subject.id, name) : name;
  if (value === null || value === undefined) return ok({ name: sentName, value: null });
  const content = fate === 'hidden' ? [name, value] : value;
  const sealed = sealValue(sealer, homeOf(subject, sentName), { value: content, writer });
  return sealed.ok ? ok({ name: sentName, value: sealed.value }) : sealed;
}

/** A name that only the keys of a scope can hide: nobody without them can write such a register. */
export interface HiddenProblem {
  readonly type: 'hidden';
  readonly register: string;
}

/** The register as the server keeps it for a writer that has no keys. */
export function sealRegisterForInbox(
  { seal, writer }: { readonly seal: InboxSealer; readonly writer: SealedWriter },
  subject: Subject,
  { name, value }: Register,
): Result<Register, HiddenProblem> {
  const fate = fateOf(subject.type, name);
  if (fate === 'hidden') return failed({ type: 'hidden', register: name });
  if (fate === 'plain' || value === null || value === undefined) return ok({ name, value });
  return ok({ name, value: seal(homeOf(subject, name), { value, writer }) });
}

/** Why a register of a sealed scope stays locked: `plain` it should be sealed and isn't, which only its server can have done. */
export type LockProblem = SealProblem | { readonly type: 'plain' };

/** What opening needs. */
export interface Opening {
  readonly ring: Keyring;
  /** Anyone with a key can seal anything: values are checked as the server checks those it can read. */
  readonly checks: Pick<RegisterChecks, 'register'>;
  /** The scope is on its way from or to being sealed, so values may be in either form. */
  readonly acceptsPlain: boolean;
}

/** A register that has been opened; without a writer if it was plain, or came by the inbox. */
export interface OpenedRegister extends Register {
  readonly writer?: SealedWriter;
}

function namedContent(ring: Keyring, id: Id, sentName: string, content: unknown): Register | null {
  if (!Array.isArray(content) || content.length !== 2 || typeof content[0] !== 'string') return null;
  const [name, value] = content as [string, unknown];
  return hiddenRegister(ring, id, name) === sentName ? { name, value } : null;
}

/** The ring that opens a value: of the scope, or of the one from which its row came. */
function ringFor(ring: Keyring, home: Home, value: Envelope): Keyring {
  const others = ring.others?.() ?? [];
  if (others.length === 0) return ring;
  const generation = generationOf(value) ?? inboxGenerationOf(value) ?? 0;
  if (isListGeneration(generation) === isListGeneration(ring.newest)) return ring;
  return others.find((other) => openValue(other, home, value).ok) ?? ring;
}

/** The register as it is read here, or why it can't be. */
export function openRegister(
  { ring, checks, acceptsPlain }: Opening,
  subject: Subject,
  { name, value }: Register,
): Result<OpenedRegister, LockProblem> {
  const fate = fateOf(subject.type, name);
  if (fate === 'plain' || value === null || value === undefined) return ok({ name, value });
  if (!isEnvelope(value)) return acceptsPlain ? ok({ name, value }) : failed({ type: 'plain' });
  const home = homeOf(subject, name);
  const from = ringFor(ring, home, value);
  const opened = openValue(from, home, value);
  if (!opened.ok) return opened;
  const content =
    fate === 'hidden'
      ? namedContent(from, subject.id, name, opened.value.value)
      : { name, value: opened.value.value };
  const isGood =
    content !== null &&
    content.value !== null &&
    checks.register(subject.type, content.name, content.value) === null;
  if (!isGood) return failed({ type: 'content' });
  // Of what came by the inbox the writer is the server's word.
  return ok(opened.value.isFromInbox === true ? content : { ...content, writer: opened.value.writer });
}

/** Whether a value is older than one of the same device that was there before: its server, or a restored one, brought it back. */
export function isReplay(before: SealedWriter | undefined, now: SealedWriter): boolean {
  return before !== undefined && before.device === now.device && now.seq < before.seq;
}
