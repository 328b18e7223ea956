// Find and replace: two fields, how and where to look, and every title as it is and as it will be. What is found and what
// an answer does is client/replacing; here Enter leads on, Mod+Enter replaces, and arrows go from title to title.
'use no memo';
import { useRef } from 'react';
import { counted } from '#core/counted.ts';
import type { ReplaceRowView, ReplaceView } from '#client/replacing/replace-view.ts';
import { useApp } from '../parts/app-context.ts';
import { Keys } from '../parts/keycap.tsx';
import { Button } from './button.tsx';
import { Found } from './found.tsx';
import styles from './dialog.module.css';
import own from './replace.module.css';
import { keysIn } from '../platform/input/options.ts';

const SWITCHES = [
  ['matchCase', 'Match case'],
  ['wholeWords', 'Whole words'],
  ['isRegex', 'Regular expression'],
] as const;

function Field({
  name,
  label,
  text,
}: {
  readonly name: 'find' | 'replacement';
  readonly label: string;
  readonly text: string;
}) {
  const app = useApp();
  return (
    <div className={styles.field}>
      <label className={styles.label} htmlFor={`replace-${name}`}>
        {label}
      </label>
      <input
        id={`replace-${name}`}
        className={styles.input}
        type="text"
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        data-first={name === 'find' ? '' : undefined}
        aria-describedby={name === 'find' ? 'replace-status' : undefined}
        defaultValue={text}
        onInput={(event) =>
          app.answer('replace', { action: 'say', said: { [name]: event.currentTarget.value } })
        }
        data-option=""
      />
    </div>
  );
}

function Row({ row }: { readonly row: ReplaceRowView }) {
  const app = useApp();
  const { id, parts, after, path, isIn, problem } = row;
  return (
    <li className={own.row} data-out={isIn && problem === null ? undefined : ''} data-ph="replace-row">
      <input
        id={`replace-row-${id}`}
        type="checkbox"
        checked={isIn && problem === null}
        disabled={problem !== null}
        aria-labelledby={`replace-after-${id}`}
        aria-describedby={`replace-before-${id}`}
        onChange={(event) =>
          app.answer('replace', { action: 'include', id, isIn: event.currentTarget.checked })
        }
        data-option=""
      />
      <label className={own.title} id={`replace-before-${id}`} htmlFor={`replace-row-${id}`}>
        <Found parts={parts} />
      </label>
      <span />
      <span className={own.after} id={`replace-after-${id}`}>
        {after.length === 0 ? '(no title)' : <Found parts={after} isNew />}
      </span>
      {(path !== '' || problem !== null) && (
        <>
          <span />
          <span className={own.path}>{problem ?? path}</span>
        </>
      )}
    </li>
  );
}

function statusOf({ isAsked, isLooking, found, chosen, problem }: ReplaceView): string {
  if (problem !== null) return problem;
  if (!isAsked) return 'Type what to look for in titles.';
  if (isLooking) return 'Looking…';
  if (found === 0) return 'No title would change.';
  const titles = counted(found, 'title');
  return chosen === found ? `${titles} would change.` : `${titles} would change, ${found - chosen} left out.`;
}

export function Replace({ replace }: { readonly replace: ReplaceView }) {
  const app = useApp();
  const form = useRef<HTMLFormElement>(null);
  const { rows, found, chosen, scopes, scope, problem, isLooking, offersPlain } = replace;
  const canReplace = chosen > 0 && !isLooking;
  return (
    <form
      ref={form}
      className={styles.form}
      onSubmit={(event) => event.preventDefault()}
      data-options=""
      {...keysIn('dialog.replace', 'list')}
    >
      <h2 className={styles.title}>Find and replace</h2>
      <div className={own.fields}>
        <Field name="find" label="Find in titles" text={replace.find} />
        <Field name="replacement" label="Replace with" text={replace.replacement} />
      </div>
      <fieldset className={own.switches}>
        <legend className="visually-hidden">How and where to look</legend>
        {SWITCHES.map(([key, label]) => (
          <label key={key} className={own.switch}>
            <input
              type="checkbox"
              checked={replace[key]}
              onChange={(event) =>
                app.answer('replace', { action: 'say', said: { [key]: event.currentTarget.checked } })
              }
            />
            {label}
          </label>
        ))}
        <label className={own.switch}>
          Where
          <select
            {...keysIn()}
            className={styles.input}
            value={scope}
            onChange={(event) => {
              const chosen = scopes.find(({ value }) => value === event.currentTarget.value);
              if (chosen) app.answer('replace', { action: 'scope', scope: chosen.value });
            }}
          >
            {scopes.map(({ value, title }) => (
              <option key={value} value={value}>
                {title}
              </option>
            ))}
          </select>
        </label>
      </fieldset>
      <p id="replace-status" role="status" className={problem === null ? styles.rule : styles.error}>
        {statusOf(replace)}
      </p>
      {rows.length > 0 && (
        <ul className={own.rows} aria-label="Titles that would change">
          {rows.map((row) => (
            <Row key={row.id} row={row} />
          ))}
        </ul>
      )}
      <div className={styles.actions}>
        <Button
          id="replace-all"
          data-option=""
          kind="primary"
          disabled={!canReplace}
          onClick={() => app.answer('replace', { action: 'replace' })}
        >
          {chosen === 1 ? 'Replace in 1 title' : `Replace in ${chosen} titles`}{' '}
          <Keys caps={app.keysOf('replace.run')[0]} />
        </Button>
        {offersPlain && (
          <Button onClick={() => app.answer('replace', { action: 'say', said: { isRegex: false } })}>
            Find plain text
          </Button>
        )}
        {rows.length < found && (
          <Button onClick={() => app.answer('replace', { action: 'more' })}>
            Show more ({found - rows.length} left)
          </Button>
        )}
        <Button onClick={() => app.closeDialog()}>Cancel</Button>
      </div>
    </form>
  );
}
