// The account's own safety: what opens it, one step at a time. What an answer does is client/safety.
import { type ReactNode, useLayoutEffect, useRef } from 'react';
import type { SafetyState } from '#client/safety/port.ts';
import type { SafetyAction, SafetyStepView, SafetyView } from '#client/safety/safety-view.ts';
import { counted } from '#core/counted.ts';
import { useApp } from '../../parts/app-context.ts';
import { Button } from '../button.tsx';
import styles from '../dialog.module.css';
import { passwordHint } from './password-hint.ts';
import { Promo } from './promo.tsx';
import { CameraPicture } from './camera-picture.tsx';
import { Field, Step } from './safety-step.tsx';
import own from './safety.module.css';
import { Tokens } from '../tokens.tsx';

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
      title="Confirm it’s you"
      lead="Type your password, so that nobody else can do this on your screen. We won’t ask again for ten minutes."
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
        <Button onClick={() => app.answer('safety', { action: 'confirmPasskey' })}>
          Use a passkey instead
        </Button>
      )}
    </Step>
  );
}

function Recovery({ codes, isAsked }: SafetyStepView & { readonly type: 'recovery' }) {
  const app = useApp();
  return (
    <div className={styles.form}>
      <div>
        <h2 className={styles.title}>Recovery codes</h2>
        <p className={styles.rule}>
          Each one signs you in once if you can’t use your authenticator app. You only see them now. Keep them
          with your important papers.
        </p>
      </div>
      <ul className={own.codes} aria-label="Recovery codes">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      {isAsked && (
        <p className={styles.error} role="alert">
          You only see these codes now. Save them, then press “I saved them.”
        </p>
      )}
      <div className={styles.actions}>
        <Button kind="primary" isFirst onClick={() => void app.platform.copyText(codes.join('\n'))}>
          Copy
        </Button>
        <Button
          onClick={() =>
            app.platform.saveFile('posthaste-recovery-codes.txt', 'text/plain', `${codes.join('\n')}\n`)
          }
        >
          Download
        </Button>
        <Button onClick={() => app.answer('safety', { action: 'back' })}>I saved them</Button>
      </div>
    </div>
  );
}

function verifiedWords({ isVerified, sendsMail }: SafetyState): string {
  if (isVerified) return 'Verified';
  return sendsMail === false ? 'Not verified yet. This server doesn’t send email.' : 'Not verified yet';
}

const MAIL_OFF = 'This server doesn’t send email. Ask the person who runs it.';
const isMailOff = ({ state }: SafetyView) => state?.sendsMail === false;

/** What the code does besides: said before it is typed in. */
function wordOnProof({ state }: SafetyView): string {
  if (!state || state.isVerified) return '';
  const hasMore = state.codes || state.passkeys.length > 0 || state.tokens > 0;
  return hasMore
    ? ' It removes passkeys, one-time codes and API tokens set up before, and ends other sessions, because nobody had verified this address.'
    : ' It ends other sessions.';
}

function leadOfChange(safety: SafetyView): string {
  const how = isMailOff(safety)
    ? `${MAIL_OFF} The code for the new address is there.`
    : 'We’ll send a code to the new address.';
  const undo = ' You can undo it from the old address for seven days.';
  return `${how} Nothing changes until you enter it.${safety.state?.isVerified ? undo : ''}`;
}

function leadOfCode(safety: SafetyView, email: string): string {
  const where = isMailOff(safety)
    ? `${MAIL_OFF} The email to ${email} is in the server’s outbox. Its code works for 30 minutes.`
    : `We sent it to ${email}. It works for 30 minutes.`;
  return where + wordOnProof(safety);
}

function StepOf({ step, safety }: { readonly step: SafetyStepView; readonly safety: SafetyView }) {
  const app = useApp();
  const { busy } = safety;
  switch (step.type) {
    case 'confirm':
      return <Confirm step={step} safety={safety} />;
    case 'recovery':
      return <Recovery {...step} />;
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
          lead="All other sessions end. Passkeys stay until you remove them."
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
          {(safety.state?.tokens ?? 0) > 0 && (
            <label>
              <input type="checkbox" name="endTokens" value="yes" /> Revoke{' '}
              {counted(safety.state?.tokens ?? 0, 'API token')}. Otherwise programs stay signed in.
            </label>
          )}
        </Step>
      );
    case 'email':
      return (
        <Step
          title="Change email address"
          lead={leadOfChange(safety)}
          action="setEmail"
          label={isMailOff(safety) ? 'Create the code' : 'Send the code'}
          busy={busy}
          error={step.error}
        >
          <Field name="email" label="New email address" type="email" autoComplete="email" />
        </Step>
      );
    case 'emailCode':
      return (
        <Step
          title="Enter the code"
          lead={leadOfCode(safety, step.email)}
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
          lead="Scan this code with your authenticator app, or type its key. Then enter the code the app shows."
          action="confirmCodes"
          label="Turn on"
          busy={busy}
          error={step.error}
        >
          <CameraPicture text={step.uri} label="Code for your authenticator app" />
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
          lead="Your device asks for your fingerprint, face or device code. You stay signed in everywhere."
          action="addPasskey"
          label="Add passkey"
          busy={busy}
          error={step.error}
        >
          <Field
            name="name"
            label="Name"
            autoComplete="off"
            hint="A name you’ll recognize, like “Work laptop.”"
          />
        </Step>
      );
    case 'erase':
      return (
        <Step
          title="Erase account"
          lead="In seven days, we erase everything on the server: tasks, lists, history, settings and tokens. Sign in before then to keep your account. What’s on this device stays, except attached files it hasn’t downloaded. Save those first."
          action="eraseNow"
          label="Erase account"
          busy={busy}
          error={step.error}
          isDangerous
        >
          <Field name="word" label="Type “erase” to continue" autoComplete="off" />
          <Button onClick={() => app.run('export.accountJson')}>Download everything</Button>
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
  const press = (action: SafetyAction) => () => app.answer('safety', action);
  const button = (label: string, action: SafetyAction, isFirst = false) => (
    <Button key={label} isFirst={isFirst} onClick={press(action)}>
      {label}
    </Button>
  );
  return (
    <ul className={styles.list}>
      <Line title={state.email} detail={verifiedWords(state)}>
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
            ? `On. ${state.recoveryCodes} recovery codes left.`
            : 'Off. You sign in with your password only.'
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
            ? 'Sign in with your device’s lock.'
            : 'This browser doesn’t have any, or the page isn’t on HTTPS.'
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
      <Line title="API access tokens" detail="For programs that sign in as you.">
        {button('Show tokens', { action: 'tokens' })}
      </Line>
      <Line title="Promo code" detail="A discount for when you subscribe. Nothing is charged.">
        {button('Enter promo code', { action: 'promo' })}
      </Line>
      <Line title="Sessions and devices" detail="Where you’re signed in.">
        <Button onClick={() => app.run('account.sessions')}>Show</Button>
      </Line>
      <Line title="Sign out" detail="Your tasks stay in your account.">
        <Button onClick={() => app.run('account.signOut')}>Sign out</Button>
      </Line>
      <Line title="Erase account" detail="We erase everything on the server after seven days.">
        <Button kind="danger" onClick={press({ action: 'erase' })}>
          Erase account
        </Button>
      </Line>
    </ul>
  );
}

/** The account dialog: its overview, or the step that is under way. */
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
        <p className={styles.rule}>Sign-in, security, and leaving.</p>
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
