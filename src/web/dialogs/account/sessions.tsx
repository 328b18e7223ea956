// Where this account is signed in, with the way to end each session.
import { useEffect, useState } from 'react';
import type { AccountFailure, SessionInfo } from '#client/app/app.ts';
import { useApp } from '../../parts/app-context.ts';
import { Button } from '../button.tsx';
import styles from '../dialog.module.css';

type Loaded = readonly SessionInfo[] | AccountFailure | null;

const isList = (loaded: Loaded): loaded is readonly SessionInfo[] => Array.isArray(loaded);

/** Asks the server for the sessions on opening, and again after ending one. */
export function Sessions() {
  const app = useApp();
  const [loaded, setLoaded] = useState<Loaded>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const { account } = app.platform;

  useEffect(() => {
    let isCurrent = true;
    void account.sessions().then((answer) => {
      if (isCurrent) setLoaded(answer);
    });
    return () => {
      isCurrent = false;
    };
  }, [account]);

  async function revoke(id: string): Promise<void> {
    const failed = await account.revoke(id);
    setFailure(failed?.message ?? null);
    setLoaded(await account.sessions());
  }

  const said = new Intl.DateTimeFormat(app.platform.locale(), { dateStyle: 'medium', timeStyle: 'short' });
  return (
    <div className={styles.form}>
      <div>
        <h2 className={styles.title}>Signed-in devices</h2>
        <p className={styles.rule}>{account.email ?? 'Not signed in'}</p>
      </div>
      {loaded !== null && !isList(loaded) && <p className={styles.error}>{loaded.message}</p>}
      {failure !== null && <p className={styles.error}>{failure}</p>}
      {isList(loaded) && (
        <ul className={styles.list}>
          {loaded.map((session) => (
            <li key={session.id} className={styles.item}>
              <div className={styles.itemText}>
                {session.name}
                <p className={styles.detail}>
                  {session.current ? 'This device' : `Last used ${said.format(session.lastUsedAt)}`}
                </p>
              </div>
              {!session.current && <Button onClick={() => void revoke(session.id)}>Sign out</Button>}
            </li>
          ))}
        </ul>
      )}
      <div className={styles.actions}>
        <Button isFirst onClick={() => app.closeDialog()}>
          Close
        </Button>
        <button type="button" className={styles.link} onClick={() => app.run('account.signOut')}>
          Sign out here
        </button>
      </div>
    </div>
  );
}
