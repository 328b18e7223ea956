// Shared steps of all handlers of the public API: the frame of the account, the parsed request, and answers with their
// warnings.
import { isRootOf, parseId, type Id } from '#core/ids.ts';
import { nameOf } from '#sync/rows/row-reading.ts';
import type { Action } from '#sync/rows/operation.ts';
import { fieldOf, type Row } from '#sync/rows/row.ts';
import type * as z from 'zod/mini';
import type { ApiActor, ApiAnswer, ApiCall, ApiPorts, PlanView } from './ports.ts';
import { createFrames, type Frame, type FramedList, type Frames } from './frame.ts';
import type { ListShowing, Viewer } from './objects.ts';
import { limited, parseBody, unreadParameters } from './parsing.ts';
import { invalid, isProblem, problem, type Problem } from './problem.ts';
import { TaskReading } from './reading.ts';
import { createWriting, type Step, type Writing } from './writing.ts';

/** Shared by the handlers. */
export interface HandlerContext extends ApiPorts {
  readonly frames: Frames;
  readonly reading: TaskReading;
  readonly writing: Writing;
}

/** Makes what the handlers share. */
export function createHandlerContext(ports: ApiPorts): HandlerContext {
  return {
    ...ports,
    frames: createFrames(ports),
    reading: new TaskReading(ports.reads),
    writing: createWriting(ports),
  };
}

/** The problem of an id that names nothing. */
export const nothing = (what: string): Problem => problem('not_found', `That ${what} doesn't exist.`);

/** The id in the path; null: not an id, so it names nothing. */
export function idOf(call: ApiCall): Id | null {
  return parseId(call.params['id'] ?? '');
}

/** A call with its body read and its account's frame. */
export interface Opened<T> {
  readonly actor: ApiActor;
  readonly viewer: Viewer;
  readonly frame: Frame;
  readonly input: T;
  readonly warnings: readonly string[];
  readonly isStrict: boolean;
}

/** Reads the body, then the frame. */
export async function open<T>(
  context: HandlerContext,
  call: ApiCall,
  schema: z.ZodMiniType<T>,
): Promise<Opened<T> | Problem> {
  const parsed = parseBody(schema, call.body);
  if (isProblem(parsed)) return parsed;
  const { value: input } = parsed;
  const warnings = [...parsed.warnings, ...unreadParameters(call.url)];
  const isStrict = (input as { readonly strict?: boolean | null }).strict === true;
  if (isStrict && warnings[0] !== undefined) return strictly(warnings);
  const actor = call.account();
  const frame = await context.frames.of(actor);
  const viewer = viewerOf(context, call);
  return { actor, viewer, frame, input, warnings, isStrict };
}

/** Who a call shows things to. */
export function viewerOf({ fileLinks }: Pick<ApiPorts, 'fileLinks'>, call: ApiCall): Viewer {
  const { account, session } = call.account();
  return { account, fileUrl: (attachment) => fileLinks.of(attachment, session, call.url) };
}

/** Moves a row to the trash, by `steps` if there is more to do; answers `missing` when it no longer exists. */
export async function remove(
  { writing }: HandlerContext,
  call: ApiCall,
  {
    row: { scope, id },
    missing,
    steps = [{ scope, action: { a: 'delete', id } }],
  }: { readonly row: Pick<Row, 'scope' | 'id'>; readonly missing: Problem; readonly steps?: readonly Step[] },
): Promise<ApiAnswer> {
  const refused = await writing.carryOut({
    actor: call.account(),
    scopes: [scope],
    rows: [{ scope, id }],
    decide: (view) => (fieldOf(view.row(scope, id), 'del') === undefined ? steps : missing),
  });
  return answer(refused ?? {}, unreadParameters(call.url));
}

/** Making a row. */
export type Creation = Action & { readonly a: 'create' };

const taken = problem('conflict', 'This id is already taken.', 'id');

/**
 * A conflict if the new thing would have the id of what others are under: a list or the top of a tree. Its place cannot be
 * counted among them then, so that this has to be known before.
 */
export function takenAbove(frame: Frame, id: Id): Problem | null {
  const isTaken = frame.list(id) !== undefined || frame.scopes.some((scope) => isRootOf(scope, id));
  return isTaken ? taken : null;
}

/**
 * Runs a creation under an id that the client may have chosen: the same request sent twice has one effect, any other use of
 * the id is a conflict.
 */
export function creating(
  view: PlanView,
  { scope, action }: { readonly scope: Id; readonly action: Creation },
): Problem | readonly Step[] {
  const row = view.row(scope, action.id);
  if (row === undefined && view.absence(scope, action.id) === 'unknown') return [{ scope, action }];
  return row?.type === action.type && fieldOf(row, 'del') === undefined ? [] : taken;
}

/** Context for showing lists. Anybody who knows a list's address can add to it, so read-only tokens are not shown it. */
export async function showingOf(
  { mailIn }: Pick<ApiPorts, 'mailIn'>,
  call: ApiCall,
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

/** The warnings as an error, for strict requests. */
export function strictly(warnings: readonly string[]): Problem {
  return invalid(
    'strict',
    warnings[0] ?? '"strict" is on and this request has warnings. Nothing was changed.',
  );
}

/** What a call answers, with what there is to say about it. A problem stays one. */
export function answer(
  body: Readonly<Record<string, unknown>> | Problem,
  warnings: readonly string[] = [],
  status: 200 | 202 = 200,
): ApiAnswer {
  if (isProblem(body)) return body as Problem;
  return { status, body: warnings.length === 0 ? body : { ...body, warnings: limited(warnings) } };
}
