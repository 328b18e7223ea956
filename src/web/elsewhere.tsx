// Only where tabs cannot work side by side: what a tab shows while another one works, and what it does about changes
// that it could not write. Loaded when that happens.
import type { Root } from 'react-dom/client';
import { writeUnsent } from '#client/unsent-file.ts';
import { saveFile } from './platform/files.ts';
import { offerUnsaved, type Unsaved } from './platform/rescue.ts';
import { newId } from './platform/world.ts';
import { ElsewhereScreen } from './views/elsewhere-screen.tsx';

function download({ scope, operations }: Unsaved): void {
  const text = writeUnsent({ scope, operations, recovered: [] }, { email: null, at: Date.now() });
  saveFile('Posthaste unsynced changes.json', 'application/json', text);
}

/** Offers what this tab could not write to the one that works; `work` when the person wants to go on here. */
export function waitElsewhere(root: Root, unsaved: Unsaved | null, work: () => void): void {
  let left = unsaved;
  let isTaking = false;
  const draw = () =>
    root.render(
      <ElsewhereScreen
        isTaking={isTaking}
        unsaved={left?.operations.length ?? 0}
        onTake={take}
        onDownload={() => left && download(left)}
      />,
    );
  const take = () => {
    if (isTaking) return;
    isTaking = true;
    draw();
    // What is still here is offered to this tab itself, once it works.
    work();
  };
  draw();
  if (!left) return;
  void offerUnsaved(left, newId()).then(() => {
    left = null;
    if (!isTaking) draw();
  });
}
