// Commands of the account: signing up, in and out, sessions. Their dialogs are submitted to account-dialogs.ts.
import type { CommandResult } from './command.ts';
import { type Command, define, done, refused } from './define.ts';
import { openSafety, takePromoCode, waitingOffer } from '../safety/lazy.ts';
import type { Program } from '../app/program.ts';
import { hasPlans } from '../plan/offered.ts';

function needsNoAccount(program: Program): string | null {
  return program.platform.account.email === null
    ? null
    : `You’re signed in as ${program.platform.account.email}.`;
}

function needsAccount(program: Program): string | null {
  return program.platform.account.email === null ? 'Sign in first.' : null;
}

function openForm(program: Program, type: 'signIn' | 'signUp'): CommandResult {
  program.leaveText();
  program.editor.flush();
  program.dialog.show({ type, busy: false, error: null, ...waitingOffer(program) });
  return done;
}

/** Unsent changes would be out of reach after signing out, so that is asked first. */
function signOut(program: Program): CommandResult {
  program.leaveText();
  program.editor.flush();
  const state = program.engine.state.get();
  const known = 'waiting' in state ? state.waiting : 0;
  const waiting = Math.max(known, program.engine.facts().pending.length);
  const ask = (copies: number) => program.dialog.show({ type: 'signOut', waiting, copies });
  if (waiting > 0) {
    ask(0);
    void countCopies(program).then((copies) =>
      program.act(() => copies > 0 && program.dialog.get()?.type === 'signOut' && ask(copies)),
    );
    return done;
  }
  const decide = (copies: number) => {
    if (copies === 0) return program.run('account.signOutNow');
    ask(copies);
    return done;
  };
  program.inputQueue.open('Signing out', () => countCopies(program), decide);
  return done;
}

async function countCopies({ platform }: Program): Promise<number> {
  try {
    return (await (await platform.device.safetyCopies()).list()).length;
  } catch {
    // A browser that refuses storage has none.
    return 0;
  }
}

function signOutNow(program: Program): CommandResult {
  program.dialog.close();
  program.isLeaving = true;
  void program.platform.account.signOut().then((failure) =>
    program.act(() => {
      program.isLeaving = failure === null;
      program.say(failure ? failure.message : 'Signed out.', { error: failure !== null });
    }),
  );
  return done;
}

function endSession(program: Program, id: string): CommandResult {
  if (id === '') return refused('Choose a session.');
  void program.platform.account
    .revoke(id)
    .then((failure) =>
      program.act(() =>
        program.say(failure ? failure.message : 'Ended the session.', { error: failure !== null }),
      ),
    );
  return done;
}

export const accountCommands: readonly Command[] = [
  define({
    id: 'account.signUp',
    title: 'Create an account',
    aliases: ['sign up', 'register', 'sync'],
    group: 'Account',
    when: needsNoAccount,
    run: (program) => openForm(program, 'signUp'),
  }),
  define({
    id: 'account.signIn',
    title: 'Sign in',
    aliases: ['log in', 'login', 'sync'],
    group: 'Account',
    when: (program) => (program.engine.state.get().type === 'signedOut' ? null : needsNoAccount(program)),
    run: (program) => openForm(program, 'signIn'),
  }),
  define({
    id: 'account.signOut',
    title: 'Sign out',
    aliases: ['log out', 'logout'],
    group: 'Account',
    when: needsAccount,
    run: signOut,
  }),
  define({
    id: 'account.signOutNow',
    title: 'Sign out now',
    group: 'Account',
    inPalette: false,
    when: needsAccount,
    run: signOutNow,
  }),
  define({
    id: 'account.safety',
    title: 'Account',
    aliases: [
      'password',
      'change email',
      'verify email address',
      'confirm email address',
      'email code',
      'passkeys',
      'two-factor',
      '2fa',
      'one-time codes',
      'recovery codes',
      'delete account',
      'erase account',
      'security',
    ],
    group: 'Account',
    when: needsAccount,
    run: (program) => openSafety(program),
  }),
  define({
    id: 'account.tokens',
    title: 'API access tokens',
    aliases: ['api keys', 'access tokens', 'revoke token', 'integrations', 'programs'],
    group: 'Account',
    when: needsAccount,
    run: (program) => openSafety(program, 'tokens'),
  }),
  define({
    id: 'account.copyToken',
    title: 'Copy API access token',
    aliases: ['api key', 'api token', 'bearer token'],
    group: 'Account',
    when: needsAccount,
    run: (program) => openSafety(program, 'copyToken'),
  }),
  define({
    id: 'account.promo',
    title: 'Enter promo code',
    aliases: ['coupon', 'discount', 'redeem', 'voucher'],
    group: 'Account',
    when: needsAccount,
    isListed: hasPlans,
    run: (program) => openSafety(program, 'promo', () => takePromoCode(program)),
  }),
  define({
    id: 'account.sessions',
    title: 'Sessions and devices',
    aliases: ['devices', 'security', 'signed in where'],
    group: 'Account',
    when: needsAccount,
    run(program) {
      program.leaveText();
      program.dialog.show({ type: 'sessions' });
      return done;
    },
  }),
  define({
    id: 'account.endSession',
    title: 'End a session',
    group: 'Account',
    inPalette: false,
    args: [{ name: 'session', kind: 'text', prompt: 'Which session?' }],
    when: needsAccount,
    run: (program, args) => endSession(program, args.session ?? ''),
  }),
];
