// What happens when a dialog is submitted: the forms for signing up and in, and questions with one answer.
import type { AccountFailure } from './app.ts';
import { done } from './commands/define.ts';
import { withDetaching } from './detaching-door.ts';
import { unreachable } from '#core/assert.ts';
import { settleLedger } from './ledger.ts';
import type { Thinking } from './open-dialog.ts';
import type { Program } from './program.ts';
import type { DialogView } from './dialog-view.ts';
import { trashPart } from './trash-door.ts';

type Form = 'signIn' | 'signUp';

/** All that do not think for themselves. */
type Asking = Exclude<DialogView, Thinking | { readonly type: 'history' }>;

/** Values are the dialog's fields by name. */
export function submitDialog(
  program: Program,
  dialog: Asking,
  values: Readonly<Record<string, string>>,
): void {
  switch (dialog.type) {
    case 'signIn':
    case 'signUp':
      if (!dialog.busy) submitForm(program, dialog, values);
      return;
    case 'confirm':
      program.dialog.set(null);
      program.run(dialog.command);
      return;
    case 'recovered':
    case 'sync':
      settleLedger(program, values);
      return;
    case 'signOut':
      if (values.action === 'download') program.run('sync.download');
      program.dialog.set(null);
      program.run('account.signOutNow');
      return;
    case 'otherAccount':
      if (values.action === 'download') {
        program.run('sync.download');
        return;
      }
      program.dialog.set(null);
      program.platform.account.useOther();
      return;
    case 'disableSync':
    case 'enableSync':
    case 'safetyCopies':
      withDetaching(program, (detaching) => detaching.submit(program, dialog, values));
      return;
    case 'emptyTrash':
      program.held.enter(trashPart, ({ submitEmptying }) => {
        submitEmptying(program, dialog);
        return done;
      });
      return;
    case 'sessions':
    case 'import':
    case 'export':
    case 'cheatSheet':
    case 'install':
    case 'details':
      program.dialog.set(null);
      return;
    default:
      unreachable(dialog);
  }
}

const MIN_PASSWORD = 8;
const MAX_PASSWORD = 72;

interface Problem {
  readonly error: string;
  readonly field: 'email' | 'password';
}

/** Null when the form may be sent; else what to correct. */
function problemOf(form: Form, email: string, password: string): Problem | null {
  if (email === '') return { error: 'Enter an email', field: 'email' };
  if (!/^[^\s@]+@[^\s@]+$/.test(email)) return { error: 'That is no e-mail address.', field: 'email' };
  if (password === '') return { error: 'Enter a password', field: 'password' };
  const length = [...password].length;
  if (form === 'signUp' && (length < MIN_PASSWORD || length > MAX_PASSWORD)) {
    const error = `A password has ${MIN_PASSWORD} to ${MAX_PASSWORD} characters; this one has ${length}.`;
    return { error, field: 'password' };
  }
  return null;
}

type FormView = Extract<DialogView, { readonly type: Form }>;

function submitForm(program: Program, shown: FormView, values: Readonly<Record<string, string>>): void {
  const form = shown.type;
  const { account } = program.platform;
  const code = shown.wantsCode === true ? (values.code ?? '') : undefined;
  const again = code === undefined ? {} : { wantsCode: true };
  const send = (answer: Promise<AccountFailure | null>) => {
    program.dialog.set({ type: form, busy: true, error: null, ...again });
    void answer.then((failure) => program.act(() => finish(program, form, failure)));
  };
  if (values.action === 'passkey') {
    send(account.signInByPasskey());
    return;
  }
  const email = (values.email ?? '').trim();
  const password = values.password ?? '';
  const problem = problemOf(form, email, password);
  if (problem !== null) program.dialog.set({ type: form, busy: false, ...again, ...problem });
  else send(form === 'signUp' ? account.signUp(email, password) : account.signIn(email, password, code));
}

function finish(program: Program, form: Form, failure: AccountFailure | null): void {
  if (failure?.type === 'other') {
    const held = program.platform.account.email ?? '';
    const canKeep = program.platform.device.facts.get().storage === 'disk';
    const waiting = program.engine.facts().pending.length;
    program.dialog.set({ type: 'otherAccount', email: failure.email, held, waiting, canKeep });
    return;
  }
  if (failure) {
    const error = failure.message;
    const field = failure.type === 'taken' ? 'email' : failure.type === 'code' ? 'code' : null;
    program.dialog.set({
      type: form,
      busy: false,
      error,
      ...(field === null ? {} : { field }),
      ...(field === 'code' ? { wantsCode: true } : {}),
    });
    return;
  }
  program.dialog.set(null);
  program.say(form === 'signUp' ? 'Your account is ready.' : 'Signed in.');
}
