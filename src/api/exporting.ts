// The whole account in pages, row by row, for programs that keep a copy of it: every list that the account sees, the trash
// included. A page says in which state it was read, so that a program sees whether anything changed between its pages.
import { createHash } from 'node:crypto';
import { exportedOf } from '#core/formats/exported.ts';
import { parseId, type Id } from '#core/ids.ts';
import { fieldOf, type Row } from '#sync/rows/row.ts';
import { endpoints } from '#wire/api/endpoints.ts';
import type { ApiEntity } from '#wire/api/objects.ts';
import type { ApiAnswer, ApiCall } from './ports.ts';
import type { Frame } from './frame.ts';
import { answer, type HandlerContext } from './handler-context.ts';
import { parseQuery } from './parsing.ts';
import { invalid, isProblem, problem } from './problem.ts';

const STEP_ROWS = 200;
const PAGE_ROWS = 2_000;
/** Notes can be long: no page is much longer than this. */
const PAGE_CHARACTERS = 4_000_000;
/** Before and after every place on the shelf. */
const BEGIN = '';
const END = '~';
const PLACE = /^[a-z0-9-]{0,100}$/;

/** Where a page begins: after a place on the shelf of a scope. */
interface Mark {
  readonly scope: Id;
  readonly after: string;
}

const printMark = ({ scope, after }: Mark) => Buffer.from(`${scope} ${after}`).toString('base64url');

function parseMark(text: string): Mark | null {
  const [id = '', after = '', ...more] = Buffer.from(text, 'base64url').toString().split(' ');
  const scope = parseId(id);
  return scope === null || more.length > 0 || !PLACE.test(after) ? null : { scope, after };
}

interface Page {
  readonly rows: readonly Row[];
  readonly next: Mark | null;
}

/** The handler of the call. */
export class ExportHandlers {
  readonly #context: HandlerContext;

  constructor(context: HandlerContext) {
    this.#context = context;
  }

  async read(call: ApiCall): Promise<ApiAnswer> {
    const parsed = parseQuery(endpoints.exportAccount.query, call.url);
    if (isProblem(parsed)) return answer(parsed);
    const { cursor } = parsed.value;
    const frame = await this.#context.frames.of(call.account());
    const scopes = [frame.personal, ...frame.scopes.filter((scope) => scope !== frame.personal).toSorted()];
    const mark = cursor === undefined ? { scope: frame.personal, after: BEGIN } : parseMark(cursor);
    if (mark === null || !scopes.includes(mark.scope))
      return answer(invalid('cursor', 'This cursor is invalid. Begin again without one.'));
    const personal = await this.#context.store.scope(frame.personal);
    if ((personal?.sealing?.phase ?? 'plain') !== 'plain')
      return answer(
        problem('encrypted', 'This account is end-to-end encrypted. Export it from an app of yours.'),
      );
    const state = await this.#stateOf(scopes);
    const { rows, next } = await this.#page(scopes, mark);
    return answer(
      {
        entities: exportedOf(
          rows.map((row) => asSeen(row, frame)),
          frame.personal,
        ).map(entityJson),
        people: peopleIn(rows),
        state,
        next_cursor: next === null ? null : printMark(next),
      },
      parsed.warnings,
    );
  }

  /** Changes with every change of any of the scopes, and with which scopes they are. */
  async #stateOf(scopes: readonly Id[]): Promise<string> {
    const records = await this.#context.store.scopes(scopes);
    const hash = createHash('sha256');
    for (const scope of scopes) hash.update(`${scope} ${records.get(scope)?.version ?? 0}\n`);
    return hash.digest('hex').slice(0, 32);
  }

  async #page(scopes: readonly Id[], { scope: first, after: from }: Mark): Promise<Page> {
    const { store, nextTurn } = this.#context;
    const rows: Row[] = [];
    let characters = 0;
    let after = from;
    for (let at = scopes.indexOf(first); at < scopes.length;) {
      const scope = scopes[at] ?? first;
      if (rows.length >= PAGE_ROWS || characters >= PAGE_CHARACTERS) return { rows, next: { scope, after } };
      const step = await store.shelf(scope, { after, to: END, limit: STEP_ROWS });
      for (const { row, place } of step) {
        rows.push(row);
        after = place;
        characters += lengthOf(row);
        if (characters >= PAGE_CHARACTERS) return { rows, next: { scope, after } };
      }
      if (step.length < STEP_ROWS) {
        at += 1;
        after = BEGIN;
      }
      await new Promise<void>((resolve) => nextTurn(resolve));
    }
    return { rows, next: null };
  }
}

function lengthOf(row: Row): number {
  const hasValue = fieldOf(row, 'value') !== undefined;
  return 500 + (fieldOf(row, 'notes') ?? '').length + (hasValue ? 10_000 : 0);
}

/** A shared list as the account sees it: where its mount stands. */
const asSeen = (row: Row, frame: Frame): Row =>
  row.type === 'list' && row.scope !== frame.personal ? (frame.list(row.id)?.row ?? row) : row;

function entityJson({
  id,
  type,
  createdAt,
  parent,
  key,
  fields,
  isShared,
}: ReturnType<typeof exportedOf>[number]): ApiEntity {
  const place = parent === undefined ? {} : { parent_id: parent, key: key ?? '' };
  return { id, type, created_at: createdAt, ...place, fields, ...(isShared ? { is_shared: true } : {}) };
}

function peopleIn(rows: readonly Row[]): readonly { readonly user_id: number; readonly name: string }[] {
  return rows.flatMap((row) =>
    row.type === 'member' && row.fields.name !== undefined && row.fields.name !== ''
      ? [{ user_id: row.fields.account, name: row.fields.name }]
      : [],
  );
}
