// Checks a JSON document from outside: everything is checked before anything is used, and every problem names its
// position. Not here: what registers may hold, which the caller passes in (wire/registers.ts knows).
import { failed, ok, type Result } from '../result.ts';
import { isId, type Id } from '../ids.ts';
import { placedTypes } from '../model.ts';
import type { DocumentType } from './exported.ts';
import { isBlockRegister } from '../calendar/blocks.ts';
import { isReminderRegister } from '../reminders.ts';
import type { ExportSelection } from './exported.ts';
import {
  documentFormat,
  documentSections,
  documentVersion,
  type DocumentEntity,
  type ExportDocument,
} from './json.ts';
import { isRecord, type JsonRecord } from '../json.ts';

export interface DocumentProblem {
  /** Position in the document, such as `tasks[3].fields.due`; empty for the whole. */
  readonly path: string;
  /** A sentence for the person. */
  readonly message: string;
}

export type ParsedDocument = Result<ExportDocument, readonly DocumentProblem[]>;

/** The registers of each type and the values they may hold; the caller implements it (wire/registers.ts). */
export interface RegisterRules {
  names(type: DocumentType): readonly string[];
  /** Null when the register may hold the value, else a sentence about the problem. A null value means the default. */
  check(type: DocumentType, register: string, value: unknown): string | null;
}

const MAX_PROBLEMS = 100;
const MAX_DEPTH = 32;
const TYPES = Object.keys(documentSections) as DocumentType[];
const KINDS: readonly unknown[] = ['task', 'list', 'folder', 'account'] satisfies ExportSelection['kind'][];
const KNOWN_PARTS: ReadonlySet<string> = new Set([
  'format',
  'version',
  'kind',
  'root',
  'roots',
  ...Object.values(documentSections),
]);
const PARENT_TYPES: Readonly<Partial<Record<DocumentType, readonly DocumentType[]>>> = {
  task: ['task', 'list'],
  list: ['list'],
  label: ['labelGroup'],
  labelGroup: [],
  attachment: ['task'],
  comment: ['task'],
};

/** Reads and checks a document. Never throws; keeps what this version does not know. Linear in the text. */
export function parseJson(text: string, rules: RegisterRules): ParsedDocument {
  const problems = new Problems();
  const value = readValue(text, problems);
  const document = value === undefined ? null : new DocumentReader(rules, problems).read(value);
  return document !== null && problems.count === 0 ? ok(document) : failed(problems.list());
}

class Problems {
  count = 0;
  readonly #kept: DocumentProblem[] = [];

  add(path: string, message: string): void {
    this.count += 1;
    if (this.#kept.length < MAX_PROBLEMS) this.#kept.push({ path, message });
  }

  list(): readonly DocumentProblem[] {
    const more = this.count - this.#kept.length;
    return more === 0 ? this.#kept : [...this.#kept, { path: '', message: `${more} more problems.` }];
  }
}

function readValue(text: string, problems: Problems): unknown {
  try {
    return JSON.parse(text.startsWith('\uFEFF') ? text.slice(1) : text);
  } catch (error) {
    problems.add('', `This isn’t JSON: ${error instanceof Error ? error.message : String(error)}`);
    return undefined;
  }
}

/** Whether a value has more levels than registers may have. Without recursion: the text is hostile until checked. */
function isTooDeep(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > MAX_DEPTH) return true;
    level = level.flatMap((item) => (typeof item === 'object' && item !== null ? Object.values(item) : []));
  }
  return false;
}

class DocumentReader {
  readonly #rules: RegisterRules;
  readonly #problems: Problems;
  readonly #registers = new Map<
    DocumentType,
    { readonly known: ReadonlySet<string>; readonly required: readonly string[] }
  >();
  readonly #entities = new Map<Id, { readonly entity: DocumentEntity; readonly path: string }>();

  constructor(rules: RegisterRules, problems: Problems) {
    this.#rules = rules;
    this.#problems = problems;
    for (const type of TYPES) {
      const names = rules.names(type);
      this.#registers.set(type, {
        known: new Set(names),
        required: names.filter((name) => rules.check(type, name, null) !== null),
      });
    }
  }

  read(value: unknown): ExportDocument | null {
    if (!isRecord(value) || value['format'] !== documentFormat) {
      this.#problems.add('format', 'This isn’t a Posthaste export.');
      return null;
    }
    const version = value['version'];
    if (version !== documentVersion) {
      const isNewer = typeof version === 'number' && version > documentVersion;
      this.#problems.add(
        'version',
        isNewer
          ? 'A newer version made this export. Reload the app.'
          : `The version must be ${documentVersion}.`,
      );
      return null;
    }
    const { kind } = value;
    if (!KINDS.includes(kind)) this.#problems.add('kind', 'The kind must be task, list, folder or account.');
    for (const type of TYPES) this.#readSection(type, value[documentSections[type]]);
    const roots = this.#readRoots(value['roots']);
    this.#checkParents(new Set(roots));
    this.#checkCycles();
    const root = this.#readRoot(value['root'], kind === 'account');
    const extra = this.#readExtra(value, KNOWN_PARTS, '');
    const entities = [...this.#entities.values()].map((found) => found.entity);
    return { kind: kind as ExportDocument['kind'], root, roots, entities, extra };
  }

  #readSection(type: DocumentType, value: unknown): void {
    const section = documentSections[type];
    if (value === undefined) return;
    if (!Array.isArray(value)) return this.#problems.add(section, 'This must be a list.');
    value.forEach((item: unknown, i) => this.#readEntity(type, item, `${section}[${i}]`));
  }

  #readEntity(type: DocumentType, value: unknown, path: string): void {
    if (!isRecord(value)) return this.#problems.add(path, 'This must be an object.');
    const { id, createdAt, parent, order, fields } = value;
    if (!isId(id)) return this.#problems.add(`${path}.id`, 'The id must be a UUID in lower case.');
    const twin = this.#entities.get(id);
    if (twin !== undefined)
      return this.#problems.add(`${path}.id`, `The id is already used by ${twin.path}.`);
    if (!isTime(createdAt))
      this.#problems.add(`${path}.createdAt`, 'The time must be a whole number of milliseconds.');
    const isPlaced = placedTypes.has(type);
    if (isPlaced && !isId(parent))
      this.#problems.add(`${path}.parent`, 'The parent must be a UUID in lower case.');
    if (isPlaced && !isOrder(order))
      this.#problems.add(`${path}.order`, 'The order must be a whole number from 0.');
    const known = new Set(['id', 'createdAt', 'fields', ...(isPlaced ? ['parent', 'order'] : [])]);
    const extra = this.#readExtra(value, known, `${path}.`);
    const entity: DocumentEntity = {
      id,
      type,
      createdAt: createdAt as number,
      ...(isPlaced ? { parent: parent as Id, order: order as number } : {}),
      fields: this.#readFields(type, fields, path),
      ...(Object.keys(extra).length > 0 ? { extra } : {}),
    };
    this.#entities.set(id, { entity, path });
  }

  #readFields(type: DocumentType, value: unknown, path: string): JsonRecord {
    if (!isRecord(value)) {
      this.#problems.add(`${path}.fields`, 'This must be an object.');
      return {};
    }
    const registers = this.#registers.get(type);
    for (const name of registers?.required ?? []) {
      if (value[name] === undefined) this.#problems.add(`${path}.fields.${name}`, `${name} is required`);
    }
    for (const name of Object.keys(value)) {
      const problem = this.#checkRegister(type, name, value[name]);
      if (problem !== null) this.#problems.add(`${path}.fields.${name}`, problem);
    }
    return value;
  }

  #checkRegister(type: DocumentType, name: string, value: unknown): string | null {
    if (name === 'place') return 'The place needs parent and order.';
    const isKnown =
      this.#registers.get(type)?.known.has(name) === true ||
      name.startsWith('label:') ||
      name.startsWith('meta:') ||
      (type === 'mine' && (isReminderRegister(name) || isBlockRegister(name)));
    if (isTooDeep(value)) return `This is nested deeper than ${MAX_DEPTH} levels.`;
    return isKnown ? this.#rules.check(type, name, value) : null;
  }

  #readExtra(value: JsonRecord, known: ReadonlySet<string>, path: string): JsonRecord {
    const extra: [string, unknown][] = [];
    for (const name of Object.keys(value)) {
      if (known.has(name)) continue;
      if (isTooDeep(value[name]))
        this.#problems.add(path + name, `This is nested deeper than ${MAX_DEPTH} levels.`);
      extra.push([name, value[name]]);
    }
    return Object.fromEntries(extra);
  }

  #readRoots(value: unknown): Id[] {
    if (value === undefined) return [];
    if (Array.isArray(value) && value.every((item) => isId(item))) return value;
    this.#problems.add('roots', 'This must be a list of UUIDs in lower case.');
    return [];
  }

  #readRoot(value: unknown, isAccount: boolean): Id | null {
    if (isAccount && (value === null || value === undefined)) return null;
    if (!isAccount && isId(value) && this.#entities.has(value)) return value;
    this.#problems.add(
      'root',
      isAccount ? 'An account has no root.' : 'The root must be the id of an entity of the document.',
    );
    return null;
  }

  #checkParents(roots: ReadonlySet<Id>): void {
    for (const { entity, path } of this.#entities.values()) {
      const { parent, type } = entity;
      if (!isId(parent)) continue;
      const found = this.#entities.get(parent)?.entity;
      if (found === undefined && !roots.has(parent)) {
        this.#problems.add(`${path}.parent`, 'The parent is neither in the document nor among its roots.');
      }
      if (found !== undefined && PARENT_TYPES[type]?.includes(found.type) === false) {
        this.#problems.add(`${path}.parent`, `A ${type} can’t go under a ${found.type}.`);
      }
    }
  }

  /** Follows every chain of parents once; an entity met twice in one walk is part of a cycle. */
  #checkCycles(): void {
    const walkOf = new Map<Id, number>();
    let walk = 0;
    for (const start of this.#entities.keys()) {
      walk += 1;
      let at: Id | undefined = start;
      while (at !== undefined && !walkOf.has(at)) {
        walkOf.set(at, walk);
        at = this.#entities.get(at)?.entity.parent;
      }
      const found = at === undefined ? undefined : this.#entities.get(at);
      if (at !== undefined && found !== undefined && walkOf.get(at) === walk) {
        this.#problems.add(`${found.path}.parent`, 'The parents form a circle.');
      }
    }
  }
}

function isTime(value: unknown): boolean {
  return Number.isSafeInteger(value) && Math.abs(value as number) <= 8.64e15;
}

function isOrder(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
