// `/reset-password`: a new password, twice. The form also works by being posted, without scripts.
import { useEffect, useRef, useState } from 'react';
import { lengthProblem, passwordLength } from '#core/password.ts';
import { links, NEW_TAB } from '../content/facts.ts';
import { Outcome } from './outcome.tsx';
import { strengthOf } from './password-strength.ts';

/** What the page shows. Without scripts, the outcome of the posted form decides it. */
export type ResetState = {
  readonly type:
    | 'awaiting-input'
    | 'passwords-missing'
    | 'passwords-mismatch'
    | 'loading'
    | 'server-failure'
    | 'successful';
  /** Where it is known: why this password is not taken. It is said in place of the fixed text. */
  readonly reason?: string;
};

const resetTexts = {
  missing: 'Please enter your new password',
  mismatch: 'Passwords do not match',
  failed: 'Something went wrong, try again!',
} as const;

const problemOf = ({ type, reason }: ResetState): string => {
  if (type === 'passwords-missing') return resetTexts.missing;
  if (type === 'passwords-mismatch') return resetTexts.mismatch;
  return type === 'server-failure' ? (reason ?? resetTexts.failed) : '';
};

function Field({
  name,
  label,
  isWrong,
  isShown,
  onType,
}: {
  readonly name: string;
  readonly label: string;
  readonly isWrong: boolean;
  readonly isShown: boolean;
  readonly onType?: (text: string) => void;
}) {
  return (
    <>
      <label htmlFor={name}>{label}</label>
      <input
        id={name}
        name={name}
        type={isShown ? 'text' : 'password'}
        autoComplete="new-password"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={passwordLength.most}
        aria-describedby="password-rule reset-problem"
        aria-invalid={isWrong ? true : undefined}
        onInput={({ currentTarget }) => onType?.(currentTarget.value)}
      />
    </>
  );
}

/** How good it looks: words, and dots for the eye. Its line is there from the beginning, so nothing moves. */
function StrengthLine({ password }: { readonly password: string }) {
  const { level, text } = strengthOf(password);
  return (
    <p className="small strength">
      <span className="strength-dots" aria-hidden="true">
        {level === 0 ? '' : '●'.repeat(level) + '○'.repeat(4 - level)}
      </span>
      <span role="status" id="password-strength">
        {text}
      </span>
    </p>
  );
}

/** The form, or what replaces it after success. `onSend` gets both passwords as typed, unchecked. */
export function ResetPasswordView({
  state,
  onSend,
}: {
  readonly state: ResetState;
  readonly onSend?: (password: string, again: string) => void;
}) {
  const form = useRef<HTMLFormElement>(null);
  const [password, setPassword] = useState('');
  const [isShown, setShown] = useState(false);
  // What was typed and ticked before React was here, or is brought back by the browser.
  useEffect(() => {
    setPassword(form.current?.querySelector<HTMLInputElement>('#new_password')?.value ?? '');
    setShown(form.current?.querySelector<HTMLInputElement>('#show-passwords')?.checked ?? false);
  }, []);
  const problem = problemOf(state);
  if (state.type === 'successful')
    return (
      <Outcome role="status">
        <h1>You have a new password</h1>
        <p>
          All your devices were signed out.{' '}
          <a href={links.app} {...NEW_TAB}>
            Sign in
          </a>{' '}
          with your new password.
        </p>
      </Outcome>
    );
  return (
    <>
      <h1>Reset your password</h1>
      <form
        ref={form}
        method="post"
        noValidate
        className="contact-form"
        onSubmit={(event) => {
          event.preventDefault();
          const field = (id: string) => event.currentTarget.querySelector<HTMLInputElement>(`#${id}`);
          const first = field('new_password');
          onSend?.(first?.value ?? '', field('again')?.value ?? '');
          first?.focus();
        }}
      >
        {/* The page does not know whose password it is; what keeps passwords looks for the place. It is not sent. */}
        <input type="text" autoComplete="username" readOnly hidden />
        <Field
          name="new_password"
          label="New password"
          isWrong={problem !== ''}
          isShown={isShown}
          onType={setPassword}
        />
        <StrengthLine password={password} />
        <Field name="again" label="New password again" isWrong={problem !== ''} isShown={isShown} />
        {/* Only scripts can do that: without them it is not seen. */}
        <p className="small reveal">
          <label>
            <input
              id="show-passwords"
              type="checkbox"
              onChange={({ currentTarget }) => setShown(currentTarget.checked)}
            />{' '}
            Show both passwords
          </label>
        </p>
        <p className="small" id="password-rule">
          {passwordLength.least} to {passwordLength.most} characters. A few unrelated words work well.
        </p>
        <div>
          <button className="button button-primary" type="submit" aria-disabled={state.type === 'loading'}>
            {state.type === 'loading' ? (
              <span className="spinner" aria-label="Sending" />
            ) : (
              'Set new password'
            )}
          </button>
        </div>
        <p className="form-problem" id="reset-problem" role="alert">
          {problem}
        </p>
      </form>
      <p className="small">
        The link works once and expires. <a href="/forgot-password">Ask for a new one.</a>
      </p>
    </>
  );
}

async function send(token: string, password: string): Promise<ResetState> {
  try {
    const response = await fetch('/api/sessions/reset_password', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ token, new_password: password }),
    });
    const answer: unknown = await response.json();
    const fields = typeof answer === 'object' && answer !== null ? (answer as Record<string, unknown>) : {};
    if (response.ok && fields['success'] === true) return { type: 'successful' };
    const isAboutPassword = fields['field'] === 'new_password' && typeof fields['message'] === 'string';
    return { type: 'server-failure', ...(isAboutPassword ? { reason: String(fields['message']) } : {}) };
  } catch {
    // No network, or no JSON.
    return { type: 'server-failure' };
  }
}

export function ResetPassword({ token }: { readonly token: string | null }) {
  const [state, setState] = useState<ResetState>({ type: 'awaiting-input' });
  const isSending = useRef(false);
  const onSend = async (password: string, again: string): Promise<void> => {
    if (isSending.current) return;
    if (password.trim() === '' || again.trim() === '') return setState({ type: 'passwords-missing' });
    if (password !== again) return setState({ type: 'passwords-mismatch' });
    if (token === null || token === '') return setState({ type: 'server-failure' });
    const reason = lengthProblem(password);
    if (reason !== null) return setState({ type: 'server-failure', reason });
    isSending.current = true;
    setState({ type: 'loading' });
    const next = await send(token, password);
    isSending.current = false;
    return setState(next);
  };
  return <ResetPasswordView state={state} onSend={(password, again) => void onSend(password, again)} />;
}
