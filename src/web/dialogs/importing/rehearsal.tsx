// The rehearsal of an import: numbers, the lists and options that can be turned off, what has no place here, and the first tasks;
// then how far the import is. What an action does is client/importing.
import { type ReactNode, useEffect, useRef } from 'react';
import type { RehearsalLoss, RehearsalRow, RehearsalTask, RehearsalView } from '#client/importing/view.ts';
import { useApp } from '../../parts/app-context.ts';
import { Icon } from '../../parts/icon.tsx';
import { Keys } from '../../parts/keycap.tsx';
import { keysIn } from '../../platform/input/options.ts';
import { Button } from '../button.tsx';
import { CloseButton } from '../close-button.tsx';
import styles from '../dialog.module.css';
import own from './rehearsal.module.css';

/** Losses of which all are seen at once. */
const MANY = 4;

const rowId = (index: number) => `rehearsal-${index}`;
const figure = (count: number) => count.toLocaleString('en-US');

/** A box with or without its tick, as in the outline. */
function Box({ isOn }: { readonly isOn: boolean }) {
  return (
    <span className={own.box} data-on={isOn || undefined} aria-hidden="true">
      {isOn && (
        <svg viewBox="0 0 16 16" className={own.tick}>
          <path d="m3.25 8.5 3.2 3.2 6.3-7" />
        </svg>
      )}
    </span>
  );
}

function Row({
  row,
  index,
  isActive,
}: {
  readonly row: RehearsalRow;
  readonly index: number;
  readonly isActive: boolean;
}) {
  const app = useApp();
  const { text, hint, count, state, isOn } = row;
  return (
    <div
      id={rowId(index)}
      role="option"
      aria-selected={isActive}
      aria-checked={isOn}
      className={own.row}
      data-ph="rehearsal-row"
      data-off={isOn ? undefined : ''}
      onClick={() => app.answer('rehearsal', { action: 'choose', index })}
    >
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- A larger target in an option; Space does the same. */}
      <span
        className={own.boxed}
        onClick={(event) => {
          event.stopPropagation();
          app.answer('rehearsal', { action: 'toggle', index });
        }}
      >
        <Box isOn={isOn} />
      </span>
      <span className={own.what}>
        <bdi className={own.name}>{text}</bdi>
        {hint !== '' && <span className={own.hint}> {hint}</span>}
      </span>
      {count >= 0 && <span className={own.count}>{figure(count)}</span>}
      {row.kind === 'list' && (
        <span className={own.state} data-state={state}>
          {state}
        </span>
      )}
    </div>
  );
}

function Rows({ view: { rows, active } }: { readonly view: RehearsalView }) {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    list.current?.focus();
  }, []);
  useEffect(() => {
    document.getElementById(rowId(active))?.scrollIntoView({ block: 'nearest' });
  }, [active]);
  const part = (kind: RehearsalRow['kind']) =>
    rows.flatMap((row, index) =>
      row.kind === kind ? [<Row key={row.id} row={row} index={index} isActive={index === active} />] : [],
    );
  const options = part('option');
  return (
    <div
      ref={list}
      role="listbox"
      tabIndex={0}
      data-first=""
      className={own.rows}
      aria-label="Lists and options"
      aria-activedescendant={rows[active] === undefined ? undefined : rowId(active)}
      {...keysIn('dialog.rehearsal', 'list')}
    >
      <div role="group" aria-label="Lists">
        {part('list')}
      </div>
      {options.length > 0 && (
        <div role="group" aria-label="Options" className={own.options}>
          {options}
        </div>
      )}
    </div>
  );
}

function Loss({ loss: { what, instead, isGone, examples } }: { readonly loss: RehearsalLoss }) {
  return (
    <li className={own.loss} data-gone={isGone || undefined}>
      <span className={own.lossWhat}>{what}</span>
      <span className={own.lossInstead}>
        {instead}
        {examples.length > 0 && (
          <span>
            {' '}
            {examples.map((example, at) => (
              <bdi key={`${at}.${example}`} className={own.example}>
                “{example}”
              </bdi>
            ))}
          </span>
        )}
      </span>
    </li>
  );
}

function Losses({ view: { losses } }: { readonly view: RehearsalView }) {
  return (
    <section
      className={own.losses}
      aria-label="What has no place here"
      // What scrolls can be reached by keys.
      {...(losses.length > MANY ? { tabIndex: 0 } : {})}
    >
      <h3 className={own.heading}>What has no place here</h3>
      {losses.length === 0 ? (
        <p className={own.fine}>
          <svg viewBox="0 0 16 16" className={own.fineMark} aria-hidden="true">
            <path d="m3.25 8.5 3.2 3.2 6.3-7" />
          </svg>
          Everything in the file has its place.
        </p>
      ) : (
        <ul>
          {losses.map((loss) => (
            <Loss key={`${loss.what}.${loss.instead}`} loss={loss} />
          ))}
        </ul>
      )}
    </section>
  );
}

function Task({ task: { title, level, isDone, hasNotes, labels, due } }: { readonly task: RehearsalTask }) {
  return (
    <li
      className={own.task}
      data-done={isDone || undefined}
      style={{ '--level': Math.min(level, 8) - 1 } as React.CSSProperties}
    >
      <Box isOn={isDone} />
      <bdi className={own.title}>{title === '' ? 'Untitled' : title}</bdi>
      {isDone && <span className="visually-hidden">, completed</span>}
      {labels.slice(0, 2).map((label) => (
        <span key={label} className={own.label}>
          {label}
        </span>
      ))}
      {hasNotes && (
        <span className={own.notes}>
          <Icon name="notes" size={14} />
          <span className="visually-hidden">with notes</span>
        </span>
      )}
      {due !== '' && <span className={own.due}>{due}</span>}
    </li>
  );
}

function Sample({ sample }: { readonly sample: NonNullable<RehearsalView['sample']> }) {
  const { list, tasks, more } = sample;
  return (
    <section aria-label={`The first tasks of ${list}`}>
      <h3 className={own.heading}>
        The first tasks of “<bdi>{list}</bdi>”
      </h3>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- It scrolls. */}
      <ul className={own.sample} tabIndex={0} aria-label={`Tasks of ${list}`}>
        {tasks.map((task, at) => (
          <Task key={`${at}.${task.title}`} task={task} />
        ))}
        {more > 0 && <li className={own.more}>and {figure(more)} more</li>}
      </ul>
    </section>
  );
}

function Shown({ view }: { readonly view: RehearsalView }) {
  const app = useApp();
  const { tiles, notes, sample, action, isPlanning, rows } = view;
  return (
    <>
      {tiles.length > 0 && (
        <dl className={own.tiles} data-ph="rehearsal-tiles">
          {tiles.map(({ value, text }) => (
            <div key={text}>
              <dd>{figure(value)}</dd>
              <dt>{text}</dt>
            </div>
          ))}
        </dl>
      )}
      {notes.length > 0 && (
        <ul className={own.said} data-ph="rehearsal-notes">
          {notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
      )}
      {rows.length > 0 && (
        <div className={own.columns}>
          <div>
            <h3 className={own.heading}>Lists</h3>
            <Rows view={view} />
          </div>
          <Losses view={view} />
        </div>
      )}
      {sample !== null && <Sample sample={sample} />}
      <div className={`${styles.actions} ${own.actions}`}>
        <Button
          kind="primary"
          aria-disabled={action === '' || isPlanning}
          onClick={() => app.answer('rehearsal', { action: 'import' })}
        >
          {action === '' ? 'Nothing to import' : action} <Keys caps={app.keysOf('options.choose')[0]} />
        </Button>
        {tiles.length > 0 && (
          <Button onClick={() => app.answer('rehearsal', { action: 'report' })}>Save report</Button>
        )}
        <Button onClick={() => app.closeDialog()}>Cancel</Button>
      </div>
    </>
  );
}

function Progress({ label, view }: { readonly label: string; readonly view: RehearsalView }) {
  const percent = Math.floor(view.progress * 100);
  return (
    <>
      <progress className={styles.progress} max={100} value={percent} aria-label={label} />
      <p className={styles.rule}>{percent} %</p>
    </>
  );
}

function Importing({ view }: { readonly view: RehearsalView }) {
  const app = useApp();
  return (
    <>
      <Progress label="Import progress" view={view} />
      <div className={styles.actions}>
        <Button isFirst onClick={() => app.closeDialog()}>
          Continue in the background
        </Button>
        <Button onClick={() => app.answer('rehearsal', { action: 'stop' })}>Stop</Button>
      </div>
    </>
  );
}

function Stopped({ view }: { readonly view: RehearsalView }) {
  const app = useApp();
  return (
    <>
      <p className={styles.lead}>
        It was stopped after {Math.floor(view.progress * 100)} %. What came so far is here.
      </p>
      <div className={styles.actions}>
        <Button kind="primary" isFirst onClick={() => app.answer('rehearsal', { action: 'takeBack' })}>
          Take it back
        </Button>
        <Button onClick={() => app.answer('rehearsal', { action: 'keep' })}>Keep what came</Button>
      </div>
    </>
  );
}

const TITLES: Readonly<Record<RehearsalView['step'], string>> = {
  reading: 'Reading',
  shown: 'Rehearsal',
  importing: 'Importing',
  stopped: 'Stopped',
};

/** `rehearsal`: what is drawn; the keys are in client/importing. */
export function Rehearsal({ rehearsal: view }: { readonly rehearsal: RehearsalView }): ReactNode {
  const app = useApp();
  const { step, name, lead } = view;
  return (
    <div className={styles.form} data-ph="rehearsal" aria-busy={step === 'reading' || view.isPlanning}>
      <div className={own.head}>
        <div>
          <h2 className={styles.title}>{TITLES[step]}</h2>
          <p className={own.lead}>
            <bdi>{name}</bdi>
            {lead !== '' && <span> · {lead}</span>}
          </p>
          {step === 'shown' && lead !== '' && (
            <p className={own.nothing}>Nothing is in your lists yet. One undo takes all of it back.</p>
          )}
        </div>
        <CloseButton />
      </div>
      {step === 'reading' && (
        <>
          <Progress label="Reading progress" view={view} />
          <div className={styles.actions}>
            <Button isFirst onClick={() => app.closeDialog()}>
              Cancel
            </Button>
          </div>
        </>
      )}
      {step === 'shown' && <Shown view={view} />}
      {step === 'importing' && <Importing view={view} />}
      {step === 'stopped' && <Stopped view={view} />}
    </div>
  );
}
