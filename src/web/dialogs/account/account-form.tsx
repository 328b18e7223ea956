// Signing up and in. What this device holds is kept and joins the account either way.
import { useId, useLayoutEffect, useRef } from 'react';
import type { DialogView } from '#client/dialogs/dialog-view.ts';
import { useApp } from '../../parts/app-context.ts';
import { Button } from '../button.tsx';
import styles from '../dialog.module.css';
import { passwordHint } from './password-hint.ts';

type AccountDialog = Extract<DialogView, { readonly type: 'signIn' | 'signUp' }>;

const WORDS = {
  signUp: {
    title: 'Create an account',
    lead: 'Your tasks stay on this device and show up on your others.',
    action: 'Create account',
    other: 'Sign in instead',
    command: 'account.signIn',
    autoComplete: 'new-password',
  },
  signIn: {
    title: 'Sign in',
    lead: 'Adds the tasks on this device to your account. Nothing is replaced.',
    action: 'Sign in',
    other: 'Create an account instead',
    command: 'account.signUp',
    autoComplete: 'current-password',
  },
} as const;

function valuesOf(form: HTMLFormElement): Record<string, string> {
  const values: Record<string, string> = {};
  for (const [name, value] of new FormData(form)) if (typeof value === 'string') values[name] = value;
  return values;
}

function Head({ dialog }: { readonly dialog: AccountDialog }) {
  const { title, lead } = WORDS[dialog.type];
  return (
    <div>
      <h2 className={styles.title}>{title}</h2>
      <p className={styles.rule}>{lead}</p>
      {dialog.offer !== undefined && (
        <p className={styles.rule} role="status">
          {dialog.offer}
        </p>
      )}
    </div>
  );
}

/** The form of the `signIn` and `signUp` dialogs. While one is being sent, nothing more is sent. */
export function AccountForm({ dialog }: { readonly dialog: AccountDialog }) {
  const app = useApp();
  const id = useId();
  const form = useRef<HTMLFormElement>(null);
  const words = WORDS[dialog.type];
  const wrong = dialog.error === null ? undefined : dialog.field;
  const errorId = dialog.error === null ? undefined : `${id}-error`;
  const ruleId = dialog.type === 'signUp' ? `${id}-rule` : undefined;
  useLayoutEffect(() => {
    // Where the error is; the answer to a form that was sent is mostly about the password.
    if (dialog.error === null) return;
    const field = form.current?.elements.namedItem(dialog.field ?? 'password');
    if (!(field instanceof HTMLInputElement)) return;
    field.focus();
    field.select();
  }, [dialog]);
  return (
    <form
      ref={form}
      className={styles.form}
      aria-busy={dialog.busy}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (dialog.busy) return;
        app.answer(dialog.type, { action: 'send', values: valuesOf(event.currentTarget) });
      }}
    >
      <Head dialog={dialog} />
      <div className={styles.field}>
        <label className={styles.label} htmlFor={`${id}-email`}>
          Email
        </label>
        <input
          id={`${id}-email`}
          className={styles.input}
          name="email"
          type="email"
          autoComplete="username"
          required
          aria-invalid={wrong === 'email'}
          aria-describedby={wrong === 'email' ? errorId : undefined}
          data-first=""
        />
      </div>
      <div className={styles.field}>
        <label className={styles.label} htmlFor={`${id}-password`}>
          Password
        </label>
        <input
          id={`${id}-password`}
          className={styles.input}
          name="password"
          type="password"
          autoComplete={words.autoComplete}
          required
          aria-invalid={wrong === 'password'}
          aria-describedby={[wrong === 'password' && errorId, ruleId].filter(Boolean).join(' ') || undefined}
        />
        {dialog.type === 'signUp' && (
          <p id={ruleId} className={styles.rule}>
            {passwordHint}
          </p>
        )}
      </div>
      {dialog.wantsCode === true && (
        <div className={styles.field}>
          <label className={styles.label} htmlFor={`${id}-code`}>
            One-time code
          </label>
          <input
            id={`${id}-code`}
            className={styles.input}
            name="code"
            autoComplete="one-time-code"
            autoCapitalize="off"
            spellCheck={false}
            aria-invalid={wrong === 'code'}
            aria-describedby={errorId}
          />
        </div>
      )}
      {dialog.error !== null && (
        <p id={errorId} className={styles.error} role="alert">
          {dialog.error}
        </p>
      )}
      <div className={styles.actions}>
        <Button type="submit" kind="primary" aria-disabled={dialog.busy}>
          {dialog.busy ? 'One moment' : words.action}
        </Button>
        <Button onClick={() => app.closeDialog()}>Cancel</Button>
        {dialog.type === 'signIn' && 'PublicKeyCredential' in globalThis && (
          <Button
            onClick={() => {
              if (!dialog.busy) app.answer(dialog.type, { action: 'passkey' });
            }}
          >
            Use a passkey
          </Button>
        )}
      </div>
      <div className={styles.ways}>
        {dialog.type === 'signIn' && (
          <a className={styles.way} href="/forgot-password" target="_blank" rel="noopener">
            Forgot your password?
          </a>
        )}
        <button type="button" className={styles.way} onClick={() => app.run(words.command)}>
          {words.other}
        </button>
      </div>
    </form>
  );
}
