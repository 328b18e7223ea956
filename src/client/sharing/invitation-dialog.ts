// An invitation to a shared list: which list, from whom, and joining it. Without an account it waits in this tab until the
// person has signed in. It is drawn by web/dialogs/sharing/invitation.tsx.
import { unreachable } from '#core/assert.ts';
import type { Id } from '#core/ids.ts';
import { ok } from '#core/result.ts';
import type { ListInvitation } from '#wire/sharing.ts';
import type { Program } from '../app/program.ts';
import type { OpenDialog } from '../dialogs/open-dialog.ts';
import { comeIn, missingKey } from './encrypted.ts';
import { sharing } from './part.ts';
import { personView } from './people.ts';
import type { SharingFailure } from './port.ts';
import type { InvitationAction, InvitationView } from './sharing-view.ts';

const UNCONFIRMED =
  'Joining needs a verified email address. Choose “Verify” in “Account,” then open the link again.';
const NO_ACCOUNT =
  'Joining a shared list needs an account. The invitation waits here until you’ve signed up or in. Your tasks stay.';
const DETACHED = 'Cloud sync is off. Enable it, then open the link again.';

export class InvitationDialog implements OpenDialog {
  readonly type = 'invitation';
  readonly isTyping = false;
  readonly #program: Program;
  readonly #token: string;
  readonly #secret: string | null;
  /** The list is encrypted, and this device has no key of its person. */
  #isKeyMissing = false;
  #invitation: Omit<ListInvitation, 'success'> | null = null;
  #failure: SharingFailure | null = null;
  #busy: string | null = null;

  /** `whole`: the token, and of an encrypted list its secret after `#`. */
  constructor(program: Program, whole: string) {
    const [token = '', secret = null] = whole.split('#');
    this.#program = program;
    this.#token = token;
    this.#secret = secret;
    this.#read();
  }

  leave(): void {
    // Who closes it can open the link again.
  }

  submit({ action }: InvitationAction): void {
    if (this.#busy !== null) return;
    switch (action) {
      case 'join':
        this.#join();
        break;
      case 'again':
        this.#read();
        break;
      case 'account':
        this.#program.run('account.safety');
        return;
      case 'encryption':
        void this.#program.part(sharing).keepInvitation(this.#whole);
        this.#program.run('sealing.overview');
        return;
      case 'signUp':
      case 'signIn':
        void this.#program.part(sharing).keepInvitation(this.#whole);
        this.#program.run(`account.${action}`);
        return;
      default:
        unreachable(action);
    }
    this.refresh();
  }

  refresh(): void {
    const { dialog } = this.#program;
    if (!dialog.isOf(this)) return;
    const { listName = null, inviter, members = 0, isEncrypted = false } = this.#invitation ?? {};
    dialog.show({
      type: 'invitation',
      invitation: {
        list: listName === '' && !isEncrypted ? 'Untitled' : listName,
        isEncrypted,
        // It is not the person who reads it: who made the link belongs to the list.
        inviter: inviter === undefined ? null : personView({ ...inviter, account: -1 }, 0),
        members,
        problem: this.#failure === null ? null : this.#failure.message,
        way: this.#way(),
        busy: this.#busy,
      },
    });
  }

  get #whole(): string {
    return this.#secret === null ? this.#token : `${this.#token}#${this.#secret}`;
  }

  #way(): InvitationView['way'] {
    if (this.#isKeyMissing) return 'encryption';
    switch (this.#failure?.type) {
      case undefined:
      case 'gone':
        return null;
      case 'unconfirmed':
        return 'account';
      case 'signedOut':
        return 'signIn';
      default:
        return 'again';
    }
  }

  #read(): void {
    const { platform, engine } = this.#program;
    if (engine.facts().detached !== null) {
      this.#failure = { type: 'refused', message: DETACHED };
      return;
    }
    if (platform.account.email === null) {
      this.#failure = { type: 'signedOut', message: NO_ACCOUNT };
      return;
    }
    this.#failure = null;
    this.#busy = 'Asking the server…';
    const program = this.#program;
    void program
      .part(sharing)
      .withPort((port) => port.invitation(this.#token))
      .then((answer) =>
        program.act(() => {
          this.#busy = null;
          if (!answer.ok) this.#failed(answer.problem);
          else if (answer.value.list !== null) {
            if (program.dialog.isOf(this)) program.dialog.close();
            this.#already(answer.value.list);
          } else this.#found(answer.value);
          this.refresh();
        }),
      );
  }

  #found(invitation: Omit<ListInvitation, 'success'>): void {
    this.#invitation = invitation;
    if (invitation.isEncrypted !== true) return;
    const program = this.#program;
    void missingKey(program).then((problem) =>
      program.act(() => {
        this.#isKeyMissing = problem !== null;
        this.#failure = problem === null ? null : { type: 'refused', message: problem };
        this.refresh();
      }),
    );
  }

  /** Who is in an encrypted list without its key gets it by the link now. */
  #already(list: Id): void {
    const program = this.#program;
    const scope = program.replica.row(list)?.scope;
    const isLocked = scope !== undefined && program.engine.facts().lists?.[scope] === 'locked';
    if (!isLocked) program.part(sharing).openWhenHere(list, 'You’re already in this list.');
    else this.#comeIn(list, scope);
  }

  #comeIn(list: Id, scope: Id): void {
    const program = this.#program;
    void this.#openWith(scope).then((done) =>
      program.act(() => {
        program.engine.nudge();
        const said = done.ok
          ? 'You’re in. The list is encrypted: only its people can read it.'
          : done.problem.message;
        program.part(sharing).openWhenHere(list, said);
      }),
    );
  }

  /** By the secret of the link, which may have been kept where it was opened first. */
  async #openWith(scope: Id): ReturnType<typeof comeIn> {
    const part = this.#program.part(sharing);
    const kept = await part.withPort((port) => Promise.resolve(ok(port.keptSecret(this.#token))));
    const done = await comeIn(this.#program, scope, this.#secret ?? (kept.ok ? kept.value : null));
    if (done.ok) await part.withPort((port) => Promise.resolve(ok(port.dropSecret(this.#token))));
    return done;
  }

  #failed(failure: SharingFailure): void {
    this.#failure = failure.type === 'unconfirmed' ? { ...failure, message: UNCONFIRMED } : failure;
    if (failure.type === 'signedOut') this.#failure = { ...failure, message: NO_ACCOUNT };
  }

  #joined(list: Id, scope: Id): void {
    if (this.#invitation?.isEncrypted === true) this.#comeIn(list, scope);
    else this.#program.part(sharing).openWhenHere(list, 'You’re in. Everyone here sees the same tasks.');
  }

  #join(): void {
    const program = this.#program;
    if (this.#invitation === null) return;
    this.#failure = null;
    this.#busy = 'Joining…';
    void program
      .part(sharing)
      .withPort((port) => port.join(this.#token))
      .then((answer) =>
        program.act(() => {
          this.#busy = null;
          if (answer.ok) {
            if (program.dialog.isOf(this)) program.dialog.close();
            this.#joined(answer.value.list, answer.value.scope as Id);
          } else this.#failed(answer.problem);
          this.refresh();
        }),
      );
  }
}
