// What keys do in the editor of a macro, whatever has the focus in it.
import type { MacroEditorAction } from './editor-view.ts';

/** The action of each command. */
export const byKey: Readonly<Record<string, MacroEditorAction>> = {
  'steps.add': { action: 'add' },
  'steps.variable': { action: 'variable' },
  'steps.earlier': { action: 'shift', by: -1 },
  'steps.later': { action: 'shift', by: 1 },
  'steps.duplicate': { action: 'duplicate' },
  'steps.remove': { action: 'remove' },
  'steps.record': { action: 'record' },
  'steps.key': { action: 'key' },
  'steps.run': { action: 'run' },
};
