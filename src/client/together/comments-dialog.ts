// The dialog of a task's comments: one types at once; names are completed behind an at sign; with nothing typed the arrows choose
// a comment, Enter changes it, Delete removes it. It is drawn by web/dialogs/together/comments.tsx.
import { unreachable } from '#core/assert.ts';
import type { Id } from '#core/ids.ts';
import { commentPieces, mentionBefore, withMentions, withNames } from '#core/mentions.ts';
import { registerStamp, type CommentRow, type Row } from '#sync/rows/row.ts';
import { isTrashed } from '#sync/rows/row-reading.ts';
import type { Program } from '../app/program.ts';
import type { OpenDialog } from '../dialogs/open-dialog.ts';
import { nameOf } from '../outline/row-facts.ts';
import { sharing } from '../sharing/part.ts';
import type { PersonView } from '../sharing/sharing-view.ts';
import { quoted } from '../text/editor.ts';
import { canRemove, commentAction, commentProblem, commentsOf, isOwn } from './comments.ts';
import { Drafts } from './drafts.ts';
import { authorOf, peopleAround, sayPerson } from './people.ts';
import type { CommentsAction, CommentsView, CommentView } from './together-view.ts';

/** Names that are offered at once. */
const OFFERED = 6;

export class CommentsDialog implements OpenDialog {
  readonly type = 'comments';
  readonly #program: Program;
  readonly #task: Id;
  readonly #drafts: Drafts;
  #text: string;
  #caret: number;
  #active: Id | null = null;
  #editing: Id | null = null;
  #person = 0;
  /** The at sign whose names were sent away with Escape. */
  #silenced = -1;
  /** Of people with one name, who was chosen from the list. */
  #chosen: readonly PersonView[] = [];
  #said: CommentsView['said'] = null;

  constructor(program: Program, task: Id) {
    this.#program = program;
    this.#task = task;
    this.#drafts = new Drafts(program);
    this.#text = this.#drafts.of(task) ?? '';
    this.#caret = this.#text.length;
  }

  /** What was typed is kept as it is typed. */
  leave(): void {}

  get isTyping(): boolean {
    return this.#text !== '';
  }

  undo(): void {
    this.#program.run('edit.undo');
    this.refresh();
  }

  /** Escape: first the names, then the change of a comment, then the choice. */
  clearFilter(): boolean {
    if (this.#offered().length > 0) this.#silenced = mentionBefore(this.#text, this.#caret)?.at ?? -1;
    else if (this.#editing !== null) {
      this.#drafts.keep(this.#editing, '');
      this.#write(this.#drafts.of(this.#task) ?? '');
    } else if (this.#active !== null) this.#active = null;
    else return false;
    this.refresh();
    return true;
  }

  byKey(command: string): CommentsAction | null {
    const isNaming = this.#offered().length > 0;
    const isEmpty = this.#text === '' && this.#editing === null;
    switch (command) {
      case 'comments.enter':
        return { action: 'enter' };
      case 'comments.send':
        return { action: 'send' };
      case 'comments.up':
        return isNaming || isEmpty ? { action: 'up' } : null;
      case 'comments.down':
        return isNaming || (isEmpty && this.#active !== null) ? { action: 'down' } : null;
      case 'comments.name':
        return isNaming ? { action: 'name' } : null;
      case 'comments.remove':
        return isEmpty && this.#active !== null ? { action: 'removeActive' } : null;
      default:
        return null;
    }
  }

  submit(action: CommentsAction): void {
    this.#said = null;
    switch (action.action) {
      case 'type':
        this.#type(action.text, action.caret);
        break;
      case 'enter':
        this.#enter();
        break;
      case 'send':
        this.#send();
        break;
      case 'up':
      case 'down':
        this.#step(action.action === 'up' ? -1 : 1);
        break;
      case 'name':
        this.#name(this.#offered()[this.#person]);
        break;
      case 'mention':
        this.#name(this.#offered().find(({ account }) => account === action.account));
        break;
      case 'edit':
        this.#edit(this.#comment(action.id));
        break;
      case 'remove':
        this.#remove(this.#comment(action.id));
        break;
      case 'removeActive':
        this.#remove(this.#comment(this.#active));
        break;
      default:
        unreachable(action);
    }
    this.refresh();
  }

  refresh(): void {
    const { dialog, replica } = this.#program;
    if (!dialog.isOf(this)) return;
    const task = replica.row(this.#task);
    if (task === undefined || isTrashed(task)) {
      dialog.close();
      this.#program.say(
        this.#text.trim() === ''
          ? 'The task of these comments was deleted.'
          : 'The task of these comments was deleted. Restore it to go on with what you typed.',
      );
      return;
    }
    const items = commentsOf(this.#program, this.#task);
    if (items.every(({ id }) => id !== this.#active)) this.#active = null;
    if (this.#editing !== null && items.every(({ id }) => id !== this.#editing)) this.#lostEdited();
    const people = this.#offered();
    this.#person = Math.max(0, Math.min(this.#person, people.length - 1));
    dialog.show({
      type: 'comments',
      comments: {
        title: nameOf(task) || 'Untitled',
        items: items.map((row) => this.#view(row)),
        active: this.#active,
        editing: this.#editing,
        text: this.#text,
        caret: this.#caret,
        people,
        person: this.#person,
        hint: this.#hint(people.length > 0, items.length),
        said: this.#said,
      },
    });
  }

  /** Somebody has removed the comment that is being changed: what was typed stays, as a new one. */
  #lostEdited(): void {
    if (this.#editing !== null) this.#drafts.keep(this.#editing, '');
    this.#editing = null;
    this.#drafts.keep(this.#task, this.#text);
    this.#said = { text: 'That comment was removed. Enter sends your text as a new one.', isError: true };
  }

  #hint(isNaming: boolean, count: number): string {
    const isShared = this.#row()?.scope !== this.#program.replica.scope;
    const names = isShared ? '@ names people of the list.' : 'Only you see them: the list is private.';
    // Who has no keys is told of none.
    if (this.#program.platform.touch) return isNaming || this.#editing !== null ? '' : names;
    if (isNaming) return 'Enter takes the name, the arrows choose another.';
    if (this.#editing !== null) return 'Enter saves the change. Escape keeps the comment as it was.';
    const active = this.#comment(this.#active);
    if (active !== null) {
      const acts = [
        ...(isOwn(this.#program, active) ? ['Enter changes it'] : []),
        ...(canRemove(this.#program, active) ? ['Delete removes it'] : []),
      ];
      return acts.length === 0 ? 'Only its author can change it.' : `${acts.join('. ')}.`;
    }
    return `Enter sends, Shift+Enter begins a new line.${count > 0 ? ' ↑ goes to the comments.' : ''} ${names}`;
  }

  #view(row: CommentRow): CommentView {
    const { fields, createdAt } = row;
    const author = authorOf(this.#program, row, fields.author ?? 0);
    const said = sayPerson(author);
    const { platform } = this.#program;
    const day = new Intl.DateTimeFormat(platform.locale(), {
      dateStyle: 'medium',
      timeStyle: 'short',
      timeZone: platform.zone(),
    });
    return {
      id: row.id,
      author,
      by: said === 'you' ? 'You' : said,
      pieces: commentPieces(fields.text ?? '').map((piece) => {
        if (piece.type === 'text') return { text: piece.text, isPerson: false, isMe: false };
        const { name, isMe } = authorOf(this.#program, row, piece.account);
        return { text: `@${name}`, isPerson: true, isMe };
      }),
      at: day.format(createdAt),
      isEdited: registerStamp(row, 'text') !== row.stamp,
      isMine: isOwn(this.#program, row),
      canRemove: canRemove(this.#program, row),
    };
  }

  #row(): Row | undefined {
    return this.#program.replica.row(this.#task);
  }

  #comment(id: Id | null): CommentRow | null {
    return commentsOf(this.#program, this.#task).find((row) => row.id === id) ?? null;
  }

  #people(): readonly PersonView[] {
    const row = this.#row();
    return row === undefined ? [] : [...this.#chosen, ...peopleAround(this.#program, row)];
  }

  /** Whose names begin as what is typed behind the at sign. */
  #offered(): readonly PersonView[] {
    const begun = mentionBefore(this.#text, this.#caret);
    const row = this.#row();
    if (begun === null || begun.at === this.#silenced || row === undefined) return [];
    const typed = begun.typed.toLowerCase();
    const people = peopleAround(this.#program, row);
    // A name with a blank behind it is finished.
    if (people.some(({ name }) => typed === `${name.toLowerCase()} `)) return [];
    // Nobody means themselves first.
    return people
      .toSorted((a, b) => Number(a.isMe) - Number(b.isMe))
      .filter(({ name }) => {
        const folded = name.toLowerCase();
        return folded.startsWith(typed) || folded.split(/\s+/).some((part) => part.startsWith(typed));
      })
      .slice(0, OFFERED);
  }

  #type(text: string, caret: number): void {
    if (text !== this.#text) this.#active = null;
    this.#text = text;
    this.#caret = caret;
    this.#drafts.keep(this.#editing ?? this.#task, text);
    const begun = mentionBefore(text, caret);
    if (begun?.at !== this.#silenced) this.#silenced = -1;
    this.#person = 0;
  }

  #write(text: string): void {
    this.#editing = null;
    this.#text = text;
    this.#caret = text.length;
    this.#silenced = -1;
  }

  #enter(): void {
    const offered = this.#offered();
    if (offered.length > 0) this.#name(offered[this.#person]);
    else if (this.#active !== null && this.#text === '') this.#edit(this.#comment(this.#active));
    else this.#send();
  }

  #step(by: -1 | 1): void {
    const offered = this.#offered();
    if (offered.length > 0) {
      this.#person = (this.#person + by + offered.length) % offered.length;
      return;
    }
    const items = commentsOf(this.#program, this.#task);
    const at = items.findIndex(({ id }) => id === this.#active);
    const next = at < 0 ? items.length - 1 : at + by;
    this.#active = items[Math.max(0, next)]?.id ?? null;
  }

  #name(person: PersonView | undefined): void {
    const begun = mentionBefore(this.#text, this.#caret);
    if (begun === null || person === undefined) return;
    const before = `${this.#text.slice(0, begun.at)}@${person.name} `;
    this.#text = before + this.#text.slice(this.#caret).replace(/^ /, '');
    this.#caret = before.length;
    this.#drafts.keep(this.#editing ?? this.#task, this.#text);
    this.#chosen = [person, ...this.#chosen];
  }

  #edit(row: CommentRow | null): void {
    if (row === null) return;
    if (!isOwn(this.#program, row)) {
      this.#said = { text: 'Only its author can change a comment. Write one of your own.', isError: true };
      return;
    }
    const { members } = this.#program.part(sharing);
    const present = withNames(row.fields.text ?? '', (account) => members.nameOf(row.scope, account));
    this.#write(this.#drafts.of(row.id) ?? present);
    this.#editing = row.id;
    this.#active = null;
  }

  #send(): void {
    const text = withMentions(this.#text.trim(), this.#people());
    const problem = commentProblem(text);
    if (problem !== null) {
      this.#said = { text: problem, isError: true };
      return;
    }
    if (text === '') {
      this.#said = { text: 'Type something first.', isError: false };
      return;
    }
    const program = this.#program;
    const about = quoted(nameOf(this.#row()));
    if (this.#editing === null) {
      program.change([commentAction(program, this.#task, text)], `commented on ${about}`);
      this.#said = { text: 'Added the comment.', isError: false };
    } else if (this.#comment(this.#editing)?.fields.text !== text) {
      const set = { a: 'set', id: this.#editing, field: 'text', value: text } as const;
      program.change([set], `changed a comment on ${about}`);
      this.#said = { text: 'Changed the comment. Undo brings the old text back.', isError: false };
    }
    program.endGesture();
    this.#drafts.keep(this.#editing ?? this.#task, '');
    this.#chosen = [];
    this.#write(this.#drafts.of(this.#task) ?? '');
  }

  #remove(row: CommentRow | null): void {
    if (row === null) return;
    if (!canRemove(this.#program, row)) {
      this.#said = { text: 'Its author and the owner of the list can remove it.', isError: true };
      return;
    }
    const items = commentsOf(this.#program, this.#task);
    const at = items.findIndex(({ id }) => id === row.id);
    this.#program.change(
      [{ a: 'delete', id: row.id }],
      `removed a comment on ${quoted(nameOf(this.#row()))}`,
    );
    this.#program.endGesture();
    this.#active = (items[at + 1] ?? items[at - 1])?.id ?? null;
    this.#said = { text: 'Removed the comment. Undo brings it back.', isError: false };
  }
}
