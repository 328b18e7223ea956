// Attaching files to a task: their limits, and turning them into attachments. A lazy part.
import { counted } from '#core/counted.ts';
import { safeFileName } from '#core/file-types.ts';
import type { Id } from '#core/ids.ts';
import type { Action } from '#sync/rows/operation.ts';
import type { AttachmentRow } from '#sync/rows/row.ts';
import { fileLimits } from '#wire/files.ts';
import { isTrashed } from '#sync/rows/row-reading.ts';
import { quoted } from '../text/editor.ts';
import { fitName } from '../text/fitting.ts';
import type { Program } from '../app/program.ts';
import type { FileContent, FileRef, FilesPort } from './port.ts';
import { contentSealing, openingOf } from './sealed-contents.ts';

const MB = 1_048_576;

export function attachmentsOf({ replica }: Program, task: Id): readonly AttachmentRow[] {
  return replica
    .children(task)
    .filter((row) => row.type === 'attachment')
    .filter((row) => !isTrashed(row));
}

export function refOf(program: Program, row: AttachmentRow): FileRef {
  const { hash = '', name = '' } = row.fields;
  return { scope: row.scope, id: row.id, hash, name, opening: openingOf(program, row) };
}

/** How large the file is for a person, which isn't what its server keeps if that is sealed. */
export function sizeOf({ fields }: AttachmentRow): number {
  return fields.content?.bytes ?? fields.sizeBytes ?? 0;
}

/** Sizes in everyday units: "1.2 MB". */
export function saySize(bytes: number): string {
  if (bytes < 1_000) return counted(bytes, 'byte');
  const [amount, unit] = bytes < 1_000_000 ? [bytes / 1_000, 'KB'] : [bytes / 1_000_000, 'MB'];
  return `${amount < 10 ? amount.toFixed(1) : Math.round(amount)} ${unit}`;
}

const isLarge = ({ size }: FileContent) => size > fileLimits.fileBytes;

function sayLarge(files: readonly FileContent[]): string | null {
  const [first, ...others] = files;
  if (!first) return null;
  const most = `${fileLimits.fileBytes / MB} MB`;
  if (others.length > 0) return `${files.length} files are larger than ${most}. Choose smaller ones.`;
  return `${quoted(first.name)} is ${saySize(first.size)}. Files can be up to ${most}.`;
}

/** Attaches all acceptable files as one undo. Resolves with a sentence if some were not accepted. */
export async function attachFiles(
  program: Program,
  port: FilesPort,
  task: Id,
  given: readonly FileContent[],
): Promise<string | null> {
  const files = given.filter((file) => !isLarge(file));
  if (attachmentsOf(program, task).length + files.length > fileLimits.perTask)
    return `A task can have ${fileLimits.perTask} files. Remove some first.`;
  const scope = program.replica.row(task)?.scope;
  if (scope === undefined) return 'That task is gone.';
  const actions: Action[] = [];
  let failed = sayLarge(given.filter(isLarge));
  const sealing = await contentSealing(program, scope);
  if (!sealing.ok) return sealing.problem;
  for (const file of files) {
    const id = program.replica.newId();
    const sealed = sealing.value?.(id) ?? null;
    const kept = await port.keep(scope, file, sealed?.seal ?? null);
    if (!kept.ok) {
      failed = kept.problem;
      break;
    }
    const name = fitName(safeFileName(file.name)).text;
    const content = sealed?.content() ?? null;
    const fields = { name, ...kept.value, ...(content === null ? {} : { content }) };
    actions.push({
      a: 'create',
      id,
      type: 'attachment',
      fields,
      place: { parent: task },
    });
  }
  return program.act(() => {
    if (actions.length === 0) return failed;
    const what = actions.length === 1 ? quoted(files[0]?.name ?? '') : `${actions.length} files`;
    const { verdicts } = program.change(actions, `attached ${what}`);
    if (verdicts.some((verdict) => verdict !== 'ok')) return 'That task is gone.';
    if (failed !== null) return `${failed} Attached ${what}.`;
    program.say(`Attached ${what} to ${program.describe([task])}.`, { undo: true, brief: true });
    return null;
  });
}
