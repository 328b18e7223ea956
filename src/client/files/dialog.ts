// The dialog of a task's files: its attachments, their upload state, and the actions on them. It is drawn by
// web/dialogs/attachments.tsx. A lazy part.
import { unreachable } from '#core/assert.ts';
import type { Id } from '#core/ids.ts';
import { quoted } from '../text/editor.ts';
import type { OpenDialog } from '../dialogs/open-dialog.ts';
import type { Program } from '../app/program.ts';
import { nameOf } from '../outline/row-facts.ts';
import type { AttachmentView, FilesAction } from './files-view.ts';
import { attachFiles, attachmentsOf, refOf, saySize, sizeOf } from './attaching.ts';
import type { FileContent, FileRef, FilesPort } from './port.ts';

export class FilesDialog implements OpenDialog {
  readonly type = 'files';
  readonly isTyping = false;
  readonly #program: Program;
  readonly #port: FilesPort;
  readonly #task: Id;
  readonly #pictures = new Map<Id, string>();
  readonly #unsubscribe: () => void;
  #shown: Id | null = null;
  #said: { readonly text: string; readonly isError: boolean } | null = null;
  #isBusy = false;

  constructor(program: Program, port: FilesPort, task: Id) {
    this.#program = program;
    this.#port = port;
    this.#task = task;
    this.#unsubscribe = port.unsent.subscribe(() => program.act(() => this.refresh()));
    void this.#loadPictures();
  }

  submit(action: FilesAction): void {
    this.#said = null;
    const ref = 'id' in action ? this.#refOf(action.id) : null;
    switch (action.action) {
      case 'attach':
        void this.#attach(this.#port.pick());
        break;
      case 'back':
        this.#shown = null;
        break;
      case 'open':
        if (ref) this.#open(ref);
        break;
      case 'save':
        if (ref) void this.#save(ref);
        break;
      case 'remove':
        if (ref) this.#remove(ref);
        break;
      case 'retry':
        if (ref) this.#port.retry(ref.hash);
        break;
      default:
        unreachable(action);
    }
    this.refresh();
  }

  /** Escape at a picture goes back to all files. */
  clearFilter(): boolean {
    if (this.#shown === null) return false;
    this.submit({ action: 'back' });
    return true;
  }

  leave(): void {
    this.#unsubscribe();
  }

  refresh(): void {
    if (!this.#program.dialog.isOf(this)) return;
    const unsent = this.#port.unsent.get();
    const items = attachmentsOf(this.#program, this.#task).map((row): AttachmentView => {
      const { hash = '', name = '' } = row.fields;
      return {
        id: row.id,
        name,
        size: saySize(sizeOf(row)),
        picture: this.#pictures.get(row.id) ?? null,
        unsent: unsent.get(hash) ?? null,
      };
    });
    const shown = items.find(({ id, picture }) => id === this.#shown && picture !== null);
    this.#program.dialog.show({
      type: 'files',
      files: {
        title: nameOf(this.#program.replica.row(this.#task)) || 'Untitled',
        items,
        shown: shown ?? null,
        busy: this.#isBusy,
        said: this.#said,
      },
    });
  }

  #refOf(id: Id): FileRef | null {
    const row = attachmentsOf(this.#program, this.#task).find((each) => each.id === id);
    return row ? refOf(this.#program, row) : null;
  }

  #open(ref: FileRef): void {
    if (this.#pictures.has(ref.id)) this.#shown = ref.id;
    else void this.#save(ref);
  }

  async #attach(chosen: Promise<readonly FileContent[]>): Promise<void> {
    const files = await chosen;
    if (files.length === 0) return;
    this.#isBusy = true;
    this.#program.act(() => this.refresh());
    const problem = await attachFiles(this.#program, this.#port, this.#task, files);
    this.#program.act(() => {
      this.#isBusy = false;
      if (problem !== null) this.#said = { text: problem, isError: true };
      else
        this.#said = {
          text: files.length === 1 ? 'Attached.' : `Attached ${files.length} files.`,
          isError: false,
        };
      this.refresh();
    });
    await this.#loadPictures();
  }

  async #save(ref: FileRef): Promise<void> {
    const problem = await this.#port.save(ref);
    this.#program.act(() => {
      this.#said = problem === null ? null : { text: problem, isError: true };
      this.refresh();
    });
  }

  #remove({ id, name }: FileRef): void {
    const said = quoted(name);
    this.#program.change([{ a: 'delete', id }], `removed ${said}`);
    this.#said = { text: `Removed ${said}. Undo brings it back.`, isError: false };
  }

  async #loadPictures(): Promise<void> {
    for (const row of attachmentsOf(this.#program, this.#task)) {
      const { fileType = '' } = row.fields;
      if (this.#pictures.has(row.id) || !fileType.startsWith('image/')) continue;
      const url = await this.#port.picture(refOf(this.#program, row));
      if (!this.#program.dialog.isOf(this)) return;
      if (url !== null) this.#pictures.set(row.id, url);
      this.#program.act(() => this.refresh());
    }
  }
}
