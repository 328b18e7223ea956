// Labels, lists and folders as the palette offers them for an answer, each with where it stands.
import type { Row } from '#sync/row.ts';
import { allLabels, labelName } from './labels/catalog.ts';
import type { Program } from './program.ts';

interface Offered {
  readonly row: Row;
  readonly hint: string;
}

export function labelRows({ replica }: Program): readonly Offered[] {
  return allLabels(replica).map(({ row, group }) => ({ row, hint: labelName(group ?? undefined) }));
}

export function listRows({ sidebar, rowFacts }: Program, areFolders: boolean): readonly Offered[] {
  return sidebar
    .everything()
    .filter(({ fields: { listType } }) => (listType === 'folder') === areFolders && listType !== 'smart')
    .map((row) => ({ row, hint: rowFacts.path(row) }));
}
