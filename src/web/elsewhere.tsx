// What a tab shows when another one has taken its storage (tabs that cannot work side by side, a newer
// version), and what it does about changes that it could not write.
import type { Root } from 'react-dom/client';
import { writeUnsent } from '#client/sync-status/unsent-file.ts';
import { saveFile } from './platform/files.ts';
import { offerUnsaved } from './platform/storage/rescue.ts';
import type { Unsaved } from './platform/storage/unsaved.ts';
import { newId } from './platform/world.ts';
import { ElsewhereScreen } from './views/elsewhere-screen.tsx';

function download({ scope, operations }: Unsaved): void {
  const text = writeUnsent({ scope, operations, recovered: [] }, { email: null, at: Date.now() });
  saveFile('Posthaste unsynced changes.json', 'application/json', text);
}

const REST_MS = 700;

/** Resolves when no key was pressed for a moment: nobody loses the rest of a word to a screen that comes up. */
export function keysAtRest(): Promise<void> {
  return new Promise((resolve) => {
    const listening = new AbortController();
    const end = () => {
      listening.abort();
      resolve();
    };
    let timer = setTimeout(end, REST_MS);
    const postpone = () => {
      clearTimeout(timer);
      timer = setTimeout(end, REST_MS);
    };
    for (const type of ['keydown', 'input'])
      window.addEventListener(type, postpone, { capture: true, signal: listening.signal });
  });
}

interface Waiting {
  /** Null: everything was written. */
  readonly unsaved: Unsaved | null;
  /** The other tab is of a newer version: this one must be loaded anew. */
  readonly isNewer: boolean;
  /** The person wants to go on here. */
  readonly work: () => void;
}

/** Offers what this tab could not write to the one that works, and waits for the person. */
export function waitElsewhere(root: Root, { unsaved, isNewer, work }: Waiting): void {
  let left = unsaved;
  let isDownloaded = false;
  let isTaking = false;
  const draw = () =>
    root.render(
      <ElsewhereScreen
        isNewer={isNewer}
        isTaking={isTaking}
        unsaved={left?.operations.length ?? 0}
        onTake={take}
        onDownload={() => {
          if (!left) return;
          download(left);
          isDownloaded = true;
        }}
      />,
    );
  const take = () => {
    // What is still here is offered to this tab itself once it works; loading it anew would lose it.
    if (isTaking || (isNewer && left && !isDownloaded)) return;
    isTaking = true;
    draw();
    work();
  };
  draw();
  if (!left) return;
  void offerUnsaved(left, newId()).then(() => {
    left = null;
    if (!isTaking) draw();
  });
}
