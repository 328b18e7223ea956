// What a macro would change: first its variables, then the numbers and one line for each thing, with its changes as the history says
// them. What an action does is client/macros/trial.
import { type ReactNode, useEffect, useRef } from 'react';
import type { MacroTrialView, TrialLine } from '#client/macros/trial/trial-view.ts';
import { useApp } from '../../parts/app-context.ts';
import { Keys } from '../../parts/keycap.tsx';
import { keysIn } from '../../platform/input/options.ts';
import { Button } from '../button.tsx';
import { CloseButton } from '../close-button.tsx';
import styles from '../dialog.module.css';
import { Detail, MARKS, Sentence } from '../history.tsx';
import own from './trial.module.css';

const optionId = (index: number) => `macro-trial-${index}`;

const KINDS: Readonly<Record<TrialLine['kind'], string>> = {
  created: 'New',
  changed: '',
  deleted: 'Deleted',
  restored: 'Restored',
};

function Asking({ trial: { questions } }: { readonly trial: MacroTrialView }) {
  const app = useApp();
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        const values: Record<string, string> = {};
        for (const [name, value] of new FormData(event.currentTarget))
          if (typeof value === 'string') values[name] = value;
        app.answer('macroTrial', { action: 'try', values });
      }}
    >
      {questions.map(({ name, value }, index) => (
        <label key={name} className={styles.field}>
          <span className={styles.label}>{name}</span>
          <input
            className={styles.input}
            type="text"
            name={name}
            defaultValue={value}
            autoComplete="off"
            {...(index === 0 ? { 'data-first': '' } : {})}
          />
        </label>
      ))}
      <div className={styles.actions}>
        <Button type="submit" kind="primary">
          Try it
        </Button>
      </div>
    </form>
  );
}

function Line({
  line,
  index,
  isActive,
}: {
  readonly line: TrialLine;
  readonly index: number;
  readonly isActive: boolean;
}) {
  const app = useApp();
  const { kind, mark, type, title, changes } = line;
  return (
    <div
      id={optionId(index)}
      role="option"
      aria-selected={isActive}
      className={own.line}
      data-ph="macro-trial-line"
      data-kind={kind}
      onClick={() => app.answer('macroTrial', { action: 'choose', index })}
    >
      <span className={own.mark}>{MARKS[mark]}</span>
      <span className={own.what}>
        {KINDS[kind] !== '' && <span className={own.kind}>{KINDS[kind]} </span>}
        {type !== '' && <span className={own.kind}>{type} </span>}
        <bdi className={own.title}>{title === '' ? 'Untitled' : title}</bdi>
        {changes.map((phrases, at) => (
          <span key={at} className={own.change}>
            <Sentence phrases={phrases} />
          </span>
        ))}
      </span>
    </div>
  );
}

function Lines({ trial: { lines, active } }: { readonly trial: MacroTrialView }): ReactNode {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    list.current?.focus();
  }, []);
  useEffect(() => {
    document.getElementById(optionId(active))?.scrollIntoView({ block: 'nearest' });
  }, [active]);
  return (
    <div
      ref={list}
      role="listbox"
      tabIndex={0}
      data-first=""
      className={own.lines}
      aria-label="What would change"
      aria-activedescendant={lines[active] === undefined ? undefined : optionId(active)}
      {...keysIn('dialog.macroTrial', 'list')}
    >
      {lines.map((line, index) => (
        <Line key={line.id} line={line} index={index} isActive={index === active} />
      ))}
    </div>
  );
}

function Shown({ trial }: { readonly trial: MacroTrialView }) {
  const app = useApp();
  const { details, more, canRun } = trial;
  return (
    <>
      <Lines trial={trial} />
      {more > 0 && <p className={styles.rule}>And {more.toLocaleString('en-US')} more.</p>}
      {details.map((detail) => (
        <Detail key={detail.name} detail={detail} />
      ))}
      <div className={styles.actions}>
        <Button
          kind="primary"
          aria-disabled={!canRun}
          onClick={() => app.answer('macroTrial', { action: 'run' })}
        >
          Run it now <Keys caps={app.keysOf('options.choose')[0]} />
        </Button>
      </div>
    </>
  );
}

/** `trial`: what is drawn; the keys are in client/macros/trial. */
export function MacroTrial({ trial }: { readonly trial: MacroTrialView }) {
  const { name, step, summary } = trial;
  return (
    <div className={styles.form} data-ph="macro-trial" aria-busy={step === 'trying'}>
      <div className={own.head}>
        <h2 className={styles.title}>Try {name} on the selection</h2>
        <CloseButton />
      </div>
      <div role="status" className={own.summary} data-ph="macro-trial-summary">
        {step === 'trying' && (
          <p>
            Trying… <span aria-hidden="true">{trial.percent > 0 && `${trial.percent}%`}</span>
          </p>
        )}
        {summary.map((sentence) => (
          <p key={sentence}>{sentence}</p>
        ))}
      </div>
      {step === 'asking' && <Asking trial={trial} />}
      {step === 'shown' && <Shown trial={trial} />}
    </div>
  );
}
