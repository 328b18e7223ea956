// What every handler of the public API begins with and ends with: the frame of the account, the parsed request, and answers
// with their warnings.
import { parseId, type Id } from '#core/ids.ts';
import type { Clock } from '#sync/ports.ts';
import type * as z from 'zod/mini';
import type { AccountActor } from '../access/authorise.ts';
import type { Store } from '../data/store.ts';
import type { TaskReads } from '../data/task-reads.ts';
import { sizedSuccess } from '../http/answer.ts';
import type { RouteCall } from '../http/route.ts';
import type { Exchange } from '../sync/exchange.ts';
import { createFrames, type Frame, type Frames } from './frame.ts';
import type { ListShowing } from './objects.ts';
import { limited, parseBody } from './parsing.ts';
import { invalid, isProblem, problem, refused, type Problem } from './problem.ts';
import { TaskReading } from './reading.ts';
import { createSearching, type Searching } from './searching.ts';
import { createWriting, type Writing } from './writing.ts';

export interface ApiPorts {
  readonly exchange: Pick<Exchange, 'carryOut'>;
  readonly reads: TaskReads;
  readonly store: Pick<Store, 'membersOf' | 'changes' | 'scope'>;
  readonly clock: Clock;
  readonly newId: () => Id;
  readonly nextTurn: (work: () => void) => void;
  readonly mailDomain: string | null;
}

/** What the handlers share. */
export interface Doors extends ApiPorts {
  readonly frames: Frames;
  readonly reading: TaskReading;
  readonly writing: Writing;
  readonly searching: Searching;
}

export function createDoors(ports: ApiPorts): Doors {
  return {
    ...ports,
    frames: createFrames(ports),
    reading: new TaskReading(ports.reads),
    writing: createWriting(ports),
    searching: createSearching(ports),
  };
}

export const nothing = (what: string): Problem => problem('not_found', `There is no such ${what}.`);

/** The id in the path; a text that is none names nothing. */
export function idOf(call: RouteCall): Id | null {
  return parseId(call.params['id'] ?? '');
}

export interface Opened<T> {
  readonly actor: AccountActor;
  readonly frame: Frame;
  readonly input: T;
  readonly warnings: readonly string[];
  readonly isStrict: boolean;
  readonly showing: ListShowing;
}

/** Reads the body, then the frame. */
export async function open<T>(
  doors: Doors,
  call: RouteCall,
  schema: z.ZodMiniType<T>,
): Promise<Opened<T> | Problem> {
  const parsed = parseBody(schema, call.body);
  if (isProblem(parsed)) return parsed;
  const { value: input, warnings } = parsed;
  const isStrict = (input as { readonly strict?: boolean | null }).strict === true;
  if (isStrict && warnings[0] !== undefined) return strictly(warnings);
  const actor = call.account();
  const frame = await doors.frames.of(actor);
  return { actor, frame, input, warnings, isStrict, showing: showingOf(doors, call) };
}

export function showingOf({ mailDomain }: Pick<ApiPorts, 'mailDomain'>, call: RouteCall): ListShowing {
  return { account: call.account().account, since: call.session?.account.created_at ?? 0, mailDomain };
}

/** Warnings where none are tolerated. */
export function strictly(warnings: readonly string[]): Problem {
  return invalid('strict', warnings[0] ?? 'There are warnings.');
}

export function answer(
  body: Readonly<Record<string, unknown>> | Problem,
  warnings: readonly string[] = [],
): Response {
  if (isProblem(body)) return refused(body as Problem);
  return sizedSuccess(warnings.length === 0 ? body : { ...body, warnings: limited(warnings) });
}
