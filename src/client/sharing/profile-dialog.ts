// How the person is shown to others: name, initials, emoji and color. It is drawn by web/dialogs/sharing/profile.tsx.
import { initialsOf, readEmoji, readInitials } from '#core/people.ts';
import type { Program } from '../app/program.ts';
import type { FormValues } from '../dialogs/form-values.ts';
import type { OpenDialog } from '../dialogs/open-dialog.ts';
import { isOffline, needsServer } from './needs.ts';
import { sharing } from './part.ts';
import { personView } from './people.ts';
import type { ProfileAction, ProfileView } from './sharing-view.ts';

type Person = NonNullable<ProfileView['person']>;

const OFFLINE = 'Your profile needs a connection. Go online and try again.';

export class ProfileDialog implements OpenDialog {
  readonly type = 'profile';
  readonly #program: Program;
  #person: Person | null = null;
  #draft: Person | null = null;
  #isBusy = false;
  #problem: string | null = null;
  #field: ProfileView['field'] = null;

  constructor(program: Program) {
    this.#program = program;
    this.#read();
  }

  get isTyping(): boolean {
    return this.#person !== null;
  }

  leave(): void {
    // What was not saved was not wanted.
  }

  submit(action: ProfileAction): void {
    if (this.#isBusy) return;
    if (action.action === 'again') this.#read();
    else {
      this.#draft = this.#drafted(action.values);
      this.#problem = null;
      this.#field = null;
      if (action.action === 'save') this.#save();
    }
    this.refresh();
  }

  refresh(): void {
    const { dialog, replica } = this.#program;
    if (!dialog.isOf(this)) return;
    const draft = this.#draft;
    const emoji = readEmoji(draft?.emoji ?? '');
    const initials = readInitials(draft?.initials ?? '') ?? '';
    dialog.show({
      type: 'profile',
      profile: {
        person: this.#person,
        preview:
          draft === null
            ? null
            : personView({ ...draft, account: replica.account, initials, emoji }, replica.account),
        busy: this.#isBusy,
        problem: this.#problem,
        field: this.#field,
      },
    });
  }

  #drafted({ name = '', initials = '', emoji = '', color = '' }: FormValues): Person {
    const isColor = /^#[0-9a-f]{6}$/.test(color);
    return { name, initials, emoji, color: isColor ? color : (this.#person?.color ?? '#5b687d') };
  }

  #read(): void {
    const program = this.#program;
    this.#problem = needsServer(program) ?? (isOffline(program) ? OFFLINE : null);
    if (this.#problem !== null) return;
    this.#isBusy = true;
    void program
      .part(sharing)
      .withPort((port) => port.profile())
      .then((answer) =>
        program.act(() => {
          this.#isBusy = false;
          if (answer.ok) {
            program.part(sharing).profile.keep(answer.value);
            const { name, initials, emoji, color } = answer.value;
            // Initials of the name are not repeated: they follow the name.
            const own = initials === initialsOf(name) ? '' : initials;
            this.#person = { name, initials: own, emoji: emoji ?? '', color };
            this.#draft = this.#person;
          } else this.#problem = answer.problem.type === 'offline' ? OFFLINE : answer.problem.message;
          this.refresh();
        }),
      );
  }

  /** Null: it can be saved. */
  #wrong({ name, initials, emoji }: Person): readonly [NonNullable<ProfileView['field']>, string] | null {
    if (name.trim() === '') return ['name', 'Enter the name that others see.'];
    if (readInitials(initials) === null) return ['initials', 'Initials have at most two characters.'];
    if (emoji.trim() !== '' && readEmoji(emoji) === null)
      return ['emoji', 'Enter exactly one emoji, or leave it empty.'];
    return null;
  }

  #save(): void {
    const program = this.#program;
    const draft = this.#draft;
    const wrong = draft === null ? null : this.#wrong(draft);
    if (draft === null) return;
    if (wrong !== null) {
      [this.#field, this.#problem] = wrong;
      return;
    }
    this.#isBusy = true;
    const change = {
      name: draft.name.trim(),
      initials: readInitials(draft.initials) ?? '',
      emoji: readEmoji(draft.emoji),
      color: draft.color,
    };
    void program
      .part(sharing)
      .withPort((port) => port.changeProfile(change))
      .then((answer) =>
        program.act(() => {
          this.#isBusy = false;
          if (answer.ok) {
            program.part(sharing).profile.keep(answer.value);
            if (program.dialog.isOf(this)) program.dialog.close();
            program.engine.nudge();
            program.say('Saved. People you share lists with see it soon.');
          } else this.#problem = answer.problem.type === 'offline' ? OFFLINE : answer.problem.message;
          this.refresh();
        }),
      );
  }
}
