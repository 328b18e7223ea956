// Identifiers: client-made UUIDs in one canonical lower-case text form, and ids derived from other ids.
// Not here: the sources of randomness and time; both are passed in.
import { v5, v7, validate } from 'uuid';

/** A UUID of any version, lower-case, 36 characters. Equal ids are equal strings. */
export type Id = string & { readonly isId: true };

/** Ids per request for randomness: one system call per id costs more than the id. */
const POOLED_IDS = 64;
/** Longest name that is cached, in characters: a few ids. */
const LONGEST_KEPT = 200;
const NAMESPACE = '6f0f4a3e-6c3b-4d63-9d0f-51b4f6b1c7a2';

/** Reads a UUID of any version and letter case from outside. Null when the text is not one. */
export function parseId(text: string): Id | null {
  return validate(text) ? (text.toLowerCase() as Id) : null;
}

/** Whether it is an id in its canonical text form, lower case included. */
export function isId(value: unknown): value is Id {
  return typeof value === 'string' && parseId(value) === value;
}

export interface IdPorts {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Fills the array with cryptographically strong random bytes. */
  random(bytes: Uint8Array): void;
}

/**
 * Makes UUIDv7 ids (RFC 9562 §5.7): ids made one after another by one source sort in that order,
 * also within a millisecond and when the clock steps back.
 */
export function createIdSource(ports: IdPorts): () => Id {
  const pool = new Uint8Array(POOLED_IDS * 16);
  let used = POOLED_IDS;
  let lastMs = 0;
  let seq = 0;
  return () => {
    if (used === POOLED_IDS) {
      ports.random(pool);
      used = 0;
    }
    const random = pool.subarray(used * 16, used * 16 + 16);
    used += 1;
    const now = ports.now();
    if (now > lastMs) {
      lastMs = now;
      seq = ((random[6] ?? 0) << 16) | ((random[7] ?? 0) << 8) | (random[8] ?? 0);
    } else {
      seq += 1;
    }
    return v7({ msecs: lastMs, seq, random }) as Id;
  };
}

/**
 * Number of cached ids. Hashing costs ten times as much as a lookup, and one command asks for the same ids repeatedly.
 */
const DERIVED_KEPT = 8_192;
const derived = new Map<string, Id>();

/**
 * The id that every device derives from the same parts (UUIDv5, RFC 9562 §5.5). An entity that two devices may both
 * create (a completion, an account's Inbox) has such an id and so exists once.
 */
export function deriveId(...parts: readonly string[]): Id {
  let name = '';
  for (const part of parts) name += `${part.length}:${part}`;
  const known = derived.get(name);
  if (known !== undefined) return known;
  const id = v5(name, NAMESPACE) as Id;
  // All at once, so that nothing has to track the oldest.
  if (derived.size >= DERIVED_KEPT) derived.clear();
  // Long names come from a person's text and are derived once.
  if (name.length <= LONGEST_KEPT) derived.set(name, id);
  return id;
}

/** The Inbox of a personal scope. */
export function inboxId(scope: Id): Id {
  return deriveId('inbox', scope);
}

/** The row in a person's own scope with their own fields of a task or list. */
export function mineId(scope: Id, of: Id): Id {
  return deriveId('mine', scope, of);
}

/** The row in a person's own scope with the place that a shared list has in their sidebar. */
export function mountId(scope: Id, list: Id): Id {
  return deriveId('mount', scope, list);
}

/** The row of a member in the scope of a shared list. */
export function memberId(scope: Id, account: number): Id {
  return deriveId('member', scope, String(account));
}

/** The usual id of the record of a completed occurrence; see `completionIds`. */
export function completionId(task: Id, occurrence: number): Id {
  return deriveId('completion', task, String(occurrence));
}

/** Further ids tried for a record before it is refused. */
const SPARE_COMPLETION_IDS = 3;

/**
 * The ids that the record of a completed occurrence may have in a scope, in the order they are tried. The first is the
 * same in every scope; the others belong to this scope, for the case that the first was removed for good, or was taken
 * in another scope by somebody who knew the task's id.
 */
export function completionIds(scope: Id, task: Id, occurrence: number): readonly Id[] {
  const spare = Array.from({ length: SPARE_COMPLETION_IDS }, (_, index) =>
    deriveId('completion', scope, task, String(occurrence), String(index + 1)),
  );
  return [completionId(task, occurrence), ...spare];
}

/** The virtual parent of top-level lists; it is not a stored entity. */
export function listsRoot(scope: Id): Id {
  return scope;
}

/** The virtual parent of label groups and of labels outside any group; it is not a stored entity. */
export function labelsRoot(scope: Id): Id {
  return deriveId('labels', scope);
}

/** Whether it is the id of a virtual parent of this scope. Nothing may be stored under it: it would be above itself. */
export function isRootOf(scope: Id, id: Id): boolean {
  return id === listsRoot(scope) || id === labelsRoot(scope);
}

/** A setting is one entity per key. */
export function settingId(scope: Id, key: string): Id {
  return deriveId('setting', scope, key);
}
