// What happens when a dialog is submitted: the forms for signing up and in, and questions with one answer.
import type { AccountFailure } from './app.ts';
import { unreachable } from '#core/assert.ts';
import type { Program } from './program.ts';

type Form = 'signIn' | 'signUp';

/** Values are the dialog's fields by name. */
export function submitDialog(program: Program, values: Readonly<Record<string, string>>): void {
  const dialog = program.dialog.get();
  if (!dialog) return;
  switch (dialog.type) {
    case 'signIn':
    case 'signUp':
      if (!dialog.busy) submitForm(program, dialog.type, values);
      return;
    case 'confirm':
      program.dialog.set(null);
      program.run(dialog.command);
      return;
    case 'recovered': {
      const seqs = dialog.items.map(({ operation }) => operation.q);
      const chosen = values.seq === undefined ? seqs : seqs.filter((seq) => String(seq) === values.seq);
      program.engine.dropRecovered(chosen);
      const items = program.engine.recovered.get();
      program.dialog.set(items.length === 0 ? null : { type: 'recovered', items });
      return;
    }
    case 'sessions':
    case 'import':
    case 'export':
    case 'keys':
      program.dialog.set(null);
      return;
    default:
      unreachable(dialog);
  }
}

const MIN_PASSWORD = 8;
const MAX_PASSWORD = 72;

/** Null when the form may be sent; else what to correct. */
function problemOf(form: Form, email: string, password: string): string | null {
  if (email === '') return 'Enter an email';
  if (!/^[^\s@]+@[^\s@]+$/.test(email)) return 'That is no e-mail address.';
  if (password === '') return 'Enter a password';
  const length = [...password].length;
  if (form === 'signUp' && (length < MIN_PASSWORD || length > MAX_PASSWORD)) {
    return `A password has ${MIN_PASSWORD} to ${MAX_PASSWORD} characters; this one has ${length}.`;
  }
  return null;
}

function submitForm(program: Program, form: Form, values: Readonly<Record<string, string>>): void {
  const email = (values.email ?? '').trim();
  const password = values.password ?? '';
  const problem = problemOf(form, email, password);
  if (problem !== null) {
    program.dialog.set({ type: form, busy: false, error: problem });
    return;
  }
  program.dialog.set({ type: form, busy: true, error: null });
  const { account } = program.platform;
  const answer = form === 'signUp' ? account.signUp(email, password) : account.signIn(email, password);
  void answer.then((failure) => program.act(() => finish(program, form, failure)));
}

function finish(program: Program, form: Form, failure: AccountFailure | null): void {
  if (failure) {
    program.dialog.set({ type: form, busy: false, error: failure.message });
    return;
  }
  program.dialog.set(null);
  program.say(form === 'signUp' ? 'Your account is ready.' : 'Signed in.');
}
