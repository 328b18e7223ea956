// Turns a checked document into the entities to create, parents first. Not here: issuing the operations, and files:
// attachments name their content by hash, and the content itself travels separately.
import { completionId, inboxId, labelsRoot, listsRoot, mineId, settingId, type Id } from '../ids.ts';
import { withNames } from '../mentions.ts';
import { limits, placedTypes, readField, type EntityType } from '../model.ts';
import { walkTree, type ExportedFields, type NamedPeople } from './exported.ts';
import { peopleOf, type DocumentEntity, type ExportDocument } from './json.ts';

export interface CreateOptions {
  /** `keep` restores with the same ids. `fresh` makes a second copy beside the existing one. */
  readonly newIds: 'keep' | 'fresh';
  readonly makeId: () => Id;
  /** Personal scope of the person who imports. Ids derived from a scope are derived from this one in either mode. */
  readonly scope: Id;
  /** Who imports; absent: nobody in particular. */
  readonly account?: number;
  /** The people of the lists here. */
  readonly people?: NamedPeople;
  /** Where the exported task, list or folder goes; absent = a task to the Inbox, a list to the top level. */
  readonly into?: Id;
}

export interface Create {
  readonly id: Id;
  readonly type: EntityType;
  /** Registers without the place. */
  readonly fields: ExportedFields;
  /** Null for types without a place. Add each at the end of its parent, in turn, to keep siblings in order. */
  readonly parent: Id | null;
  readonly createdAt: number;
}

/**
 * The entities to create, parents first and siblings in order. The Inbox keeps its one id per person, so its create may
 * name an existing list; its tasks then join that list.
 */
export function documentToCreates(document: ExportDocument, options: CreateOptions): Create[] {
  const { kind, entities } = document;
  const ids = newIds(entities, options);
  const there = peopleOf(document);
  return inOrder(entities).map((entity) => ({
    id: ids.get(entity.id) ?? entity.id,
    type: entity.type,
    fields: withNewIds(ownFields(entity, there, options), ids),
    parent: newParent(entity, kind, { ids, options }),
    createdAt: entity.createdAt,
  }));
}

/**
 * Who imports a comment is its author: nobody writes in the name of others, whose names begin it. `there`: the names of the document.
 * A number stands for the same person here if it has the same name; null: nothing is known of that, and numbers stay.
 */
function ownFields(
  { type, fields }: DocumentEntity,
  there: NamedPeople | null,
  { account, people }: Pick<CreateOptions, 'account' | 'people'>,
): ExportedFields {
  const isSame = (number: number) => there === null || there.get(number) === people?.get(number);
  if (type === 'task') {
    const { assignee, ...others } = fields;
    return typeof assignee === 'number' && !isSame(assignee) ? others : fields;
  }
  if (type !== 'comment') return fields;
  const { author, seal: _seal, ...own } = fields;
  const said = readField(own, 'text') ?? '';
  const text = withNames(said, (number) => (isSame(number) ? null : (there?.get(number) ?? null)));
  const name =
    typeof author === 'number' && !(author === account && isSame(author)) ? there?.get(author) : null;
  const named = name ? `${name}: ${text}` : text;
  const fits = [...named].length <= limits.commentCodePoints;
  return { ...own, ...(said === '' ? {} : { text: fits ? named : said }) };
}

function inOrder(entities: readonly DocumentEntity[]): DocumentEntity[] {
  const ids = new Set(entities.map((entity) => entity.id));
  const childrenOf = new Map<Id, DocumentEntity[]>();
  const unplaced: DocumentEntity[] = [];
  for (const entity of entities) {
    if (!placedTypes.has(entity.type) || entity.parent === undefined) {
      unplaced.push(entity);
      continue;
    }
    const siblings = childrenOf.get(entity.parent);
    if (siblings === undefined) childrenOf.set(entity.parent, [entity]);
    else siblings.push(entity);
  }
  for (const siblings of childrenOf.values()) siblings.sort((a, b) => (a.order ?? 0) - (b.order ?? 0));
  const tops = [...childrenOf.keys()]
    .filter((parent) => !ids.has(parent))
    .map((parent) => childrenOf.get(parent) ?? []);
  // Labels before the tasks that carry them.
  const starts = [
    ...tops.filter((siblings) => isLabelling(siblings[0])),
    ...tops.filter((siblings) => !isLabelling(siblings[0])),
  ];
  return [...walkTree(childrenOf, starts.flat()), ...unplaced];
}

function isLabelling(entity: DocumentEntity | undefined): boolean {
  return entity?.type === 'label' || entity?.type === 'labelGroup';
}

function newIds(
  entities: readonly DocumentEntity[],
  { newIds: mode, makeId, scope }: CreateOptions,
): Map<Id, Id> {
  const ids = new Map<Id, Id>();
  const derived: DocumentEntity[] = [];
  for (const entity of entities) {
    const { id, type, fields } = entity;
    if (type === 'mine' || type === 'completion') derived.push(entity);
    else if (type === 'setting') ids.set(id, settingId(scope, String(fields['key'])));
    else if (type === 'list' && fields['listType'] === 'inbox') ids.set(id, inboxId(scope));
    else ids.set(id, mode === 'keep' ? id : makeId());
  }
  for (const { id, type, fields } of derived) {
    const of = (type === 'mine' ? fields['of'] : fields['task']) as Id;
    const about = ids.get(of) ?? of;
    if (type === 'mine') ids.set(id, mineId(scope, about));
    else ids.set(id, mode === 'keep' ? id : completionId(about, Number(fields['occ'])));
  }
  return ids;
}

/** Gives references to entities of the document their new ids; other references stay. */
function withNewIds(fields: ExportedFields, ids: ReadonlyMap<Id, Id>): ExportedFields {
  const renew = (id: unknown) => ids.get(id as Id) ?? id;
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => {
      if (name.startsWith('label:')) return [`label:${String(renew(name.slice(6)))}`, value];
      const isReference = name === 'of' || name === 'task' || name === 'associatedSharedListID';
      return [name, isReference ? renew(value) : value];
    }),
  );
}

function newParent(
  { type, parent }: DocumentEntity,
  kind: ExportDocument['kind'],
  { ids, options }: { readonly ids: ReadonlyMap<Id, Id>; readonly options: CreateOptions },
): Id | null {
  if (!placedTypes.has(type) || parent === undefined) return null;
  const inside = ids.get(parent);
  if (inside !== undefined) return inside;
  if (type === 'label' || type === 'labelGroup') return labelsRoot(options.scope);
  if (type === 'list') return (kind === 'task' ? undefined : options.into) ?? listsRoot(options.scope);
  if (type === 'task') return (kind === 'task' ? options.into : undefined) ?? inboxId(options.scope);
  return parent;
}
