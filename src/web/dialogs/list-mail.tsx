// The e-mail address of a list, to be copied or made anew. What an answer does is client/mail.
import { useLayoutEffect, useRef } from 'react';
import type { ListMailView } from '#client/mail/list-mail-view.ts';
import { mailLimits } from '#wire/mail-limits.ts';
import { useApp } from '../parts/app-context.ts';
import { Button } from './button.tsx';
import styles from './dialog.module.css';
import parts from './list-mail.module.css';
import own from './account/safety.module.css';

const MB = 1_000_000;
/** From this share on it is said that it is much. */
const MUCH = 0.8;

function useWords() {
  const app = useApp();
  const words = new Intl.NumberFormat(app.platform.locale(), { maximumFractionDigits: 1 });
  return (amount: number) => words.format(amount);
}

function Use({ use }: { readonly use: NonNullable<ListMailView['use']> }) {
  'use no memo';
  const say = useWords();
  const share = Math.max(use.messages / mailLimits.messages, use.bytes / mailLimits.bytes);
  const tone = share > 1 ? 'error' : share > MUCH ? 'wait' : undefined;
  return (
    <>
      <p className={styles.rule}>
        Please stay under {say(mailLimits.bytes / MB)} MB a month and {mailLimits.perDay} emails a day on
        average. One email can have {Math.round(mailLimits.messageBytes / 1_048_576)} MB with its files.
      </p>
      <p className={styles.detail} data-tone={tone}>
        All your lists in the last {mailLimits.days} days: {say(use.messages)} of {say(mailLimits.messages)}{' '}
        emails, {say(use.bytes / MB)} of {say(mailLimits.bytes / MB)} MB
        {share > 1
          ? '. That’s over the limit. At twice the limit, email arrives late.'
          : share > MUCH
            ? '. That’s close to the limit.'
            : ''}
      </p>
    </>
  );
}

function Question({ busy }: { readonly busy: boolean }) {
  'use no memo';
  const app = useApp();
  const first = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => first.current?.focus(), []);
  return (
    <div className={styles.form}>
      <div>
        <h2 className={styles.title}>Give this list a new address?</h2>
        <p className={styles.rule}>The old one stops working right away, for everyone who has it.</p>
      </div>
      <div className={styles.actions}>
        <Button ref={first} isFirst onClick={() => app.answer('listMail', { action: 'keep' })}>
          Keep the address
        </Button>
        <Button
          kind="primary"
          aria-disabled={busy}
          onClick={() => app.answer('listMail', { action: 'renew' })}
        >
          {busy ? 'One moment' : 'New address'}
        </Button>
      </div>
    </div>
  );
}

/** What leads on from a problem takes the focus when the problem comes. */
function WayOut({ mail: { endsInAccount, busy } }: { readonly mail: ListMailView }) {
  'use no memo';
  const app = useApp();
  const first = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => first.current?.focus(), []);
  const again = () => app.answer('listMail', { action: 'again' });
  if (!endsInAccount)
    return (
      <Button ref={first} kind="primary" aria-disabled={busy} onClick={again}>
        Try again
      </Button>
    );
  return (
    <>
      <Button
        ref={first}
        kind="primary"
        isFirst
        onClick={() => app.answer('listMail', { action: 'account' })}
      >
        Account
      </Button>
      <Button aria-disabled={busy} onClick={again}>
        Try again
      </Button>
    </>
  );
}

function Waiting({ mail }: { readonly mail: ListMailView }) {
  'use no memo';
  const app = useApp();
  const { list, problem, busy } = mail;
  return (
    <div className={styles.form} aria-busy={busy}>
      <h2 className={styles.title}>Mail to {list}</h2>
      <p className={problem === null ? styles.rule : styles.error} role="status">
        {problem ?? 'Asking the server for the address…'}
      </p>
      <div className={styles.actions}>
        {problem !== null && <WayOut mail={mail} />}
        <Button isFirst={problem === null} onClick={() => app.closeDialog()}>
          Close
        </Button>
      </div>
    </div>
  );
}

function Shown({ mail: { list, address, use, owner, said, busy } }: { readonly mail: ListMailView }) {
  'use no memo';
  const app = useApp();
  const first = useRef<HTMLButtonElement>(null);
  const at = address?.lastIndexOf('@') ?? 0;
  const [local, domain] = [address?.slice(0, at), address?.slice(at)];
  // Also when the address comes after the dialog.
  useLayoutEffect(() => first.current?.focus(), []);
  return (
    <div className={styles.form} aria-busy={busy}>
      <div>
        <h2 className={styles.title}>Mail to {list}</h2>
        <p className={styles.rule}>
          Email sent here becomes a task in this list. Anyone with the address can add tasks, so keep it
          secret.
        </p>
      </div>
      <p className={own.token}>
        <span className={parts.part}>{local}</span>
        <span className={parts.part}>{domain}</span>
      </p>
      <p className={said?.isError ? styles.error : styles.rule} role="status">
        {said?.text ?? ''}
      </p>
      {use && <Use use={use} />}
      {owner !== null && <p className={styles.rule}>Mail to this list counts for {owner}, who owns it.</p>}
      <div className={styles.actions}>
        <Button ref={first} kind="primary" isFirst onClick={() => app.answer('listMail', { action: 'copy' })}>
          Copy
        </Button>
        <Button onClick={() => app.answer('listMail', { action: 'new' })}>New address</Button>
        <Button onClick={() => app.closeDialog()}>Close</Button>
      </div>
    </div>
  );
}

export function ListMail({ mail }: { readonly mail: ListMailView }) {
  if (mail.asksForNew) return <Question busy={mail.busy} />;
  return mail.address === null ? <Waiting mail={mail} /> : <Shown mail={mail} />;
}
