// Documents exported from the app, in any format, and imported into it as JSON. A lazy part, because the first screen does not
// need it (documents-lazy.ts).
import { type ExportSelection, exportedOf, type NamedPeople } from '#core/formats/exported.ts';
import { parseJson } from '#core/formats/json-check.ts';
import { documentToCreates } from '#core/formats/json-import.ts';
import { exportFormat } from '#core/formats/export/formats.ts';
import type { ExportName } from '#core/formats/export/names.ts';
import { failed, ok, type Result } from '#core/result.ts';
import type { Action } from '#sync/rows/operation.ts';
import { lockedOf } from '#sync/rows/locked.ts';
import type { Row } from '#sync/rows/row.ts';
import { checkRegister, registerNames } from '#wire/registers.ts';
import type { Program } from '../app/program.ts';
import { everyone } from '../query/world.ts';

/** The names that the lists here have for people. */
function namedPeople(program: Program): NamedPeople {
  const names = new Map<number, string>();
  for (const { account, name } of everyone(program))
    if (name !== '' && !names.has(account)) names.set(account, name);
  return names;
}

/** What was exported. */
export interface WrittenDocument {
  readonly text: string;
  /** Tasks and lists of the copy that don't open on this device: nobody can read them in the text. */
  readonly locked: number;
}

/** The entities of the selection, as text. `zone`: of the person. */
export function writeDocument(
  program: Program,
  selection: ExportSelection,
  { format, zone }: { readonly format: ExportName; readonly zone: string },
): WrittenDocument {
  const { replica } = program;
  const entities = exportedOf(replica.all(), replica.scope);
  const text = exportFormat(format).write({ entities, selection, people: namedPeople(program), zone });
  const isLocked = (row: Row) => lockedOf(row) !== undefined && (row.type === 'task' || row.type === 'list');
  return { text, locked: [...replica.all()].filter(isLocked).length };
}

/** What to create, or sentences about why the document cannot be imported. */
export type ParsedImport = Result<readonly Action[], readonly string[]>;

/** Creations for an exported document. Keeps its ids if none of them exists here, else all are new. */
export function documentToActions(program: Program, text: string): ParsedImport {
  const parsed = parseJson(text, { names: registerNames, check: checkRegister });
  if (!parsed.ok) {
    const problems = parsed.problem.map(({ path, message }) =>
      path === '' ? message : `${path}: ${message}`,
    );
    return failed(problems);
  }
  const { replica } = program;
  const isKnown = parsed.value.entities.some(
    ({ id, type }) => type === 'task' && replica.row(id) !== undefined,
  );
  const creates = documentToCreates(parsed.value, {
    newIds: isKnown ? 'fresh' : 'keep',
    makeId: () => replica.newId(),
    scope: replica.scope,
    account: replica.account,
    people: namedPeople(program),
  });
  const actions = creates.map(({ id, type, fields, parent, createdAt }): Action => {
    const place = parent === null ? {} : { place: { parent } };
    return { a: 'create', id, type, fields, createdAt, ...place };
  });
  return ok(actions);
}
