// `/reset-password`: a new password, twice. The form also works by being posted, without scripts.
import { useEffect, useRef, useState } from 'react';
import { passwordLength } from '#core/password.ts';
import { links, NEW_TAB } from '../content/facts.ts';
import { Outcome } from './outcome.tsx';
import { strengthOf } from './password-strength.ts';

export type ResetState = {
  readonly type:
    | 'awaiting-input'
    | 'passwords-missing'
    | 'passwords-mismatch'
    | 'loading'
    | 'server-failure'
    | 'successful';
  /** More than the fixed text says: why the server does not take this password. */
  readonly detail?: string;
};

const resetTexts = {
  missing: 'Please enter your new password',
  mismatch: 'Passwords do not match',
  failed: 'Something went wrong, try again!',
} as const;

const problemOf = ({ type }: ResetState): string => {
  if (type === 'passwords-missing') return resetTexts.missing;
  if (type === 'passwords-mismatch') return resetTexts.mismatch;
  return type === 'server-failure' ? resetTexts.failed : '';
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
        <h1>Your new password is set</h1>
        <p>
          All devices were signed out.{' '}
          <a href={links.app} {...NEW_TAB}>
            Sign in
          </a>{' '}
          with the new password.
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
          {passwordLength.least} to {passwordLength.most} characters; a few unrelated words are good.
        </p>
        <div>
          <button className="button button-primary" type="submit" aria-disabled={state.type === 'loading'}>
            {state.type === 'loading' ? (
              <span className="spinner" aria-label="Sending" />
            ) : (
              'Set the new password'
            )}
          </button>
        </div>
        <p className="form-problem" id="reset-problem" role="alert">
          {problem}
        </p>
        {state.detail === undefined ? null : <p className="small">{state.detail}</p>}
      </form>
      <p className="small">
        The link works once, for 30 minutes. <a href="/forgot-password">Ask for a new one.</a>
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
    return { type: 'server-failure', ...(isAboutPassword ? { detail: String(fields['message']) } : {}) };
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
    isSending.current = true;
    setState({ type: 'loading' });
    const next = await send(token, password);
    isSending.current = false;
    return setState(next);
  };
  return <ResetPasswordView state={state} onSend={(password, again) => void onSend(password, again)} />;
}
