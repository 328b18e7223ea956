// Keeps the tasks that a dialog or a question of the palette is about. Where they leave the open place meanwhile, because somebody else trashed or moved
// them or because an answer did, the next answer is still about them, not about the task that the cursor went to.
import type { Id } from '#core/ids.ts';
import { definePart } from '../app/part.ts';
import type { Program } from '../app/program.ts';

const isAsking = ({ dialog, palette }: Program): boolean => dialog.get() !== null || palette.isOpen;

/** Holds what is asked about (`workspace.held`) from the moment at which it leaves the outline until the dialog or the palette closes. */
export const askedAbout = definePart({
  name: 'asked about',
  create(program) {
    const { workspace } = program;
    const chosen = (): readonly Id[] => workspace.selection.targets(workspace.outline);
    let about: readonly Id[] | null = null;
    let cursor = workspace.cursor;
    const letGo = () => {
      if (workspace.held === about) workspace.held = null;
      about = null;
    };
    return {
      apply() {
        if (about === null) return;
        if (!about.every((id) => workspace.outline.has(id))) workspace.held ??= about;
        ({ cursor } = workspace);
      },
      draw() {
        // A cursor that was put elsewhere by hand is what is asked about from then on.
        if (!isAsking(program) || cursor !== workspace.cursor) letGo();
        if (isAsking(program)) about ??= chosen();
        ({ cursor } = workspace);
      },
    };
  },
});
