// Coming back to a dialog that was left for another question.
import type { Program } from '../app/program.ts';

/** Calls `reopen` once what was opened over the list is closed, unless something else has the keys by then. */
export function reopenAfter(program: Program, reopen: () => void, mayReopen = () => true): void {
  const isOver = () => program.palette.view.get() !== null || program.dialog.get() !== null;
  let wasOver = isOver();
  const look = (): void => {
    if (isOver()) wasOver = true;
    if (!wasOver || isOver()) return;
    for (const stop of stops) stop();
    if (mayReopen() && program.pane === 'outline' && program.editor.title === null) program.act(reopen);
  };
  // What closes may be about to make its change, or to ask again.
  const later = () => void Promise.resolve().then(look);
  const stops = [program.palette.view.subscribe(later), program.dialog.subscribe(later)];
}
