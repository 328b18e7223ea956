// The selection as told to other programs: one format for the file that the app saves and for its readers. A tab opened
// only to answer has no selection, so each window saves its own when it loses focus.
import { readRecord } from '#core/json.ts';
import { isId, type Id } from '#core/ids.ts';
import type { Program } from '../app/program.ts';
import { linkSelection } from '../settings/links.ts';

/** Name of the saved file with the selection; fixed, because other programs look for it. */
export const selectedFileName = 'posthaste-selected-tasks.json';

export interface Selected {
  readonly selected_task_ids: readonly Id[];
  readonly list_id: Id | null;
}

const LEFT = 'links.selected';

export function selectedIn({ workspace }: Program): Selected {
  return {
    selected_task_ids: workspace.selection.targets(workspace.outline),
    list_id: workspace.place.type === 'list' ? workspace.place.id : null,
  };
}

/** Saves the selection when the window loses focus, if the person lets links ask for it. */
export function keepSelected(program: Program): void {
  if (program.settings.get(linkSelection))
    program.platform.preferences.set(LEFT, JSON.stringify(selectedIn(program)));
}

/** The selection of the window that lost focus last; null: there is none. */
export function selectedWhenLeft({ platform }: Program): Selected | null {
  return readSelected(platform.preferences.get(LEFT) ?? '');
}

/** Null: the text is not in that format. */
export function readSelected(text: string): Selected | null {
  const { selected_task_ids: ids, list_id: list } = readRecord(text);
  if (!Array.isArray(ids) || !ids.every(isId) || (list !== null && !isId(list))) return null;
  return { selected_task_ids: ids, list_id: list };
}
