// Sheets of keys: sections side by side in as many columns as there is room for, each a heading and a list of what is done by which
// keys. A dot marks keys of the person's own. The cheat sheet has every key, grouped by where it counts; made to be printed.
import { Fragment } from 'react';
import type { KeyGroup, KeyRow } from '#client/keys/editor-view.ts';
import { useApp } from '../parts/app-context.ts';
import { Keys } from '../parts/keycap.tsx';
import { Button } from './button.tsx';
import own from './cheat-sheet.module.css';
import styles from './dialog.module.css';

function Row({ row: { title, keys, isOwn, isPair } }: { readonly row: KeyRow }) {
  return (
    <div className={own.row}>
      <dt className={own.what}>
        {title}
        {isOwn && (
          <>
            <span className={own.dot} aria-hidden="true" data-ph="own-key" />
            <span className="visually-hidden">, changed by you</span>
          </>
        )}
      </dt>
      <dd className={own.keys}>
        <span className="visually-hidden">
          {keys.map((caps) => caps.join(' ')).join(isPair ? ', ' : ' or ')}
        </span>
        {keys.slice(0, 2).map((caps, index) => (
          <Fragment key={caps.join(' ')}>
            {index > 0 && !isPair && (
              <span className={own.or} aria-hidden="true">
                or
              </span>
            )}
            <Keys caps={caps} />
          </Fragment>
        ))}
      </dd>
    </div>
  );
}

export function KeyColumns({ groups }: { readonly groups: readonly KeyGroup[] }) {
  return (
    <div className={own.columns} data-lists-keys="">
      {groups.map(({ title, rows }) => (
        <section key={title} className={own.group}>
          <h3 className={own.title}>{title}</h3>
          <dl>
            {rows.map((row) => (
              <Row key={row.id} row={row} />
            ))}
          </dl>
        </section>
      ))}
    </div>
  );
}

/** What the dot means, at the foot of a sheet that has one. */
export function OwnKeysLegend({ groups }: { readonly groups: readonly KeyGroup[] }) {
  if (!groups.some(({ rows }) => rows.some(({ isOwn }) => isOwn))) return null;
  return (
    <span className={own.legend} aria-hidden="true">
      <span className={own.dot} />
      changed by you
    </span>
  );
}

export function CheatSheet() {
  const app = useApp();
  const groups = app.keySheet();
  return (
    <div className={`${styles.form} ${own.sheet}`} data-ph="cheat-sheet">
      <h2 className={styles.title}>Key cheat sheet</h2>
      <KeyColumns groups={groups} />
      <OwnKeysLegend groups={groups} />
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
