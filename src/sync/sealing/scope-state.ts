// The states of a scope on its way to being sealed and back: plain, sealing, sealed, unsealing. Every step leads forward in one
// order, so that a state that comes again shows a restored or a lying server. The server keeps the state and holds pushes to it.
// Not here: how it is kept, and how rows are walked (reencoding.ts).
import type { Id } from '#core/ids.ts';
import type { EntityType } from '#core/model.ts';
import { failed, ok, type Result } from '#core/result.ts';
import { generationOf, inboxGenerationOf, isEnvelope, isSealedText } from '#core/sealing/envelope.ts';
import { FIRST_LIST_GENERATION, isListGeneration } from '#core/sealing/keys.ts';
import { fateOf, isHiddenRegister } from '#core/sealing/sealable.ts';
import type { Register } from './registers.ts';
import { registersIn, type SentOperation } from './sealed-operation.ts';

/** Of one generation in the order in which a scope goes through them; a rotation leaves out the last two. */
export const scopePhases = ['sealing', 'sealed', 'unsealing', 'plain'] as const;
/** One of `scopePhases`. */
export type ScopePhase = (typeof scopePhases)[number];

/**
 * What becomes of a list of a sealed scope: `open` its rows are opened, so that it can be shared; `await` it comes back from a scope of its own
 * with rows that are open; `close` what is open in the scope is sealed again.
 */
export const listWays = ['open', 'await', 'close'] as const;
/** One of `listWays`. */
export type ListWay = (typeof listWays)[number];

/** The state of a scope. A scope that never was sealed is plain in generation 0. */
export interface ScopeSealing {
  readonly phase: ScopePhase;
  /** The latest generation of its key. */
  readonly generation: number;
  /** Lists of a sealed scope on their way out of it or back; absent: none. While there are any, plain values are read in it. */
  readonly lists?: Readonly<Record<string, ListWay>> | undefined;
}

/** The lists of a state that go a way. */
export const listsOn = ({ lists = {} }: ScopeSealing, way: ListWay): readonly Id[] =>
  Object.entries(lists).flatMap(([id, each]) => (each === way ? [id as Id] : []));

/** Whether lists are on their way out of a sealed scope or back. */
export const hasLists = ({ phase, lists = {} }: ScopeSealing): boolean =>
  phase === 'sealed' && Object.keys(lists).length > 0;

/** Whether two states name the same lists, each on the same way. */
export function areListsSame(
  { lists: one = {} }: ScopeSealing,
  { lists: other = {} }: ScopeSealing,
): boolean {
  const ids = Object.keys(one);
  return ids.length === Object.keys(other).length && ids.every((id) => one[id] === other[id]);
}

/** The state of every scope in the beginning. */
export const neverSealed: ScopeSealing = { phase: 'plain', generation: 0 };

/** Where a state stands in the order of all. No step leads back. */
export function positionOf({ phase, generation }: ScopeSealing): number {
  return generation * scopePhases.length + scopePhases.indexOf(phase);
}

/**
 * What a device asks for.
 * - `begin` sealing, from plain; `rotate` to the next generation, from sealed; `unseal`, from sealed or from sealing
 * - `finish` what was begun: `left` registers are not yet in the form that it leads to, counted in the same transaction
 */
export type ScopeStep =
  | { readonly step: 'begin' | 'rotate' | 'unseal' }
  | { readonly step: 'finish'; readonly left: number };

/**
 * Why a step isn't made: `moved` another device was first; `not-now` it doesn't lead on from this state; `unfinished` registers are left.
 */
export type StepProblem =
  | { readonly type: 'moved'; readonly now: ScopeSealing }
  | { readonly type: 'not-now' }
  | { readonly type: 'unfinished'; readonly left: number };

function after({ phase, generation }: ScopeSealing, { step }: ScopeStep): ScopeSealing | null {
  switch (step) {
    case 'begin':
      return phase === 'plain' ? { phase: 'sealing', generation: generation + 1 } : null;
    case 'rotate':
      return phase === 'sealed' ? { phase: 'sealing', generation: generation + 1 } : null;
    case 'unseal':
      return phase === 'sealed' || phase === 'sealing' ? { phase: 'unsealing', generation } : null;
    case 'finish':
      if (phase === 'sealing') return { phase: 'sealed', generation };
      return phase === 'unsealing' ? { phase: 'plain', generation } : null;
  }
}

/** The state after a step, which is made only from the state that its device has seen. */
export function stepped(
  now: ScopeSealing,
  seen: ScopeSealing,
  step: ScopeStep,
): Result<ScopeSealing, StepProblem> {
  if (positionOf(now) !== positionOf(seen)) return failed({ type: 'moved', now });
  const next = after(now, step);
  if (next === null) return failed({ type: 'not-now' });
  const left = step.step === 'finish' ? step.left : 0;
  return left > 0 ? failed({ type: 'unfinished', left }) : ok(next);
}

/** Whether new values are sealed in this state. */
export const sealsIn = ({ phase }: ScopeSealing): boolean => phase === 'sealing' || phase === 'sealed';

/** The generation that a push has to name: 0 where it carries plain values. */
export function generationToPush(state: ScopeSealing): number {
  return sealsIn(state) ? state.generation : 0;
}

/** The form of rows that leave a sealed scope: plain. */
export const openForm = ({ generation }: ScopeSealing): ScopeSealing => ({ phase: 'unsealing', generation });

/** The oldest generation that may come back as it was. */
export const firstOf = ({ generation }: ScopeSealing): number =>
  isListGeneration(generation) ? FIRST_LIST_GENERATION : 1;

/** Whether a register has the form that the state leads to. `since`: the oldest generation that will do. */
export function isInForm(
  state: ScopeSealing,
  type: EntityType,
  { name, value }: Register,
  since: number = state.generation,
): boolean {
  const fate = fateOf(type, name);
  if (fate === 'plain') return true;
  if (!sealsIn(state)) {
    const isSealed = isEnvelope(value) && isSealedText(value);
    return !isSealed && !(fate === 'hidden' && isHiddenRegister(name));
  }
  if (fate === 'hidden' && !isHiddenRegister(name)) return false;
  if (value === null || value === undefined) return true;
  const generation = isEnvelope(value) ? generationOf(value) : null;
  return generation !== null && generation >= since && generation <= state.generation;
}

/**
 * Whether a register may be written in this state: in its form, or sealed to the inbox, which devices bring into it. `since`: as for
 * `isInForm`.
 */
export function isAccepted(
  state: ScopeSealing,
  type: EntityType,
  register: Register,
  since: number = state.generation,
): boolean {
  const { name, value } = register;
  const isContent = sealsIn(state) && fateOf(type, name) === 'sealed' && isEnvelope(value);
  const inbox = isContent ? inboxGenerationOf(value) : null;
  if (inbox !== null) return inbox >= since && inbox <= state.generation;
  return isInForm(state, type, register, since);
}

/** A push, as far as its form goes. */
export interface Pushed {
  /** As it was said with the push; 0: plain. */
  readonly generation: number;
  readonly operation: SentOperation;
  readonly type: EntityType;
}

/**
 * Whether the device has to seal the same operation anew, or to send it plainly, before it is judged. Not a refusal. Operations
 * without content are never held up.
 */
export function needsReseal(state: ScopeSealing, { generation, operation, type }: Pushed): boolean {
  const content = registersIn(operation, type).filter(({ name }) => fateOf(type, name) !== 'plain');
  if (content.length === 0) return false;
  if (generation !== generationToPush(state)) return true;
  // A setting may hold what looks like an envelope; who says that it is plain is taken at their word.
  if (generation === 0) return false;
  // What is locked on a device comes back as it was.
  const since = operation.a === 'reoffer' ? firstOf(state) : state.generation;
  return !content.every((register) => isAccepted(state, type, register, since));
}

/** The content of an attachment, as rows hold it. Which key it was sealed with doesn't matter: devices keep all of them. */
export interface FileFields {
  readonly hash?: unknown;
  readonly content?: unknown;
}

/** Whether the server has the content sealed. */
export const isFileSealed = ({ content }: FileFields): boolean => content !== undefined && content !== null;

/** Whether a content has the form that the state leads to. An attachment without any has. */
export function isFileInForm(state: ScopeSealing, fields: FileFields): boolean {
  return typeof fields.hash !== 'string' || isFileSealed(fields) === sealsIn(state);
}
