// Takes what is pasted and dropped from the browser and hands it to the app: text as tasks, files as attachments.
import type { App } from '#client/app/app.ts';
import type { Id } from '#core/ids.ts';
import { isField, takesText } from './fields.ts';

export interface GivenPorts {
  /** The task whose row it is. */
  readonly rowOf: (target: EventTarget | null) => Id | null;
  readonly signal: AbortSignal;
}

/** Two lines with something in them. */
const SEVERAL_LINES = /\S[^\S\r\n]*[\r\n]\s*\S/;

/** Into the title being edited. False where it goes in as text. */
function pasteInTitle(app: App, target: EventTarget | null, text: string): boolean {
  const row = isField(target) && target.closest<HTMLElement>('[data-row]');
  if (!row || !SEVERAL_LINES.test(text)) return false;
  const from = target.selectionStart ?? target.value.length;
  return app.pastedInTitle(row.dataset['row'] as Id, { text, from, to: target.selectionEnd ?? from });
}

const contentsOf = (files: FileList) =>
  Array.from(files, (file) => ({ name: file.name, size: file.size, content: file }));

/** Read before the event is over: its entries are gone then. Beside the rows it may be an import. */
function dropBeside(app: App, given: DataTransfer): void {
  const entries = Array.from(given.items, (item) => item.webkitGetAsEntry());
  const files = [...given.files];
  void import('../importing/picking.ts').then(async ({ droppedSources }) =>
    app.openFiles(await droppedSources(entries, files), 'dropped'),
  );
}

export function listenToGiven(app: App, { rowOf, signal }: GivenPorts): void {
  window.addEventListener(
    'paste',
    (event) => {
      const text = event.clipboardData?.getData('text/plain') ?? '';
      const files = event.clipboardData?.files;
      // Programs that copy a table put a picture of it beside its text.
      if (text === '' && files && files.length > 0) {
        event.preventDefault();
        app.gaveFiles(contentsOf(files), null);
      } else if (text !== '' && !takesText(event.target)) {
        // Nothing is typed there: otherwise what is pasted belongs to it.
        event.preventDefault();
        app.pasted(text);
      } else if (pasteInTitle(app, event.target, text)) event.preventDefault();
    },
    { signal },
  );
  window.addEventListener(
    'dragover',
    (event) => {
      // Otherwise the browser would leave the app to show the file.
      if (event.dataTransfer?.types.includes('Files')) event.preventDefault();
    },
    { signal },
  );
  window.addEventListener(
    'drop',
    (event) => {
      const { dataTransfer: given } = event;
      if (!given || given.files.length === 0) return;
      event.preventDefault();
      const task = rowOf(event.target);
      if (task === null) dropBeside(app, given);
      else app.gaveFiles(contentsOf(given.files), task);
    },
    { signal },
  );
}
