// Documents that leave and enter the app: JSON and Markdown. Loaded when first wanted, because nothing on the first
// screen needs it; the door is documents-door.ts.
import { type ExportedEntity, type ExportSelection, toExported } from '#core/formats/exported.ts';
import { parseJson } from '#core/formats/json-check.ts';
import { documentToCreates } from '#core/formats/json-import.ts';
import { exportJson } from '#core/formats/json.ts';
import { exportMarkdown } from '#core/formats/markdown.ts';
import type { Action } from '#sync/operation.ts';
import type { Row } from '#sync/row.ts';
import { checkRegister, registerNames } from '#wire/registers.ts';
import type { Program } from './program.ts';

export type DocumentFormat = 'json' | 'markdown';

/** What belongs to the selection, as text. */
export function writeDocument(program: Program, selection: ExportSelection, format: DocumentFormat): string {
  const entities = [...program.replica.all()].map((row) => toExported(row));
  return format === 'json' ? exportJson(entities, selection) : exportMarkdown(entities, selection);
}

/** Rows as they stand in an exported document. */
export function exportedOf(rows: readonly Row[]): readonly ExportedEntity[] {
  return rows.map((row) => toExported(row));
}

export type ParsedImport =
  | { readonly ok: true; readonly actions: readonly Action[] }
  | { readonly ok: false; readonly problems: readonly string[] };

/** Creations for a document that was exported. Ids are kept where nothing here has them, else all are new. */
export function documentToActions(program: Program, text: string): ParsedImport {
  const parsed = parseJson(text, { names: registerNames, check: checkRegister });
  if (!parsed.ok) {
    const problems = parsed.problems.map(({ path, message }) =>
      path === '' ? message : `${path}: ${message}`,
    );
    return { ok: false, problems };
  }
  const { replica } = program;
  const isKnown = parsed.document.entities.some(
    ({ id, type }) => type === 'task' && replica.row(id) !== undefined,
  );
  const creates = documentToCreates(parsed.document, {
    newIds: isKnown ? 'fresh' : 'keep',
    makeId: () => replica.newId(),
    scope: replica.scope,
  });
  const actions = creates.map(({ id, type, fields, parent, createdAt }): Action => {
    const place = parent === null ? {} : { place: { parent } };
    return { a: 'create', id, type, fields, createdAt, ...place };
  });
  return { ok: true, actions };
}
