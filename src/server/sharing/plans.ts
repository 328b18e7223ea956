// What the server writes when a list is shared, joined, left or made private again, as plans that decide from the rows as they
// are at that moment: done twice they do nothing the second time.
import { deriveId, listsRoot, memberId, mountId, type Id } from '#core/ids.ts';
import type { MemberFields } from '#core/model.ts';
import type { Action } from '#sync/rows/operation.ts';
import { fieldOf, registersOf } from '#sync/rows/row.ts';
import { placeOf } from '#sync/rows/row-reading.ts';
import type { AccountActor, Role } from '../access/authorise.ts';
import { isLiving } from '../sync/living.ts';
import type { PlannedAction, PlanView } from '#api/ports.ts';
import type { Plan } from '../sync/planned.ts';

/** An account in whose name the server writes. */
export interface Author {
  readonly account: number;
  readonly personal: Id;
}

/** The device that writes for the server in the name of an account. */
export const sharingDevice = (account: number): Id => deriveId('sharing', String(account));

/** The server, acting for an account in these scopes. */
export function serverFor({ account, personal }: Author, scopes: readonly (readonly [Id, Role])[]) {
  return {
    type: 'account',
    account,
    session: sharingDevice(account),
    kind: 'web',
    personalScope: personal,
    roles: new Map(scopes),
    isServer: true,
  } satisfies AccountActor;
}

/** What a member is to be called in the rows of a scope; null: nothing. */
export type MemberState = {
  readonly [Name in Exclude<keyof MemberFields, 'account'>]: MemberFields[Name] | null | undefined;
};

const NOTHING_READ = { ancestors: [], siblings: [] } as const;

/** Operations of one atomic change in a scope. `at`: when they count as written, if that is not now. */
function together(newId: () => Id, actions: readonly (readonly [scope: Id, action: Action])[], at?: number) {
  const [x, g] = [newId(), newId()];
  const written = at === undefined ? {} : { at };
  return actions.map(([scope, action]): PlannedAction => ({ scope, action, u: newId(), x, g, ...written }));
}

/** Writes what differs of the row of a member. */
function memberActions(
  view: PlanView,
  scope: Id,
  { account, state }: { readonly account: number; readonly state: Partial<MemberState> },
): Action[] {
  const id = memberId(scope, account);
  const row = view.row(scope, id);
  const stated = Object.entries(state);
  if (row === undefined) {
    const fields = Object.fromEntries(stated.filter(([, value]) => value !== null && value !== undefined));
    return [{ a: 'create', id, type: 'member', fields: { account, ...fields } }];
  }
  const held = registersOf(row);
  return stated.flatMap(([field, value]): Action[] =>
    (held[field] ?? null) === (value ?? null) ? [] : [{ a: 'set', id, field, value: value ?? null }],
  );
}

/** Brings the rows of members up to date. */
export function membersPlan(
  scope: Id,
  members: readonly { readonly account: number; readonly state: Partial<MemberState> }[],
  newId: () => Id,
): Plan {
  return {
    scopes: [scope],
    want: {
      rows: members.map(({ account }) => ({ scope, id: memberId(scope, account) })),
      ...NOTHING_READ,
    },
    decide: (view) =>
      together(
        newId,
        members.flatMap((member) =>
          memberActions(view, scope, member).map((action) => [scope, action] as const),
        ),
      ),
  };
}

/**
 * Where a list stands in the sidebar of somebody who has joined: where it was, else at the end of the top level. A mount that is
 * made counts as older than all that its person has done with the list: after a restore their devices bring that back.
 */
export function mountPlan(
  { personal, list, joinedAt }: { readonly personal: Id; readonly list: Id; readonly joinedAt: number },
  newId: () => Id,
): Plan {
  const id = mountId(personal, list);
  return {
    scopes: [personal],
    want: { rows: [{ scope: personal, id }], ...NOTHING_READ },
    decide(view) {
      const row = view.row(personal, id);
      const place = { parent: listsRoot(personal), at: 'end' } as const;
      const actions: Action[] =
        row === undefined
          ? [{ a: 'create', id, type: 'mount', fields: { of: list, joinedAt }, place }]
          : fieldOf(row, 'joinedAt') === joinedAt
            ? []
            : [
                { a: 'set', id, field: 'joinedAt', value: joinedAt },
                { a: 'set', id, field: 'hiddenAt', value: null },
              ];
      return together(
        newId,
        actions.map((action) => [personal, action]),
        row === undefined ? joinedAt - 1 : undefined,
      );
    },
  };
}

/** A list on its way between the scope of its owner and its own. */
export interface Moving {
  readonly owner: Author;
  readonly list: Id;
  /** The shared scope. */
  readonly scope: Id;
}

/**
 * Moves a list into its scope; its mount takes its place in the sidebar in the same change. Refused when it is not there, or
 * in the trash.
 */
export function sharePlan(
  { owner: { account, personal }, list, scope }: Moving,
  state: Partial<MemberState>,
  newId: () => Id,
): Plan {
  const mount = mountId(personal, list);
  return {
    scopes: [personal, scope],
    want: {
      rows: [
        { scope: personal, id: mount },
        { scope, id: memberId(scope, account) },
      ],
      ancestors: [{ scope: personal, id: list }],
      siblings: [],
    },
    decide(view) {
      const rowOf = (id: Id) => view.row(personal, id);
      const row = rowOf(list);
      const parent = placeOf(row)?.parent;
      if (fieldOf(row, 'listType') !== 'list' || parent === undefined || !isLiving(personal, list, rowOf))
        return null;
      const place = { parent, after: list };
      const joinedAt = state.joinedAt ?? null;
      const mounting: Action[] =
        rowOf(mount) === undefined
          ? [{ a: 'create', id: mount, type: 'mount', fields: { of: list, joinedAt }, place }]
          : [
              { a: 'place', id: mount, place },
              { a: 'set', id: mount, field: 'hiddenAt', value: null },
              { a: 'set', id: mount, field: 'joinedAt', value: joinedAt },
            ];
      return together(newId, [
        ...memberActions(view, scope, { account, state }).map((action) => [scope, action] as const),
        ...mounting.map((action) => [personal, action] as const),
        // The last one: what is refused after a move would have to take it back.
        [personal, { a: 'place', id: list, place: { parent: listsRoot(scope), at: 'end' } }],
      ]);
    },
  };
}

/**
 * Moves a list back into the scope of its owner, to where its mount is. `isTop`: to the top level, because there it could not
 * go. Refused when it is not in the shared scope.
 */
export function returnPlan(
  { owner: { personal }, list, scope }: Moving,
  isTop: boolean,
  newId: () => Id,
): Plan {
  const mount = mountId(personal, list);
  return {
    scopes: [personal, scope],
    want: { rows: [{ scope, id: list }], ancestors: [{ scope: personal, id: mount }], siblings: [] },
    decide(view) {
      const row = view.row(scope, list);
      if (row === undefined) return null;
      const mounted = view.row(personal, mount);
      const parent = placeOf(mounted)?.parent;
      const top = { parent: listsRoot(personal), at: 'end' } as const;
      const isThere =
        parent !== undefined &&
        (parent === listsRoot(personal) || isLiving(personal, parent, (id) => view.row(personal, id)));
      const hiddenAt = fieldOf(mounted, 'hiddenAt') ?? null;
      return together(newId, [
        // Archived by its owner alone, it is archived.
        ...(hiddenAt === null || fieldOf(row, 'archivedAt') !== undefined
          ? []
          : [[scope, { a: 'set', id: list, field: 'archivedAt', value: hiddenAt }] as const]),
        [scope, { a: 'place', id: list, place: isThere && !isTop ? { parent, after: mount } : top }],
      ]);
    },
  };
}
