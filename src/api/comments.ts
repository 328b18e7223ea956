// The handlers of the calls about comments: reading those of a task, writing one, and its author changing or deleting it.
import { memberId, parseId, type Id } from '#core/ids.ts';
import { mentionedIn, withMentions, withNames } from '#core/mentions.ts';
import { limits } from '#core/model.ts';
import { inMemberOrder } from '#core/people.ts';
import { isTrashed, placeOf } from '#sync/rows/row-reading.ts';
import type { MemberRow } from '#sync/replica/replica-types.ts';
import { fieldOf, type CommentRow, type Row } from '#sync/rows/row.ts';
import { endpoints } from '#wire/api/endpoints.ts';
import type { ApiComment } from '#wire/api/objects.ts';
import { apiLimits } from '#wire/api/requests.ts';
import { linesOf } from '#wire/api/values.ts';
import type { ReadRow } from './task-reads.ts';
import type { ApiAnswer, ApiCall } from './ports.ts';
import type { Frame } from './frame.ts';
import {
  answer,
  creating,
  idOf,
  nothing,
  open,
  remove,
  takenAbove,
  viewerOf,
  type Creation,
  type HandlerContext,
} from './handler-context.ts';
import { isoOf } from './moments.ts';
import { parseQuery } from './parsing.ts';
import { invalid, isProblem, problem, type Problem } from './problem.ts';
import { parseCursor, printCursor } from './reading.ts';

const noTask = nothing('task');
const noComment = nothing('comment');

type ReadComment = Extract<ReadRow, { readonly type: 'comment' }>;

/** Comments of tasks, under the same rules as in the app. */
export class CommentHandlers {
  readonly #context: HandlerContext;

  constructor(context: HandlerContext) {
    this.#context = context;
  }

  async list(call: ApiCall): Promise<ApiAnswer> {
    const parsed = parseQuery(endpoints.listComments.query, call.url);
    if (isProblem(parsed)) return answer(parsed);
    const { cursor, limit: most } = parsed.value;
    const mark = cursor === undefined ? null : parseCursor(cursor);
    if (cursor !== undefined && mark === null)
      return answer(invalid('cursor', 'This cursor is invalid. Use "next_cursor" from the last page.'));
    const frame = await this.#context.frames.of(call.account());
    const task = await this.#task(call, frame, idOf(call));
    if (task === null) return answer(noTask);
    const limit = most === undefined ? apiLimits.page : Number(most);
    const after = mark && { createdAt: mark.updatedAt, id: mark.id };
    const rows = await this.#context.reads.comments(task.scope, task.id, after, limit + 1);
    const found = rows.filter((row) => row.type === 'comment').slice(0, limit);
    const last = rows.length > limit ? found.at(-1) : undefined;
    return answer(
      {
        comments: await this.#shown(frame, found),
        next_cursor: last ? printCursor({ updatedAt: last.createdAt, id: last.id }) : null,
      },
      parsed.warnings,
    );
  }

  async create(call: ApiCall): Promise<ApiAnswer> {
    const opened = await open(this.#context, call, endpoints.createComment.body);
    if (isProblem(opened)) return answer(opened);
    const { actor, frame, input, warnings } = opened;
    const task = await this.#task(call, frame, idOf(call));
    if (task === null) return answer(noTask);
    const id = (input.id ? parseId(input.id) : null) ?? this.#context.newId();
    const conflict = takenAbove(frame, id);
    if (conflict) return answer(conflict);
    const text = await this.#stored(frame, task, input.text);
    if (isProblem(text)) return answer(text);
    const { scope } = task;
    const place = { parent: task.id };
    const action: Creation = { a: 'create', id, type: 'comment', fields: { text }, place };
    const refused = await this.#context.writing.carryOut({
      actor,
      scopes: [scope],
      rows: [
        { scope, id },
        { scope, id: task.id },
      ],
      decide(view) {
        const about = view.row(scope, task.id);
        return about === undefined || isTrashed(about) ? noTask : creating(view, { scope, action });
      },
    });
    return refused ? answer(refused) : this.#show(call, id, warnings);
  }

  async update(call: ApiCall): Promise<ApiAnswer> {
    const opened = await open(this.#context, call, endpoints.updateComment.body);
    if (isProblem(opened)) return answer(opened);
    const { actor, frame, input, warnings } = opened;
    const row = await this.#comment(call, frame);
    if (row === null) return answer(noComment);
    if (row.fields.author !== actor.account)
      return answer(problem('forbidden', 'Only its author can change a comment.'));
    const text = await this.#stored(frame, row, input.text);
    if (isProblem(text)) return answer(text);
    const { scope, id } = row;
    const refused = await this.#context.writing.carryOut({
      actor,
      scopes: [scope],
      rows: [{ scope, id }],
      decide(view) {
        const present = view.row(scope, id);
        if (present === undefined || isTrashed(present)) return noComment;
        return fieldOf(present, 'text') === text
          ? []
          : [{ scope, action: { a: 'set', id, field: 'text', value: text } }];
      },
    });
    return refused ? answer(refused) : this.#show(call, id, warnings);
  }

  async remove(call: ApiCall): Promise<ApiAnswer> {
    const actor = call.account();
    const row = await this.#comment(call, await this.#context.frames.of(actor));
    if (row === null) return answer(noComment);
    // The owner of the list may: in one's own scope that is oneself.
    if (row.fields.author !== actor.account && actor.roles.get(row.scope) !== 'owner')
      return answer(problem('forbidden', 'Its author and the owner of the list can delete a comment.'));
    return remove(this.#context, call, { row, missing: noComment });
  }

  /** Null: not there for this reader. */
  async #task(call: ApiCall, frame: Frame, id: Id | null): Promise<Row | null> {
    const { reading } = this.#context;
    const rows = id === null ? [] : await reading.rows(frame, [id]);
    const [shown] = await reading.show(viewerOf(this.#context, call), frame, rows);
    return shown?.row ?? null;
  }

  /** The comment that the call names; null: not there for this reader, or on a task that is not. */
  async #comment(call: ApiCall, frame: Frame): Promise<CommentRow | null> {
    const id = idOf(call);
    const [row] = id === null ? [] : await this.#context.reads.find(frame.scopes, [id]);
    if (row?.type !== 'comment' || isTrashed(row)) return null;
    return (await this.#task(call, frame, placeOf(row)?.parent ?? null)) === null ? null : row;
  }

  /** The text as it is stored, with the people of the list that it mentions. */
  async #stored(frame: Frame, { scope }: Pick<Row, 'scope'>, text: string): Promise<string | Problem> {
    const list = frame.lists.find(({ row, isShared }) => isShared && row.scope === scope);
    const members = list === undefined ? [] : await this.#members([scope], list.members);
    const people = members
      .filter((row) => row.fields.leftAt === undefined)
      .map(({ fields }) => ({ ...fields, name: fields.name ?? '' }))
      .toSorted(inMemberOrder);
    const stored = withMentions(linesOf(text).trim(), people);
    const isTooLong = [...stored].length > limits.commentCodePoints;
    return isTooLong ? invalid('text', '"text" is too long with its mentions.') : stored;
  }

  async #members(scopes: readonly Id[], accounts: readonly number[]): Promise<readonly MemberRow[]> {
    const ids = scopes.flatMap((scope) => accounts.map((account) => memberId(scope, account)));
    const rows = ids.length === 0 ? [] : await this.#context.reads.find(scopes, ids);
    return rows.filter((row) => row.type === 'member');
  }

  /** Names of people by scope; of others the first list that knows them. */
  async #names(frame: Frame, rows: readonly ReadComment[]) {
    const accounts = [
      ...new Set(rows.flatMap((row) => [row.fields.author ?? 0, ...mentionedIn(textOf(row))])),
    ];
    const scopes = new Set(rows.map(({ scope }) => scope));
    const here = await this.#members([...scopes], accounts);
    const known = new Set(here.map(({ fields }) => fields.account));
    const others = frame.scopes.filter((scope) => scope !== frame.personal && !scopes.has(scope));
    const unknown = accounts.filter((account) => !known.has(account));
    const members = [...here, ...(await this.#members(others, unknown))];
    return (scope: Id, account: number): string | null => {
      const found = members.filter(({ fields }) => fields.account === account && fields.name);
      return (found.find((row) => row.scope === scope) ?? found[0])?.fields.name ?? null;
    };
  }

  async #shown(frame: Frame, rows: readonly ReadComment[]): Promise<readonly ApiComment[]> {
    const nameOf = await this.#names(frame, rows);
    return rows.map((row) => {
      const author = row.fields.author ?? 0;
      const text = textOf(row);
      return {
        id: row.id,
        todo_item_id: row.fields.place.parent,
        user_id: author,
        user_name: nameOf(row.scope, author),
        text: withNames(text, (account) => nameOf(row.scope, account)),
        mentioned_user_ids: [...mentionedIn(text)],
        created_at: isoOf(row.createdAt),
        updated_at: isoOf(row.updatedAt),
      };
    });
  }

  async #show(call: ApiCall, id: Id, warnings: readonly string[]): Promise<ApiAnswer> {
    const frame = await this.#context.frames.of(call.account());
    const [row] = await this.#context.reads.find(frame.scopes, [id]);
    if (row?.type !== 'comment' || isTrashed(row)) return answer(noComment);
    const [comment] = await this.#shown(frame, [row]);
    return answer(comment ? { comment } : noComment, warnings);
  }
}

function textOf({ fields }: ReadComment): string {
  return fields.text ?? '';
}
