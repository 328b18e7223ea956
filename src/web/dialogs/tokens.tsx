// The tokens of the public API: the list with what each may do and when it was used, making one, and showing
// it only once. What an answer does is client/safety.
import { type RefObject, useLayoutEffect, useRef } from 'react';
import type { SafetyStepView } from '#client/safety/safety-view.ts';
import { useApp } from '../parts/app-context.ts';
import { Button } from './button.tsx';
import styles from './dialog.module.css';
import { Field, Step } from './account/safety-step.tsx';
import own from './account/safety.module.css';

type TokenStep = Extract<SafetyStepView, { readonly type: 'tokens' | 'newToken' | 'token' }>;
type Listed = Extract<TokenStep, { readonly type: 'tokens' }>;

/** The keyboard begins at the button that matters most. */
function useFirst(): RefObject<HTMLButtonElement | null> {
  const first = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => first.current?.focus(), []);
  return first;
}

function NewToken({ busy, error }: { readonly busy: boolean; readonly error: string | null }) {
  'use no memo';
  return (
    <Step
      title="New API access token"
      lead="A program with this token acts as you. Give each program its own."
      action="makeToken"
      label="Create token"
      busy={busy}
      error={error}
    >
      <Field
        name="name"
        label="Name"
        autoComplete="off"
        hint="A name you’ll recognize, like “Backup script.”"
      />
      <fieldset className={own.choice}>
        <legend className={styles.label}>It can</legend>
        <label>
          <input type="radio" name="access" value="write" defaultChecked /> Read and write
        </label>
        <label>
          <input type="radio" name="access" value="read" /> Read only
        </label>
      </fieldset>
    </Step>
  );
}

function MadeToken({ token, isCopied }: { readonly token: string; readonly isCopied: boolean }) {
  'use no memo';
  const app = useApp();
  const first = useFirst();
  return (
    <div className={styles.form}>
      <div>
        <h2 className={styles.title}>API access token</h2>
        <p className={styles.rule}>
          You only see it now. Anyone with it can act as you, so keep it like a password.
        </p>
      </div>
      <p className={own.token}>{token}</p>
      <p className={styles.rule} role="status">
        {isCopied ? 'Copied the token.' : ''}
      </p>
      <div className={styles.actions}>
        <Button ref={first} kind="primary" isFirst onClick={() => void app.platform.copyText(token)}>
          Copy
        </Button>
        <Button onClick={() => app.answer('safety', { action: 'tokens' })}>Show all tokens</Button>
        <Button onClick={() => app.closeDialog()}>Close</Button>
      </div>
    </div>
  );
}

function TokenList({ tokens, said, error }: Listed) {
  'use no memo';
  const app = useApp();
  const first = useFirst();
  const words = new Intl.DateTimeFormat(app.platform.locale(), { dateStyle: 'medium' });
  return (
    <div className={styles.form}>
      <div>
        <h2 className={styles.title}>API access tokens</h2>
        <p className={styles.rule}>
          Programs sign in with these. Their changes show in the history under the token’s name.
        </p>
      </div>
      {(said ?? error) !== null && (
        <p className={error === null ? own.said : styles.error} role="status">
          {error ?? said}
        </p>
      )}
      {tokens.length === 0 ? (
        <p className={styles.rule}>None yet. Press Enter to create one.</p>
      ) : (
        <ul className={styles.list}>
          {tokens.map(({ id, name, access, createdAt, lastUsedAt }) => {
            const title = name === '' ? 'Signed in with the password' : name;
            const may = access === 'read' ? 'Reads only' : 'Reads and writes';
            const used = lastUsedAt === null ? 'not used yet' : `last used ${words.format(lastUsedAt)}`;
            return (
              <li key={id} className={styles.item}>
                <div className={styles.itemText}>
                  {title}
                  <p className={styles.detail}>
                    {may}, made {words.format(createdAt)}, {used}
                  </p>
                </div>
                <Button
                  aria-label={`Revoke token ${title}`}
                  onClick={() => app.answer('safety', { action: 'endToken', id })}
                >
                  Revoke
                </Button>
              </li>
            );
          })}
        </ul>
      )}
      <div className={styles.actions}>
        <Button
          ref={first}
          kind="primary"
          isFirst
          onClick={() => app.answer('safety', { action: 'newToken' })}
        >
          New token
        </Button>
        <Button onClick={() => app.closeDialog()}>Close</Button>
      </div>
    </div>
  );
}

/** Draws a step of the account dialog: the list of tokens, the form for a new one, or the one just made. */
export function Tokens({ step, busy }: { readonly step: TokenStep; readonly busy: boolean }) {
  switch (step.type) {
    case 'tokens':
      return <TokenList {...step} />;
    case 'newToken':
      return <NewToken busy={busy} error={step.error} />;
    case 'token':
      return <MadeToken token={step.token} isCopied={step.isCopied} />;
  }
}
