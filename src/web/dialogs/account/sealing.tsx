// Encryption: what it does, the code that is kept, and how far it is. What an answer does is client/sealing.
import { type ReactNode, useLayoutEffect, useRef } from 'react';
import type { CodePurpose, SealingView } from '#client/sealing/view.ts';
import { useApp } from '../../parts/app-context.ts';
import { Button } from '../button.tsx';
import styles from '../dialog.module.css';
import { Field } from './safety-step.tsx';
import { First, Frame, type FrameProps, listed, type Of } from './sealing-frame.tsx';
import { Forget, OUTDATED, Overview, Rotate } from './sealing-keys.tsx';
import { AskOther, Choose, Compare, Scan, Wait } from './sealing-pairing.tsx';
import own from './sealing.module.css';

const CODE =
  'Type the recovery code that you kept when you turned on encryption, seven groups of four characters, or your passphrase if you set one.';

const STEPS = ['Check', 'Keep your code', 'Type part of it', 'Encrypt'] as const;

function Steps({ at }: { readonly at: number }) {
  return (
    <ol className={own.steps}>
      {STEPS.map((name, index) => (
        <li key={name} data-at={index === at} aria-current={index === at ? 'step' : undefined}>
          {index < at ? '✓' : index + 1} {name}
        </li>
      ))}
    </ol>
  );
}

function Facts({ shared }: { readonly shared: readonly string[] }) {
  return (
    <ul className={own.facts}>
      <li>
        <b>Encrypted:</b> titles, notes, dates, labels, list names, comments, settings, and files with their
        names.
      </li>
      <li>
        <b>Still readable by the server:</b> how many tasks and lists there are, how they are nested and in
        which order, which label is on which task, which details a task has, what is done and when, bookmarks,
        and sizes.
      </li>
      <li>
        <b>Only if you turn it on:</b> reminders while the app is closed. The server then learns when they
        ring.
      </li>
      <li>
        <b>Not possible then:</b> email with files to lists, and metadata from programs that use the API. A
        list that you share later is decrypted, unless you keep it encrypted. So is a task that you move to a
        shared list that isn’t encrypted.
      </li>
      {shared.length > 0 && (
        <li>
          <b>Stays as it is, because others see it:</b> {listed(shared)}.
        </li>
      )}
    </ul>
  );
}

function Check({ step }: { readonly step: Of<'check'> }) {
  const app = useApp();
  return (
    <>
      <Steps at={0} />
      <Frame
        title="Encrypt everything"
        lead="Only your devices can read your tasks then. The server keeps them without being able to."
      >
        <Facts shared={step.shared} />
        {step.key === 'again' && (
          <p className={styles.rule}>
            You had encryption on before, and its key is used again. If you’ve lost a device since, make a new
            key afterwards: run “Make a new key”.
          </p>
        )}
        {step.key === 'other' && (
          <p className={styles.rule}>
            You had encryption on before, and this device doesn’t have its key, so a new one is made. Your
            other devices need the new code then.
          </p>
        )}
        {step.key === 'other' && step.kept.length > 0 && (
          <p className={styles.error}>
            With a new key {listed(step.kept)} will be locked on all your devices, until somebody in there
            compares the words with you and lets you in.
          </p>
        )}
        <p className={styles.rule}>
          The history of changes from before is erased when everything is encrypted. Your tasks stay as they
          are. Backups of the server from before stay readable until they expire.
        </p>
      </Frame>
      <div className={styles.actions}>
        <First kind="primary" onClick={() => app.answer('sealing', { action: 'next' })}>
          Show my recovery code
        </First>
        <Button onClick={() => app.answer('sealing', { action: 'export' })}>Export everything</Button>
        <Button onClick={() => app.closeDialog()}>Cancel</Button>
      </div>
    </>
  );
}

function Code({ step }: { readonly step: Of<'code'> }) {
  const app = useApp();
  return (
    <>
      {step.purpose === 'turnOn' && <Steps at={1} />}
      <Frame
        title="Keep this code"
        lead="It opens your tasks on a new device. Nobody else has it, and nobody can make it again. If you lose it and all your devices, your tasks are gone."
      >
        <ol className={own.code} aria-label="Recovery code">
          {step.groups.map((group, index) => (
            <li key={index}>
              <span className={own.number}>{index + 1}</span>
              {group}
            </li>
          ))}
        </ol>
        <div className={own.ways}>
          <Button onClick={() => app.answer('sealing', { action: 'save' })}>Save as a file</Button>
          <Button onClick={() => app.answer('sealing', { action: 'copy' })}>Copy</Button>
        </div>
        <p className={styles.rule} role="status">
          {step.said ?? 'Next, type two of the groups.'}
        </p>
      </Frame>
      <div className={styles.actions}>
        <First kind="primary" onClick={() => app.answer('sealing', { action: 'next' })}>
          I have it
        </First>
        <Button onClick={() => app.closeDialog()}>Cancel</Button>
      </div>
    </>
  );
}

interface FormProps extends FrameProps {
  readonly label: string;
  readonly error: string | null;
  readonly busy: boolean;
  readonly goesBack?: boolean;
  readonly other?: ReactNode;
}

function Form({ title, lead, label, error, busy, goesBack = false, other, children }: FormProps) {
  const app = useApp();
  const form = useRef<HTMLFormElement>(null);
  useLayoutEffect(() => {
    const field = form.current?.querySelector('input');
    field?.focus();
    field?.select();
  }, [error]);
  return (
    <form
      ref={form}
      className={styles.form}
      aria-busy={busy}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        const values: Record<string, string> = {};
        for (const [name, value] of new FormData(event.currentTarget))
          if (typeof value === 'string') values[name] = value;
        app.answer('sealing', { action: 'send', values });
      }}
    >
      <Frame title={title} lead={lead}>
        {children}
      </Frame>
      {error !== null && (
        <p className={styles.error} role="alert">
          {error}
        </p>
      )}
      <div className={styles.actions}>
        <Button type="submit" kind="primary" aria-disabled={busy}>
          {busy ? 'One moment' : label}
        </Button>
        {other}
        {goesBack && <Button onClick={() => app.answer('sealing', { action: 'back' })}>Back</Button>}
        <Button onClick={() => app.closeDialog()}>Cancel</Button>
      </div>
    </form>
  );
}

const TYPED: Readonly<Record<CodePurpose, string>> = {
  turnOn: 'Encrypt everything',
  newCode: 'Use this code from now on',
  rotate: 'Make the new key',
};

function Type({ step, busy }: { readonly step: Of<'type'>; readonly busy: boolean }) {
  const [first, second] = step.asked;
  return (
    <>
      {step.purpose === 'turnOn' && <Steps at={2} />}
      <Form
        title="Type part of the code"
        lead="From what you wrote down or saved. Capitals don’t matter."
        label={TYPED[step.purpose]}
        error={step.error}
        busy={busy}
        goesBack
      >
        <Field name="group0" label={`Group ${first + 1}`} autoComplete="off" />
        <Field name="group1" label={`Group ${second + 1}`} autoComplete="off" />
      </Form>
    </>
  );
}

function Moving({ step }: { readonly step: Of<'moving'> }) {
  const app = useApp();
  const share = step.share === null ? null : Math.floor(step.share * 100);
  return (
    <>
      {step.isOn && !step.isAnew && <Steps at={3} />}
      <Frame
        title={
          step.isAnew
            ? 'Encrypting everything with the new key'
            : step.isOn
              ? 'Encrypting everything'
              : 'Turning off encryption'
        }
        lead="You can close this and go on working. It continues on every device that is unlocked, also after a restart."
      >
        <progress className={own.progress} max={100} value={share ?? undefined} aria-label="Progress" />
        <p className={styles.rule} role="status">
          {share === null ? 'Asking the server…' : `${share} %`}
        </p>
      </Frame>
      <div className={styles.actions}>
        <First onClick={() => app.closeDialog()}>Close</First>
      </div>
    </>
  );
}

function Confirm({ step, busy }: { readonly step: Of<'confirm'>; readonly busy: boolean }) {
  return (
    <Form
      title="Confirm it’s you"
      lead="Type your password, so that nobody else can do this on your screen. We won’t ask again for ten minutes."
      label="Confirm"
      error={step.error}
      busy={busy}
    >
      <Field name="password" label="Password" type="password" autoComplete="current-password" />
      {step.wantsCode && (
        <Field
          name="code"
          label="One-time code"
          autoComplete="one-time-code"
          hint="From your authenticator app, or a recovery code of your sign-in."
        />
      )}
    </Form>
  );
}

function unlockLead({ isOutdated, isOff, isToTurnOn }: Of<'unlock'>): string {
  if (isOutdated) return OUTDATED;
  if (isToTurnOn)
    return `You had encryption on before, and encrypted lists need the key of that time. ${CODE} Everything is encrypted with the same key then.`;
  return isOff
    ? `Your own tasks aren’t encrypted. The key you had opens lists that stay encrypted. ${CODE}`
    : CODE;
}

/** What becomes of encrypted lists where the person’s own tasks are decrypted. */
function StaysEncrypted({ kept }: { readonly kept: readonly string[] }) {
  return (
    <ul className={own.facts}>
      <li>
        <b>Stays encrypted:</b> {listed(kept)}. What you write there, too.
      </li>
      <li>
        <b>Keep your recovery code.</b> It still unlocks these lists on a new device, as does the key from
        this one.
      </li>
    </ul>
  );
}

function Unlock({ step, busy }: { readonly step: Of<'unlock'>; readonly busy: boolean }) {
  const app = useApp();
  return (
    <Form
      title="Unlock this device"
      lead={unlockLead(step)}
      label="Unlock"
      error={step.error}
      busy={busy}
      other={
        <>
          {step.hasPasskey && (
            <Button onClick={() => app.answer('sealing', { action: 'usePasskey' })}>Use a passkey</Button>
          )}
          {step.isToTurnOn && (
            <Button onClick={() => app.answer('sealing', { action: 'newKey' })}>I don’t have it</Button>
          )}
        </>
      }
    >
      <Field name="code" label="Recovery code or passphrase" autoComplete="off" />
    </Form>
  );
}

function StepOf({ step, busy }: SealingView) {
  const app = useApp();
  switch (step.type) {
    case 'asking':
      return <Frame title="Encryption" lead="Asking the server…" />;
    case 'problem':
      return (
        <>
          <Frame title="Encryption" lead={step.text} />
          <div className={styles.actions}>
            <First onClick={() => app.closeDialog()}>Close</First>
          </div>
        </>
      );
    case 'check':
      return <Check step={step} />;
    case 'code':
      return <Code step={step} />;
    case 'type':
      return <Type step={step} busy={busy} />;
    case 'confirm':
      return <Confirm step={step} busy={busy} />;
    case 'unlock':
      return <Unlock step={step} busy={busy} />;
    case 'passphrase':
      return (
        <Form
          title={step.has ? 'Change the passphrase' : 'Set a passphrase'}
          lead="It opens a new device as the recovery code does. Keep the code as well: nobody can tell you either of them. It isn’t your password, and the server never gets it."
          label={busy ? 'One moment' : 'Set passphrase'}
          error={step.error}
          busy={busy}
          other={
            step.has && (
              <Button kind="danger" onClick={() => app.answer('sealing', { action: 'removePassphrase' })}>
                Remove the passphrase
              </Button>
            )
          }
        >
          <Field name="passphrase" label="Passphrase" type="password" autoComplete="off" />
          <Field name="again" label="The same again" type="password" autoComplete="off" />
        </Form>
      );
    case 'off':
      return (
        <>
          <Frame
            title="Turn off encryption?"
            lead="Your tasks are sent to the server so that it can read them. The key stays on this device."
          >
            {step.kept.length > 0 && <StaysEncrypted kept={step.kept} />}
          </Frame>
          <div className={styles.actions}>
            <First onClick={() => app.closeDialog()}>Keep encryption</First>
            <Button
              kind="danger"
              aria-disabled={busy}
              onClick={() => app.answer('sealing', { action: 'next' })}
            >
              {busy ? 'One moment' : 'Turn off'}
            </Button>
          </div>
        </>
      );
    case 'rotate':
      return <Rotate step={step} />;
    case 'forget':
      return <Forget step={step} busy={busy} />;
    case 'forgetting':
      return (
        <Wait
          title="Locking your tasks"
          lead="This device forgets the key as soon as everything here is locked."
          cancels={false}
        />
      );
    case 'askOther':
      return <AskOther step={step} />;
    case 'scan':
      return <Scan step={step} />;
    case 'waitForTaking':
      return (
        <Wait
          title="Confirm on the other device, too"
          lead="The key is on its way. The other device takes it once you’ve confirmed the words there."
          cancels={false}
        />
      );
    case 'waitForWords':
      return (
        <Wait title="One moment" lead={`Waiting for ${step.device ?? 'the other device'}.`} cancels={false} />
      );
    case 'choose':
      return <Choose step={step} />;
    case 'compare':
      return <Compare step={step} busy={busy} />;
    case 'moving':
      return <Moving step={step} />;
    case 'overview':
      return <Overview step={step} />;
  }
}

/** The dialog of encryption, at one of its steps. */
export function Sealing({ sealing }: { readonly sealing: SealingView }) {
  return (
    <div className={styles.form} aria-busy={sealing.busy}>
      <StepOf step={sealing.step} busy={sealing.busy} />
    </div>
  );
}
