// Our own JSON as an import of the command line: what it creates, as far as the API can hold it, and what it can't.
import type { ExportDocument } from '#core/formats/json.ts';
import { parseJson } from '#core/formats/json-check.ts';
import { documentToCreates } from '#core/formats/json-import.ts';
import { inboxId, labelsRoot, listsRoot, type Id } from '#core/ids.ts';
import { fold } from '#core/search/fold.ts';
import { builtInOf } from '#client/search/built-in.ts';
import type { ImportCreate } from '#client/importing/standing.ts';
import { checkRegister, registerNames } from '#wire/registers.ts';
import type { Session } from '../session.ts';
import { apiLimits } from '#wire/api/requests.ts';
import { wrongUse } from '../failure.ts';

const KNOWN: ReadonlySet<string> = new Set(['list', 'label', 'labelGroup', 'task', 'mine']);
const LOST: Readonly<Record<string, string>> = {
  attachment: 'files of tasks',
  comment: 'comments',
  completion: 'earlier completions of repeating tasks',
  setting: 'settings',
};

const TRASH = 'things in the trash';

const withLabels = (fields: Readonly<Record<string, unknown>>, renamed: ReadonlyMap<string, string>) =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [renamed.get(name) ?? name, value]));

const ofIn = ({ of }: Readonly<Record<string, unknown>>) => (typeof of === 'string' ? of : '');
const nameIn = ({ name }: Readonly<Record<string, unknown>>) => (typeof name === 'string' ? name : '');

/** A document, ready to be sent. */
export interface OwnDocument {
  readonly creates: readonly ImportCreate[];
  /** What the API has no place for, by its name for people. */
  readonly lost: ReadonlyMap<string, number>;
}

/** Whether a text is our own JSON. */
export const isOwnText = (text: string): boolean => /^\s*\{/.test(text);

/** Reads the text of a document. Throws a failure with its first problem; nothing was asked of the server by then. */
export function parseOwnDocument(name: string, text: string): ExportDocument {
  const parsed = parseJson(text, { names: registerNames, check: checkRegister });
  if (parsed.ok) return parsed.value;
  const [first] = parsed.problem;
  const more = parsed.problem.length > 1 ? ` There are ${parsed.problem.length - 1} more problems.` : '';
  const where = first === undefined || first.path === '' ? '' : ` (${first.path})`;
  throw wrongUse(`${name} can't be imported: ${first?.message ?? ''}${where}${more}`);
}

/**
 * What a document makes. `keepsIds`: nothing of it is in the account, so it comes back as it was. `inbox`: the account's; what has it
 * as its scope is at the top level.
 */
export function readOwnDocument(
  parsed: ExportDocument,
  {
    inbox,
    keepsIds,
    labels,
    newId,
  }: {
    readonly inbox: Id;
    readonly keepsIds: boolean;
    /** Labels of the account by their folded names. */
    readonly labels: ReadonlyMap<string, Id>;
    readonly newId: () => Id;
  },
): OwnDocument {
  // The API says nothing of scopes: this one stands for the account's.
  const scope = newId();
  const lost = new Map<string, number>();
  const creates: ImportCreate[] = [];
  const parentOf = (parent: Id | null): Id | null => {
    if (parent === inboxId(scope)) return inbox;
    return parent === listsRoot(scope) || parent === labelsRoot(scope) ? inbox : parent;
  };
  const made = documentToCreates(parsed, {
    newIds: keepsIds ? 'keep' : 'fresh',
    makeId: newId,
    scope,
  });
  /** In the trash, or under something there. */
  const trashed = new Set<string>();
  const renamed = new Map<string, string>();
  for (const { id, type, fields, parent, createdAt } of made) {
    const isTrashed = (fields['del'] ?? null) !== null || (parent !== null && trashed.has(parent));
    if (isTrashed || (type === 'mine' && trashed.has(ofIn(fields)))) {
      trashed.add(id);
      if (type === 'task' || type === 'list') lost.set(TRASH, (lost.get(TRASH) ?? 0) + 1);
      continue;
    }
    const known = type === 'label' ? labels.get(fold(nameIn(fields))) : undefined;
    if (known !== undefined) {
      renamed.set(`label:${id}`, `label:${known}`);
      continue;
    }
    if (id === inboxId(scope) || (type === 'list' && builtInOf(scope, id) !== null)) continue;
    if (!KNOWN.has(type)) {
      const what = LOST[type] ?? `things of the type ${type}`;
      lost.set(what, (lost.get(what) ?? 0) + 1);
      continue;
    }
    const at = parentOf(parent);
    const isTop = type === 'list' && parent === listsRoot(scope);
    const place = at === null || (isTop && at !== inbox) ? {} : { place: { parent: at } };
    const own = type === 'task' ? withLabels(fields, renamed) : fields;
    creates.push({ a: 'create', id, type, fields: own, createdAt, ...place });
  }
  return { creates, lost };
}

/** Whether any of these tasks or lists is in the account. */
export async function isAnyHere(
  session: Session,
  creates: readonly ImportCreate[],
  lists: ReadonlyMap<Id, unknown>,
): Promise<boolean> {
  if (creates.some(({ id }) => lists.has(id))) return true;
  const ids = creates.filter(({ type }) => type === 'task').map(({ id }) => id);
  for (let from = 0; from < ids.length; from += apiLimits.page) {
    const wanted = ids.slice(from, from + apiLimits.page).join(',');
    // oxlint-disable-next-line no-await-in-loop -- As many as fit in a request.
    const { todo_items: found } = await session.askAtLength((client) =>
      client.listItems({ item_ids: wanted }),
    );
    if (found.length > 0) return true;
  }
  return false;
}
