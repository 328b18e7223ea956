// Planning a day: one task after the other beside the day as it fills. What keys do is client/planning/dialog.ts.
import { useLayoutEffect, useRef } from 'react';
import type { PlanDayAction, PlanDayView } from '#client/planning/plan-view.ts';
import { useApp } from '../../parts/app-context.ts';
import { keysIn } from '../../platform/input/options.ts';
import { CloseButton } from '../close-button.tsx';
import styles from '../dialog.module.css';
import { KeyedButton, type KeyedButtonLook } from '../sharing/keyed-button.tsx';
import shared from '../sharing/sharing.module.css';
import own from './calendar.module.css';
import { OneLine } from './one-line.tsx';

type Act = Exclude<PlanDayAction['action'], 'send'>;

function Act({ action, ...look }: KeyedButtonLook & { readonly action: Act }) {
  const app = useApp();
  return <KeyedButton {...look} onClick={() => app.answer('planDay', { action })} />;
}

const FIELDS = {
  at: { label: 'When?', rule: 'A time, with or without a length: 14:00 45m, 9-10:30.', verb: 'Plan' },
  later: {
    label: 'Until when?',
    rule: 'A day in words: monday, in 3 days. Until then it is snoozed.',
    verb: 'Snooze',
  },
  estimate: { label: 'How long does it take?', rule: '45m, 1h30, an hour and a half.', verb: 'Save' },
} as const;

function Field({ step }: { readonly step: keyof typeof FIELDS }) {
  const app = useApp();
  return (
    <OneLine
      {...FIELDS[step]}
      maxLength={100}
      send={(text) => app.answer('planDay', { action: 'send', text })}
      back={() => app.answer('planDay', { action: 'cancel' })}
    />
  );
}

/** It has the focus itself, so that Enter and Space are about the task. */
function Task({ plan: { step, task, position } }: { readonly plan: PlanDayView }) {
  const section = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    if (step === 'task') section.current?.focus();
  }, [step, position]);
  if (task === null) return null;
  return (
    <section
      ref={section}
      tabIndex={-1}
      aria-label={`Task ${position}: ${task.title}`}
      className={own.task}
      data-ph="plan-task"
      {...(step === 'task' ? { 'data-first': '' } : {})}
    >
      <h3 className={`${own.dayName} ${own.name}`}>
        <bdi>{task.title}</bdi>
      </h3>
      {task.note !== '' && (
        <p className={styles.detail} dir="auto">
          {task.note}
        </p>
      )}
      <p className={styles.detail}>{task.facts}</p>
      <p className={styles.detail}>{task.gap}</p>
      {step === 'task' ? (
        <div className={styles.actions}>
          <Act action="plan" kind="primary" text="Plan" command="planning.plan" />
          <Act action="at" text="At a time…" command="planning.at" />
          <Act action="tomorrow" text="Tomorrow" command="planning.tomorrow" />
          <Act action="later" text="Later…" command="planning.later" />
          <Act action="estimate" text="Duration…" command="planning.estimate" />
          <Act action="complete" text="Complete" command="planning.complete" />
          <Act action="skip" text="Skip" command="planning.skip" />
          <Act action="back" text="Back" command="planning.back" />
        </div>
      ) : (
        step !== 'end' && <Field step={step} />
      )}
    </section>
  );
}

function Times({ times }: Pick<PlanDayView, 'times'>) {
  if (times.length === 0) return null;
  return (
    <ul className={own.calendars} aria-label="Today">
      {times.map(({ key, time, title, isBlock }) => (
        <li key={key} className={own.planned} data-ph={isBlock ? 'plan-block' : 'plan-event'}>
          <span className={own.time}>{time}</span>
          <span className={own.name}>
            <bdi>{title}</bdi>
            {!isBlock && <span className={styles.detail}> event</span>}
          </span>
        </li>
      ))}
    </ul>
  );
}

function End({ summary }: Pick<PlanDayView, 'summary'>) {
  const app = useApp();
  return (
    <>
      <p role="status" data-ph="plan-summary">
        {summary}
      </p>
      <div className={styles.actions}>
        <KeyedButton kind="primary" isFirst text="Done" onClick={() => app.closeDialog()} />
        <Act action="back" text="Back" command="planning.back" />
      </div>
    </>
  );
}

/** Draws the dialog that plans a day. */
export function PlanDay({ plan }: { readonly plan: PlanDayView }) {
  const { position, step, capacity, said, times, summary } = plan;
  return (
    <div className={styles.form} data-ph="plan-day" data-options="" {...keysIn('dialog.planDay')}>
      <div className={shared.head}>
        <h2 className={styles.title}>Plan my day{position === '' ? '' : `: ${position}`}</h2>
        <CloseButton />
      </div>
      {step === 'end' ? <End summary={summary} /> : <Task plan={plan} />}
      <p className={capacity.isOver ? styles.error : styles.detail} data-ph="plan-capacity">
        {capacity.text}
      </p>
      <Times times={times} />
      <p className={said?.isError ? styles.error : shared.said} role="status" data-ph="plan-said">
        {said?.text ?? ''}
      </p>
    </div>
  );
}
