// Which tasks are selected, as programs are told: one form for the file that the app saves and for who reads it. A tab that
// was opened only to be asked has no selection, so the window that a person leaves keeps its own for it.
import { readRecord } from '#core/json.ts';
import { isId, type Id } from '#core/ids.ts';
import type { Program } from '../program.ts';
import { linkSelection } from '../settings/links.ts';

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

/** The window loses focus. Nothing is kept unless the person lets links ask. */
export function keepSelected(program: Program): void {
  if (program.settings.get(linkSelection))
    program.platform.preferences.set(LEFT, JSON.stringify(selectedIn(program)));
}

/** Of the window that was left last; null: none was. */
export function selectedWhenLeft({ platform }: Program): Selected | null {
  return readSelected(platform.preferences.get(LEFT) ?? '');
}

/** Null: the text says no such thing. */
export function readSelected(text: string): Selected | null {
  const { selected_task_ids: ids, list_id: list } = readRecord(text);
  if (!Array.isArray(ids) || !ids.every(isId) || (list !== null && !isId(list))) return null;
  return { selected_task_ids: ids, list_id: list };
}
