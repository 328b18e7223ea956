// Submits dialogs without state of their own: the forms for signing up and in, and questions with one answer.
import type { AccountFailure } from '../app/app.ts';
import { done } from '../commands/define.ts';
import { withDetaching } from '../sync-status/detaching-lazy.ts';
import { passwordLength } from '#core/password.ts';
import { settleRecoveredChange } from './answers.ts';
import type { Program } from '../app/program.ts';
import { waitingOffer } from '../safety/lazy.ts';
import type { AccountFormAction, Answer, DialogView } from './dialog-view.ts';
import { trashPart } from '../trash/trash-lazy.ts';

type Form = 'signIn' | 'signUp';

/** Handles an answer in a dialog without state of its own. */
export function submitDialog(program: Program, answer: Answer): void {
  switch (answer.type) {
    case 'signIn':
    case 'signUp':
      if (!answer.dialog.busy) submitForm(program, answer.dialog, answer.action);
      return;
    case 'confirm':
      program.dialog.close();
      program.run(answer.dialog.command);
      return;
    case 'recovered':
    case 'sync':
      settleRecoveredChange(program, answer.action);
      return;
    case 'signOut':
      if (answer.action.action === 'download') program.run('sync.download');
      program.dialog.close();
      program.run('account.signOutNow');
      return;
    case 'otherAccount':
      if (answer.action.action === 'download') {
        program.run('sync.download');
        return;
      }
      program.dialog.close();
      program.platform.account.useOther();
      return;
    case 'disableSync':
    case 'enableSync':
    case 'safetyCopies':
      withDetaching(program, (detaching) => detaching.submit(program, answer));
      return;
    case 'emptyTrash':
      program.inputQueue.enter(trashPart, ({ submitEmptying }) => {
        submitEmptying(program, answer.dialog);
        return done;
      });
      return;
    default:
      program.dialog.close();
  }
}

interface Problem {
  readonly error: string;
  readonly field: 'email' | 'password';
}

/** Null when the form may be sent; else the correction to make. */
function problemOf(form: Form, email: string, password: string): Problem | null {
  if (email === '') return { error: 'Enter an email', field: 'email' };
  if (!/^[^\s@]+@[^\s@]+$/.test(email))
    return { error: 'That doesn’t look like an email address.', field: 'email' };
  if (password === '') return { error: 'Enter a password', field: 'password' };
  const length = [...password].length;
  if (form === 'signUp' && (length < passwordLength.least || length > passwordLength.most)) {
    const error = `Passwords have ${passwordLength.least} to ${passwordLength.most} characters. Yours has ${length}.`;
    return { error, field: 'password' };
  }
  return null;
}

type FormView = Extract<DialogView, { readonly type: Form }>;

function submitForm(program: Program, shown: FormView, action: AccountFormAction): void {
  const form = shown.type;
  const { account } = program.platform;
  const values = action.action === 'send' ? action.values : {};
  const code = shown.wantsCode === true ? (values.code ?? '') : undefined;
  const again = code === undefined ? {} : { wantsCode: true };
  const send = (answer: Promise<AccountFailure | null>) => {
    program.dialog.show({ type: form, busy: true, error: null, ...again, ...waitingOffer(program) });
    void answer.then((failure) => program.act(() => finish(program, form, failure)));
  };
  if (action.action === 'passkey') {
    send(account.signInByPasskey());
    return;
  }
  const email = (values.email ?? '').trim();
  const password = values.password ?? '';
  const problem = problemOf(form, email, password);
  if (problem !== null)
    program.dialog.show({ type: form, busy: false, ...again, ...problem, ...waitingOffer(program) });
  else send(form === 'signUp' ? account.signUp(email, password) : account.signIn(email, password, code));
}

function finish(program: Program, form: Form, failure: AccountFailure | null): void {
  if (failure?.type === 'other') {
    const held = program.platform.account.email ?? '';
    const canKeep = program.platform.device.facts.get().storage === 'disk';
    const waiting = program.engine.facts().pending.length;
    program.dialog.show({ type: 'otherAccount', email: failure.email, held, waiting, canKeep });
    return;
  }
  if (failure) {
    const error = failure.message;
    const field = failure.type === 'taken' ? 'email' : failure.type === 'code' ? 'code' : null;
    program.dialog.show({
      type: form,
      busy: false,
      error,
      ...(field === null ? {} : { field }),
      ...(field === 'code' ? { wantsCode: true } : {}),
      ...waitingOffer(program),
    });
    return;
  }
  program.dialog.close();
  const { isKept } = program.platform.account;
  const signedIn = isKept ? 'Signed in. We won’t erase your account.' : 'Signed in.';
  program.say(form === 'signUp' ? 'Your account is ready.' : signedIn);
}
