// Files dropped onto the page, where the engine leaves them out: since 2025 WebKitGTK gives no page a file that was dropped, because a page could name
// one itself. The program reads what came from outside, and here it is dropped as any other engine would.
import type { ProgramMessage } from '../messages.ts';

type Dropped = Extract<ProgramMessage, { readonly type: 'dropped' }>;

/** Null: it is gone, as after a page was loaded anew. */
async function fileOf({ name, type, path }: Dropped['files'][number]): Promise<File | null> {
  const answer = await fetch(path);
  return answer.ok ? new File([await answer.arrayBuffer()], name, { type }) : null;
}

const itemOf = (file: File) => ({
  kind: 'file',
  type: file.type,
  getAsFile: () => file,
  webkitGetAsEntry: () => null,
});

/** Drops the files of a message where they were let go. */
export async function giveDropped({ x, y, files: named }: Dropped): Promise<void> {
  // What lies there now: it may move while they are read.
  const target = document.elementFromPoint(x, y) ?? document.body;
  const files: File[] = [];
  for (const each of named) {
    // oxlint-disable-next-line no-await-in-loop -- One after the other: the program lets go of each once it is here.
    const file = await fileOf(each);
    if (file) files.push(file);
  }
  if (files.length === 0) return;
  const event = new MouseEvent('drop', { bubbles: true, cancelable: true, clientX: x, clientY: y });
  // No constructor makes a transfer with files in this engine.
  const dataTransfer = { types: ['Files'], files, items: files.map(itemOf), getData: () => '' };
  Object.defineProperty(event, 'dataTransfer', { value: dataTransfer });
  (target.isConnected ? target : document.body).dispatchEvent(event);
}
