// Every command that has a key, in groups, read from the live keymap: this is the cheat sheet, also when printed.
import { useApp } from '../parts/app-context.ts';
import { Keys } from '../parts/keycap.tsx';
import styles from './dialog.module.css';

export function KeyList() {
  const app = useApp();
  const bound = [...app.commands.values()].flatMap((command) => {
    // A command bound alike in several panes is listed once.
    const byText = new Map(app.keysOf(command.id).map((caps) => [caps.join(' '), caps]));
    return byText.size > 0 ? [{ command, keys: [...byText.values()] }] : [];
  });
  const groups = Map.groupBy(bound, ({ command }) => command.group);
  return (
    <div className={styles.form}>
      <h2 className={styles.title}>Keys</h2>
      <div className={styles.groups}>
        {[...groups].map(([group, bindings]) => (
          <section key={group} className={styles.group}>
            <h3 className={styles.groupTitle}>{group}</h3>
            <dl>
              {bindings.map(({ command, keys }) => (
                <div key={command.id} className={styles.binding}>
                  <dt>{command.title}</dt>
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
      <div className={styles.actions}>
        <button type="button" className={styles.button} data-first="" onClick={() => app.closeDialog()}>
          Close
        </button>
      </div>
    </div>
  );
}
