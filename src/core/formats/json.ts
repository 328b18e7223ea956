// The lossless JSON document: every register of the selection, written so that equal content is equal text.
//
//   {"format": "posthaste", "version": 1, "kind": "account"|"folder"|"list"|"task", "root": id|null, "roots": [id],
//    "lists": [entity], "labelGroups": […], "labels": […], "tasks": […], "mine": […], "completions": […],
//    "attachments": […], "comments": […], "settings": […], "people"?: [{"account", "name"}], "shared"?: [id of a list]}
//   entity = {"id", "createdAt", "parent"?, "order"?, "fields": {register: value}}
//
// Reading it back: json-check.ts; turning it into new entities: json-import.ts. Version history: 1 is the first.
import type { Id } from '../ids.ts';
import { isRecord } from '../json.ts';
import { mentionedIn } from '../mentions.ts';
import { readField } from '../model.ts';
import {
  selectEntities,
  type DocumentType,
  type ExportedEntity,
  type ExportedFields,
  type ExportSelection,
  type NamedPeople,
} from './exported.ts';

/** The value of `format` in every document. */
export const documentFormat = 'posthaste';
export const documentVersion = 1;

/** Section of the document by entity type, in the order they are written. */
export const documentSections = {
  list: 'lists',
  labelGroup: 'labelGroups',
  label: 'labels',
  task: 'tasks',
  mine: 'mine',
  completion: 'completions',
  attachment: 'attachments',
  comment: 'comments',
  setting: 'settings',
} as const satisfies Record<DocumentType, string>;

/** Whether documents have a section for this type. */
export const isDocumentType = (type: string): type is DocumentType => Object.hasOwn(documentSections, type);

type Json = Readonly<Record<string, unknown>>;

export interface DocumentEntity {
  readonly id: Id;
  readonly type: DocumentType;
  readonly createdAt: number;
  /** Placed types only: an entity of the document or one of its `roots`. */
  readonly parent?: Id;
  /** Placed types only: position among the children of `parent`, whatever their type. */
  readonly order?: number;
  readonly fields: ExportedFields;
  /** Fields of a newer version; kept and written back. */
  readonly extra?: Json;
}

/** A document of our own JSON, checked. */
export interface ExportDocument {
  readonly kind: ExportSelection['kind'];
  readonly root: Id | null;
  /** Parents that are not part of the document. */
  readonly roots: readonly Id[];
  readonly entities: readonly DocumentEntity[];
  /** Fields of a newer version; kept and written back. */
  readonly extra: Json;
}

/**
 * The selection as text. Two copies with the same content give the same bytes: order keys become positions, names are
 * sorted, registers that hold null (their default) are left out.
 */
export function exportJson(
  entities: readonly ExportedEntity[],
  selection: ExportSelection,
  people: NamedPeople = new Map(),
): string {
  const selected = selectEntities(entities, selection);
  return printDocument({
    kind: selection.kind,
    root: selection.root ?? null,
    roots: selected.roots,
    entities: selected.entities.map((entity) => {
      const { id, type, createdAt, fields, parent } = entity;
      const place = parent === undefined ? {} : { parent, order: selected.orders.get(id) ?? 0 };
      return { id, type, createdAt, ...place, fields };
    }),
    extra: { ...peopleIn(selected.entities, people), ...sharedIn(selected.entities) },
  });
}

/** The lists that others have, too. */
function sharedIn(entities: readonly ExportedEntity[]): Json {
  const shared = entities.flatMap(({ id, isShared }) => (isShared === true ? [id] : []));
  return shared.length === 0 ? {} : { shared: shared.toSorted() };
}

/** Who is named by number in these entities: elsewhere the numbers are those of others. */
function peopleIn(entities: readonly ExportedEntity[], people: NamedPeople): Json {
  const numbers = new Set(
    entities.flatMap(({ type, fields }) => {
      if (type === 'task') return [readField(fields, 'assignee') ?? 0];
      if (type !== 'comment') return [];
      return [readField(fields, 'author') ?? 0, ...mentionedIn(readField(fields, 'text') ?? '')];
    }),
  );
  const named = [...numbers].flatMap((account) => {
    const name = people.get(account);
    return name === undefined ? [] : [{ account, name }];
  });
  return named.length === 0 ? {} : { people: named.toSorted((a, b) => a.account - b.account) };
}

/** The names of a document by number; null: it has none. */
export function peopleOf({ extra: { people } }: Pick<ExportDocument, 'extra'>): NamedPeople | null {
  if (!Array.isArray(people)) return null;
  return new Map(
    people.flatMap((one: unknown) => {
      const { account, name } = isRecord(one) ? one : {};
      return typeof account === 'number' && typeof name === 'string' ? [[account, name] as const] : [];
    }),
  );
}

/** The document's text, one entity to a line. parseJson reads it back as the same document. */
export function printDocument({ kind, root, roots, entities, extra }: ExportDocument): string {
  const parts: (readonly [name: string, text: string])[] = [
    ['format', JSON.stringify(documentFormat)],
    ['version', JSON.stringify(documentVersion)],
    ['kind', JSON.stringify(kind)],
    ['root', JSON.stringify(root)],
    ['roots', JSON.stringify(roots)],
  ];
  const bySection = Map.groupBy(entities, (entity) => documentSections[entity.type]);
  for (const section of Object.values(documentSections)) {
    const lines = (bySection.get(section) ?? []).map((entity) => `\n    ${printEntity(entity)}`);
    parts.push([section, lines.length === 0 ? '[]' : `[${lines.join(',')}\n  ]`]);
  }
  for (const name of Object.keys(extra).toSorted()) parts.push([name, printSorted(extra[name])]);
  return `{${parts.map(([name, text]) => `\n  ${JSON.stringify(name)}: ${text}`).join(',')}\n}\n`;
}

function printEntity({ id, createdAt, parent, order, fields, extra }: DocumentEntity): string {
  const written = Object.entries(fields).filter(([, value]) => value !== null && value !== undefined);
  return printSorted({ ...extra, id, createdAt, parent, order, fields: Object.fromEntries(written) });
}

/** JSON with names sorted at every level. Values are at most 32 levels deep, which their registers ensure. */
function printSorted(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((item) => printSorted(item)).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const parts: string[] = [];
  for (const name of Object.keys(value).toSorted()) {
    const part = (value as Json)[name];
    if (part !== undefined) parts.push(`${JSON.stringify(name)}:${printSorted(part)}`);
  }
  return `{${parts.join(',')}}`;
}
