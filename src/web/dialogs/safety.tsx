// The account's own safety: what opens it, one step at a time. What an answer does is client/safety.
import { encode } from 'uqr';
import { type ReactNode, useLayoutEffect, useRef } from 'react';
import type { SafetyStepView, SafetyView } from '#client/safety/safety-view.ts';
import { useApp } from '../parts/app-context.ts';
import { Button } from './button.tsx';
import styles from './dialog.module.css';
import { passwordHint } from './password-hint.ts';
import { Promo } from './promo.tsx';
import { Field, Step } from './safety-step.tsx';
import own from './safety.module.css';
import { Tokens } from './tokens.tsx';

/** The picture that an authenticator app reads: always dark on light, whatever the theme. */
function KeyPicture({ uri }: { readonly uri: string }) {
  const { data, size } = encode(uri, { border: 2 });
  const squares = data.flatMap((row, y) =>
    row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])),
  );
  return (
    <svg
      className={own.picture}
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label="Code for your authenticator app"
    >
      <path d={squares.join('')} />
    </svg>
  );
}

function Confirm({
  step,
  safety,
}: {
  readonly step: SafetyStepView & { type: 'confirm' };
  readonly safety: SafetyView;
}) {
  const app = useApp();
  const canUsePasskey = safety.hasPasskeys && (safety.state?.passkeys.length ?? 0) > 0;
  return (
    <Step
      title="Confirm that it is you"
      lead="This holds for ten minutes."
      action="confirm"
      label="Confirm"
      busy={safety.busy}
      error={step.error}
    >
      <Field name="password" label="Password" type="password" autoComplete="current-password" />
      {step.wantsCode && (
        <Field
          name="code"
          label="One-time code"
          autoComplete="one-time-code"
          hint="From your authenticator app, or a recovery code."
        />
      )}
      {canUsePasskey && (
        <Button onClick={() => app.submitDialog({ action: 'confirmPasskey' })}>Use a passkey instead</Button>
      )}
    </Step>
  );
}

function Recovery({ codes }: { readonly codes: readonly string[] }) {
  const app = useApp();
  return (
    <div className={styles.form}>
      <div>
        <h2 className={styles.title}>Recovery codes</h2>
        <p className={styles.rule}>
          Each opens your account once when you cannot use your authenticator app. They are shown only now:
          keep them where you keep important papers.
        </p>
      </div>
      <ul className={own.codes} aria-label="Recovery codes">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className={styles.actions}>
        <Button kind="primary" isFirst onClick={() => void app.platform.copyText(codes.join('\n'))}>
          Copy
        </Button>
        <Button
          onClick={() =>
            app.platform.saveFile('posthaste-recovery-codes.txt', 'text/plain', `${codes.join('\n')}\n`)
          }
        >
          Save as a file
        </Button>
        <Button onClick={() => app.submitDialog({ action: 'back' })}>I have kept them</Button>
      </div>
    </div>
  );
}

function StepOf({ step, safety }: { readonly step: SafetyStepView; readonly safety: SafetyView }) {
  const { busy } = safety;
  switch (step.type) {
    case 'confirm':
      return <Confirm step={step} safety={safety} />;
    case 'recovery':
      return <Recovery codes={step.codes} />;
    case 'tokens':
    case 'newToken':
    case 'token':
      return <Tokens step={step} busy={busy} />;
    case 'promo':
      return <Promo step={step} busy={busy} />;
    case 'password':
      return (
        <Step
          title="Change password"
          lead="All other sessions end. API tokens stay until you revoke them."
          action="setPassword"
          label="Change password"
          busy={busy}
          error={step.error}
        >
          <Field
            name="password"
            label="New password"
            type="password"
            autoComplete="new-password"
            hint={passwordHint}
          />
        </Step>
      );
    case 'email':
      return (
        <Step
          title="Change email address"
          lead="A code is sent to the new address. Until you type it in, nothing changes."
          action="setEmail"
          label="Send the code"
          busy={busy}
          error={step.error}
        >
          <Field name="email" label="New email address" type="email" autoComplete="email" />
        </Step>
      );
    case 'emailCode':
      return (
        <Step
          title="Type in the code"
          lead={`It was sent to ${step.email} and holds for 30 minutes.`}
          action="proveEmail"
          label="Confirm"
          busy={busy}
          error={step.error}
        >
          <Field name="code" label="Code" autoComplete="one-time-code" isNumeric />
        </Step>
      );
    case 'codes':
      return (
        <Step
          title="Turn on one-time codes"
          lead="Read this picture with your authenticator app, or type its key in. Then type the code that the app shows."
          action="confirmCodes"
          label="Turn on"
          busy={busy}
          error={step.error}
        >
          <KeyPicture uri={step.uri} />
          <p className={own.key}>
            <span className="visually-hidden">Key: </span>
            {step.secret.match(/.{1,4}/g)?.join(' ')}
          </p>
          <Field name="code" label="Code" autoComplete="one-time-code" isNumeric />
        </Step>
      );
    case 'passkey':
      return (
        <Step
          title="Add a passkey"
          lead="Your device asks for its own lock: a fingerprint, a face or its code. Other sessions end."
          action="addPasskey"
          label="Add passkey"
          busy={busy}
          error={step.error}
        >
          <Field
            name="name"
            label="Name"
            autoComplete="off"
            hint="So that you know it again, like “Work laptop”."
          />
        </Step>
      );
    case 'erase':
      return (
        <Step
          title="Erase account"
          lead="In seven days everything on the server is erased: tasks, lists, history, settings and tokens. Until then, signing in keeps the account. What is on this device stays on this device."
          action="eraseNow"
          label="Erase account"
          busy={busy}
          error={step.error}
          isDangerous
        >
          <Field name="word" label="Type “erase” to go on" autoComplete="off" />
        </Step>
      );
  }
}

interface LineProps {
  readonly title: string;
  readonly detail: string;
  readonly children: ReactNode;
}

function Line({ title, detail, children }: LineProps) {
  return (
    <li className={styles.item}>
      <div className={styles.itemText}>
        {title}
        <p className={styles.detail}>{detail}</p>
      </div>
      {children}
    </li>
  );
}

function Overview({ safety }: { readonly safety: SafetyView }) {
  const app = useApp();
  const { state, hasPasskeys } = safety;
  if (!state) return <p className={styles.rule}>{safety.problem ?? 'Asking the server…'}</p>;
  const said = new Intl.DateTimeFormat(app.platform.locale(), { dateStyle: 'medium' });
  const press = (values: Readonly<Record<string, string>>) => () => app.submitDialog(values);
  const button = (label: string, values: Readonly<Record<string, string>>, isFirst = false) => (
    <Button key={label} isFirst={isFirst} onClick={press(values)}>
      {label}
    </Button>
  );
  return (
    <ul className={styles.list}>
      <Line title={state.email} detail={state.isVerified ? 'Verified' : 'Not verified yet'}>
        {!state.isVerified && button('Verify', { action: 'verifyEmail' })}
        {button('Change address', { action: 'email' }, true)}
      </Line>
      <Line title="Password" detail="Changing it ends all other sessions.">
        {button('Change password', { action: 'password' })}
      </Line>
      <Line
        title="One-time codes"
        detail={
          state.codes
            ? `On. ${state.recoveryCodes} recovery codes are left.`
            : 'Off. Signing in asks for the password alone.'
        }
      >
        {state.codes
          ? [button('New recovery codes', { action: 'recovery' }), button('Turn off', { action: 'codesOff' })]
          : button('Turn on', { action: 'codes' })}
      </Line>
      <Line
        title="Passkeys"
        detail={
          hasPasskeys
            ? 'Sign in with the lock of your device.'
            : 'This browser has none, or the page is not on HTTPS.'
        }
      >
        {hasPasskeys && button('Add a passkey', { action: 'passkey' })}
      </Line>
      {state.passkeys.map(({ id, name, createdAt, lastUsedAt }) => (
        <Line
          key={id}
          title={name}
          detail={
            lastUsedAt === null
              ? `Passkey, added ${said.format(createdAt)}`
              : `Passkey, last used ${said.format(lastUsedAt)}`
          }
        >
          <Button aria-label={`Remove passkey ${name}`} onClick={press({ action: 'removePasskey', id })}>
            Remove
          </Button>
        </Line>
      ))}
      <Line title="API access tokens" detail="What programs sign in with.">
        {button('Show tokens', { action: 'tokens' })}
      </Line>
      <Line title="Promo code" detail="A discount for when you subscribe. Nothing is charged.">
        {button('Enter promo code', { action: 'promo' })}
      </Line>
      <Line title="Sessions and devices" detail="Where this account is signed in.">
        <Button onClick={() => app.run('account.sessions')}>Show</Button>
      </Line>
      <Line title="Sign out" detail="Your tasks stay in the account.">
        <Button onClick={() => app.run('account.signOut')}>Sign out</Button>
      </Line>
      <Line title="Erase account" detail="After seven days nothing of it is left on the server.">
        <Button kind="danger" onClick={press({ action: 'erase' })}>
          Erase account
        </Button>
      </Line>
    </ul>
  );
}

export function Safety({ safety }: { readonly safety: SafetyView }) {
  const app = useApp();
  const { step, said } = safety;
  const wasStep = useRef(step !== null);
  const root = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    // Back from a step: where one began.
    if (wasStep.current && step === null) root.current?.querySelector<HTMLElement>('[data-first]')?.focus();
    wasStep.current = step !== null;
  }, [step]);
  if (step) return <StepOf step={step} safety={safety} />;
  return (
    <div ref={root} className={styles.form}>
      <div>
        <h2 className={styles.title}>Account</h2>
        <p className={styles.rule}>What opens it, and leaving.</p>
      </div>
      {said && (
        <p className={said.isError ? styles.error : own.said} role="status">
          {said.text}
        </p>
      )}
      <Overview safety={safety} />
      <div className={styles.actions}>
        <Button onClick={() => app.closeDialog()}>Close</Button>
      </div>
    </div>
  );
}
