// What is in a backup: the account in each format, and the list of the attached files, whose contents are not in it.
import type { ExportedEntity } from '#core/formats/exported.ts';
import { exportKinds, type ExportName } from '#core/formats/export/names.ts';
import { parseJson } from '#core/formats/json-check.ts';
import { readField } from '#core/model.ts';
import { checkRegister, registerNames } from '#wire/registers.ts';
import type { WholeAccount } from '../account.ts';
import { exported } from '../exporting.ts';
import type { BackupFile } from './files.ts';

/** The name of the list of attached files. */
export const NOT_INCLUDED = 'attachments-not-included.txt';

/** How many entities a document holds; null: it is none. */
function countIn(text: string): number | null {
  const parsed = parseJson(text, { names: registerNames, check: checkRegister });
  return parsed.ok ? parsed.value.entities.length : null;
}

/** Whether it isn't in the trash itself. */
export const isLiving = ({ fields }: ExportedEntity) => (readField(fields, 'del') ?? null) === null;

/** The files that are attached, one a line: their contents are not in the backup. */
function attachmentsOf({ entities }: WholeAccount): readonly string[] {
  const titles = new Map(
    entities.flatMap(({ id, type, fields }) =>
      type === 'task' ? [[id, readField(fields, 'title') ?? '']] : [],
    ),
  );
  const plain = (text: string) => text.replaceAll(/[\t\r\n]+/g, ' ');
  return entities
    .filter((entity) => entity.type === 'attachment' && isLiving(entity))
    .map(({ fields, parent }) =>
      [
        plain(readField(fields, 'name') ?? ''),
        String(readField(fields, 'sizeBytes') ?? 0),
        readField(fields, 'hash') ?? '',
        plain(parent === undefined ? '' : (titles.get(parent) ?? '')),
      ].join('\t'),
    )
    .toSorted();
}

/** The files of a backup: one for each format, and the list of what is attached. */
export function filesOf(
  account: WholeAccount,
  formats: readonly ExportName[],
  zone: string,
): readonly BackupFile[] {
  const files = formats.map((format): BackupFile => ({
    name: `posthaste${exportKinds[format].extension}`,
    text: exported(account, { format, zone }),
    count: format === 'json' ? countIn : null,
  }));
  const attached = attachmentsOf(account);
  if (attached.length === 0) return files;
  const text = `Name\tBytes\tSHA-256\tTask\n${attached.join('\n')}\n`;
  return [...files, { name: NOT_INCLUDED, text, count: null }];
}
