// What every handler of the public API begins with and ends with: the frame of the account, the parsed request, and answers
// with their warnings.
import { parseId, type Id } from '#core/ids.ts';
import { nameOf } from '#sync/row-reading.ts';
import type { Action } from '#sync/operation.ts';
import type { Clock } from '#sync/ports.ts';
import type { Row } from '#sync/row.ts';
import type * as z from 'zod/mini';
import type { AccountActor } from '../access/authorise.ts';
import type { Store } from '../data/store.ts';
import type { TaskReads } from '../data/task-reads.ts';
import type { FileLinks } from '../files/links.ts';
import { sizedSuccess } from '../http/answer.ts';
import type { RouteCall } from '../http/route.ts';
import type { Exchange } from '../sync/exchange.ts';
import type { MailIn } from '../mail/receiving.ts';
import type { PlanView } from '../sync/planned.ts';
import { createFrames, type Frame, type FramedList, type Frames } from './frame.ts';
import type { ListShowing, Viewer } from './objects.ts';
import { limited, parseBody } from './parsing.ts';
import { invalid, isProblem, problem, refused, type Problem } from './problem.ts';
import { TaskReading } from './reading.ts';
import { createSearching, type Searching } from './searching.ts';
import { createWriting, type Step, type Writing } from './writing.ts';

export interface ApiPorts {
  readonly exchange: Pick<Exchange, 'carryOut'>;
  readonly reads: TaskReads;
  readonly store: Pick<Store, 'membersOf' | 'changes' | 'scope'>;
  readonly clock: Clock;
  readonly newId: () => Id;
  readonly nextTurn: (work: () => void) => void;
  /** Null: lists have no e-mail address. */
  readonly mailIn: Pick<MailIn, 'addresses' | 'desk'> | null;
  readonly fileLinks: FileLinks;
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
  readonly viewer: Viewer;
  readonly frame: Frame;
  readonly input: T;
  readonly warnings: readonly string[];
  readonly isStrict: boolean;
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
  const viewer = viewerOf(doors, call);
  return { actor, viewer, frame, input, warnings, isStrict };
}

export function viewerOf({ fileLinks }: Pick<ApiPorts, 'fileLinks'>, call: RouteCall): Viewer {
  const { account, session } = call.account();
  return { account, fileUrl: (attachment) => fileLinks.of(attachment, session, call.url) };
}

/** Moves a row to the trash; `missing` is answered when it is not there any more. */
export async function remove(
  { writing }: Doors,
  actor: AccountActor,
  { row: { scope, id }, missing }: { readonly row: Pick<Row, 'scope' | 'id'>; readonly missing: Problem },
): Promise<Response> {
  const refused = await writing.carryOut({
    actor,
    scopes: [scope],
    rows: [{ scope, id }],
    decide: (view) =>
      view.row(scope, id)?.fields['del'] === undefined ? [{ scope, action: { a: 'delete', id } }] : missing,
  });
  return answer(refused ?? {});
}

export type Creation = Action & { readonly a: 'create' };

/** What makes a row under an id that the client may have given: sent twice it is the same thing, anything else a conflict. */
export function creating(
  view: PlanView,
  { scope, action }: { readonly scope: Id; readonly action: Creation },
): Problem | readonly Step[] {
  const row = view.row(scope, action.id);
  if (row === undefined && view.absence(scope, action.id) === 'unknown') return [{ scope, action }];
  return row?.type === action.type && row.fields['del'] === undefined
    ? []
    : problem('conflict', 'This id is taken.', 'id');
}

/** What lists are shown with. The address of a list lets whoever knows it write: a token that only reads is told none. */
export async function showingOf(
  { mailIn }: Pick<ApiPorts, 'mailIn'>,
  call: RouteCall,
  lists: readonly FramedList[],
): Promise<ListShowing> {
  const { account, access } = call.account();
  const since = call.session?.account.created_at ?? 0;
  const addresses = mailIn?.addresses;
  if (!addresses || access === 'read' || !(await mailIn.desk.mayReceive(account)))
    return { account, since, addresses: new Map() };
  const holders = lists.filter(({ type }) => type === 'list' || type === 'inbox');
  const wanted = holders.map(({ row }) => ({ scope: row.scope, list: row.id, name: nameOf(row) }));
  return { account, since, addresses: await addresses.of(wanted) };
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
