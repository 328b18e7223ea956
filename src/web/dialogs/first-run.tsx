// The first run, one step at a time: a set of keys with two of them to try, the look, and whether to import a file.
// What it shows and what an answer does is client/teaching/first-run.ts.
import { type ReactNode, useEffect, useLayoutEffect, useRef } from 'react';
import type { FirstRunEnd, FirstRunView, SetupChoice, TryView } from '#client/teaching/first-run-view.ts';
import { useApp } from '../parts/app-context.ts';
import { Icon } from '../parts/icon.tsx';
import { Keys, KeyWords } from '../parts/keycap.tsx';
import styles from './dialog.module.css';
import own from './first-run.module.css';
import { keysIn } from '../platform/input/options.ts';
import type { KeyContext } from '#client/commands/command.ts';

type StepOf<S extends FirstRunView['step']> = Extract<FirstRunView, { readonly step: S }>;

const rowId = (index: number) => `trial-${index}`;

/** One of a few, as the browser's own radio buttons: arrows choose, and what is chosen counts at once. */
function Radios<V extends string>({
  name,
  title,
  value,
  choices,
  onChoose,
  within,
  isFirst = false,
}: {
  readonly name: string;
  readonly title: string;
  readonly value: V;
  readonly choices: readonly (SetupChoice<V> & { readonly about?: string })[];
  readonly onChoose: (value: V) => void;
  /** The context of the keys that count on it. */
  readonly within?: KeyContext;
  readonly isFirst?: boolean;
}) {
  return (
    <fieldset className={own.radios}>
      <legend className={styles.label}>{title}</legend>
      {choices.map((choice) => (
        <label key={choice.value} className={own.radio}>
          <input
            type="radio"
            name={name}
            value={choice.value}
            checked={choice.value === value}
            data-first={isFirst && choice.value === value ? '' : undefined}
            onChange={() => onChoose(choice.value)}
            {...(within ? keysIn(within) : {})}
          />
          <span>
            <span className={own.name}>{choice.title}</span>
            {choice.about !== undefined && (
              <span className={own.about}>
                <KeyWords text={choice.about} />
              </span>
            )}
          </span>
        </label>
      ))}
    </fieldset>
  );
}

/** The rows keys are tried on. While they have the focus, keys are theirs. */
function Trial({ trial }: { readonly trial: TryView }) {
  const app = useApp();
  const list = useRef<HTMLDivElement>(null);
  const { rows, at, isTrying, keys, said } = trial;
  useEffect(() => {
    if (isTrying) list.current?.focus();
  }, [isTrying]);
  return (
    <section className={own.trial} aria-label="Try two keys">
      <ul className={own.keys}>
        {keys.map(({ title, caps, isTried }) => (
          <li key={title} className={own.key} data-tried={isTried ? '' : undefined}>
            <Keys caps={caps} />
            <span className="visually-hidden">{caps.join(' ')} </span>
            {title}
            {isTried && <Icon name="check" size={14} />}
            {isTried && <span className="visually-hidden">, tried</span>}
          </li>
        ))}
      </ul>
      <div
        ref={list}
        id="trial"
        role="listbox"
        aria-label="Three tasks to try keys on"
        aria-activedescendant={rowId(at)}
        tabIndex={0}
        className={own.rows}
        data-ph="trial"
        onFocus={() => isTrying || app.answer('firstRun', { action: 'try', isTrying: true })}
        onBlur={() => app.answer('firstRun', { action: 'try', isTrying: false })}
      >
        {rows.map(({ title, isDone }, index) => (
          <div
            key={title}
            id={rowId(index)}
            role="option"
            aria-selected={index === at}
            className={own.row}
            data-done={isDone ? '' : undefined}
          >
            <span className={own.box} aria-hidden="true">
              {isDone && <Icon name="check" size={12} />}
            </span>
            {title}
            {isDone && <span className="visually-hidden">, completed</span>}
          </div>
        ))}
      </div>
      <p className={own.said} role="status">
        {said}
      </p>
    </section>
  );
}

function KeysStep({ view }: { readonly view: StepOf<'keys'> }) {
  const app = useApp();
  const { presets, preset, trial, lost } = view;
  return (
    <>
      <Radios
        name="preset"
        title="Which keys do your fingers know?"
        value={preset}
        choices={presets}
        isFirst
        onChoose={(chosen) => app.answer('firstRun', { action: 'preset', preset: chosen })}
        within="dialog.firstRun"
      />
      {lost !== null && (
        <p className={own.lost} role="status">
          {lost}{' '}
          <button
            type="button"
            className={own.install}
            onClick={() => app.answer('firstRun', { action: 'install' })}
          >
            Install Posthaste
          </button>
        </p>
      )}
      <Trial key={preset} trial={trial} />
    </>
  );
}

function LookStep({ view }: { readonly view: StepOf<'look'> }) {
  const app = useApp();
  return view.settings.map(({ key, title, value, choices }, index) => (
    <Radios
      key={key}
      name={key}
      title={title}
      value={value}
      choices={choices}
      isFirst={index === 0}
      onChoose={(chosen) => app.answer('firstRun', { action: 'look', key, value: chosen })}
    />
  ));
}

function TasksStep({ learn }: StepOf<'tasks'>) {
  const app = useApp();
  const choices: readonly (readonly [FirstRunEnd, string, string])[] = [
    ['learn', learn, 'A list of practice tasks that tick themselves. A minute and a half.'],
    ['import', 'Import a file…', 'A file from another app, or lines of text. You can undo it.'],
    ['nothing', 'Start with an empty Inbox', 'You can find both by name later.'],
  ];
  return (
    <div className={own.ends}>
      {choices.map(([next, title, about], index) => (
        <button
          key={next}
          type="button"
          className={own.end}
          data-first={index === 0 ? '' : undefined}
          onClick={() => app.answer('firstRun', { action: 'end', next })}
        >
          <span className={own.name}>{title}</span>
          <span className={own.about}>{about}</span>
        </button>
      ))}
    </div>
  );
}

const TITLES: Readonly<Record<FirstRunView['step'], string>> = {
  keys: 'Your keys',
  look: 'Your look',
  tasks: 'Your tasks',
};

function Step({ view }: { readonly view: FirstRunView }): ReactNode {
  if (view.step === 'keys') return <KeysStep view={view} />;
  return view.step === 'look' ? <LookStep view={view} /> : <TasksStep {...view} />;
}

export function FirstRun({
  at,
  total,
  view,
}: {
  readonly at: number;
  readonly total: number;
  readonly view: FirstRunView;
}) {
  const app = useApp();
  const form = useRef<HTMLFormElement>(null);
  const { step } = view;
  useLayoutEffect(() => {
    form.current?.querySelector<HTMLElement>('[data-first]')?.focus();
  }, [step]);
  return (
    <form
      ref={form}
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        app.answer('firstRun', { action: 'next' });
      }}
    >
      <h2 className={styles.title}>
        {TITLES[step]} <span className={own.at}>{`${at} of ${total}`}</span>
      </h2>
      <Step view={view} />
      <div className={styles.actions}>
        {step !== 'tasks' && (
          <button type="submit" className={`${styles.button} ${styles.primary} ${own.next}`}>
            Next
            {!app.platform.touch && <Keys caps={app.keysOf('outline.leadOn')[0]} />}
          </button>
        )}
        {at > 1 && (
          <button
            type="button"
            className={styles.button}
            onClick={() => app.answer('firstRun', { action: 'back' })}
          >
            Back
          </button>
        )}
        <button type="button" className={`${styles.link} ${own.skip}`} onClick={() => app.closeDialog()}>
          Skip all this
        </button>
      </div>
    </form>
  );
}
