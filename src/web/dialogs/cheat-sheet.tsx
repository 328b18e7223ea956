// Every key with what it does, grouped by where it counts, as the person has them; made to be printed.
import { useApp } from '../parts/app-context.ts';
import { Keys } from '../parts/keycap.tsx';
import { Button } from './button.tsx';
import own from './cheat-sheet.module.css';
import styles from './dialog.module.css';

export function CheatSheet() {
  const app = useApp();
  return (
    <div className={`${styles.form} ${own.sheet}`} data-ph="cheat-sheet" data-lists-keys="">
      <h2 className={styles.title}>Key cheat sheet</h2>
      <div className={styles.groups}>
        {app.keySheet().map((group) => (
          <section key={group.title} className={styles.group}>
            <h3 className={styles.groupTitle}>{group.title}</h3>
            <dl>
              {group.rows.map(({ id, title, keys }) => (
                <div key={id} className={styles.binding}>
                  <dt>{title}</dt>
                  <dd className={styles.bindingKeys}>
                    <span className="visually-hidden">{keys.map((caps) => caps.join(' ')).join(' or ')}</span>
                    {keys.slice(0, 2).map((caps) => (
                      <Keys key={caps.join(' ')} caps={caps} />
                    ))}
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
      <div className={`${styles.actions} ${own.actions}`}>
        <Button onClick={() => app.run('application.print')}>Print</Button>
        <Button onClick={() => app.run('help.keys')}>Change keys</Button>
        <Button isFirst onClick={() => app.closeDialog()}>
          Close
        </Button>
      </div>
    </div>
  );
}
