// A task as a finger finds it: title, notes and properties as lines that ask for what they say, then its subtasks. Below it in
// reach of a thumb what is done with the whole of it.
import { useState } from 'react';
import type { DetailsView, SheetProperty, TaskSheetView } from '#client/dialogs/dialog-view.ts';
import { useApp } from '../parts/app-context.ts';
import { Icon, type IconName } from '../parts/icon.tsx';
import { Button } from './button.tsx';
import { Facts } from './facts.tsx';
import { useSignal } from '../parts/use-signal.ts';
import { Message } from '../views/status/message.tsx';
import styles from './dialog.module.css';
import own from './task-sheet.module.css';

const PICTURES: Readonly<Record<string, IconName>> = {
  'task.due': 'upcoming',
  'label.pick': 'label',
  'task.duration': 'clock',
  'task.planTime': 'week',
  'task.remind': 'bell',
  'task.repeat': 'repeat',
  'task.start': 'start',
  'task.snooze': 'moon',
  'task.assign': 'person',
  'task.comments': 'comment',
  'file.show': 'attachment',
};

const THUMB: readonly (readonly [icon: IconName, name: string, command: string])[] = [
  ['check', 'Complete', 'task.complete'],
  ['moon', 'Snooze', 'task.snooze'],
  ['folder', 'Move', 'task.move'],
  ['attachment', 'Files', 'file.show'],
  ['more', 'More', 'palette.task'],
];

interface Shown {
  readonly details: DetailsView;
  readonly sheet: TaskSheetView;
}

/** Leaves the sheet for a command; the app brings it back where that only asks for a property. */
function useRun(): (command: string) => void {
  const app = useApp();
  return (command) => app.answer('details', { action: 'run', command });
}

function Box({
  task,
  isDone,
  name,
}: {
  readonly task: Shown['details']['id'];
  readonly isDone: boolean;
  readonly name: string;
}) {
  const app = useApp();
  return (
    <button
      type="button"
      role="checkbox"
      className={own.box}
      aria-checked={isDone}
      aria-label={name}
      onClick={() => app.answer('details', { action: 'complete', id: task })}
    >
      <span className={own.mark}>{isDone && <Icon name="check" />}</span>
    </button>
  );
}

function Value({ property: { text, labels, isLate } }: { readonly property: SheetProperty }) {
  return (
    <span className={own.value} data-late={isLate === true ? '' : undefined}>
      {labels === undefined
        ? text
        : labels.map(({ id, name, color }) => (
            <span key={id} className={own.label} style={{ '--ph-label': color } as React.CSSProperties}>
              {name}
            </span>
          ))}
    </span>
  );
}

function Head({ details, sheet }: Shown) {
  const app = useApp();
  const run = useRun();
  return (
    <div className={own.head}>
      <h2 className={own.title} data-first="" tabIndex={-1} data-done={sheet.isDone ? '' : undefined}>
        <button type="button" className={own.edit} onClick={() => run('task.edit')}>
          {details.title}
        </button>
      </h2>
      <Box task={details.id} isDone={sheet.isDone} name="Done" />
      <button type="button" className={own.close} aria-label="Close" onClick={() => app.closeDialog()}>
        <Icon name="close" size={20} />
      </button>
    </div>
  );
}

function Properties({ details, sheet }: Shown) {
  const run = useRun();
  const chips = details.notes === '' ? [...sheet.chips, NOTES] : sheet.chips;
  return (
    <div className={own.lines}>
      {sheet.lines.map((property) => (
        <button
          key={property.command}
          type="button"
          className={own.line}
          data-command={property.command}
          onClick={() => run(property.command)}
        >
          <Icon name={PICTURES[property.command] ?? 'task'} size={20} />
          <span className={own.name}>{property.name}</span> <Value property={property} />
        </button>
      ))}
      {chips.length > 0 && (
        <div className={own.chips}>
          {chips.map(({ command, name }) => (
            <button
              key={command}
              type="button"
              className={own.chip}
              data-command={command}
              onClick={() => run(command)}
            >
              <span className={own.pill}>
                <Icon name={PICTURES[command] ?? 'notes'} />
                {name}
              </span>
            </button>
          ))}
        </div>
      )}
    </div>
  );
}

const NOTES: SheetProperty = { command: 'notes.edit', name: 'Notes', text: '' };

function Subtasks({ sheet: { subtasks } }: Pick<Shown, 'sheet'>) {
  const app = useApp();
  const run = useRun();
  const done = subtasks.filter(({ isDone }) => isDone).length;
  return (
    <section className={own.subtasks} aria-label="Subtasks">
      {subtasks.length > 0 && (
        <h3 className={own.heading}>
          Subtasks <span className={own.count}>{`${done} of ${subtasks.length}`}</span>
        </h3>
      )}
      {subtasks.map(({ id, title, isDone, due, isLate }) => (
        <div key={id} className={own.subtask} data-done={isDone ? '' : undefined}>
          <Box task={id} isDone={isDone} name={title} />
          <button
            type="button"
            className={own.open}
            onClick={() => app.answer('details', { action: 'open', id })}
          >
            <span className={own.subtaskTitle}>{title}</span>{' '}
            {due !== '' && (
              <span className={own.due} data-late={isLate ? '' : undefined}>
                {due}
              </span>
            )}
          </button>
        </div>
      ))}
      <button
        type="button"
        className={own.add}
        data-command="task.createChild"
        onClick={() => run('task.createChild')}
      >
        <Icon name="plus" size={20} />
        Add a subtask
      </button>
    </section>
  );
}

/** What is known of it besides, and what is seldom wanted. */
function Rest({ details }: Pick<Shown, 'details'>) {
  const app = useApp();
  const run = useRun();
  const [isOpen, setIsOpen] = useState(false);
  const line = (icon: IconName, name: string, command: string) => (
    <button type="button" className={own.line} data-command={command} onClick={() => run(command)}>
      <Icon name={icon} size={20} />
      {name}
    </button>
  );
  return (
    <div className={own.lines}>
      {line('focus', 'Focus', 'task.focusIn')}
      {line('trash', 'Delete', 'task.delete')}
      <button type="button" className={own.line} aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
        <Icon name="list" size={20} />
        Details and metadata
      </button>
      {isOpen && (
        <div className={own.facts}>
          <Facts details={details} />
          <div className={styles.actions}>
            <Button onClick={() => app.run('task.copyId')}>Copy id</Button>
          </div>
        </div>
      )}
    </div>
  );
}

export function TaskSheet({ details, sheet }: Shown) {
  const run = useRun();
  const status = useSignal(useApp().view.status);
  return (
    <div className={own.sheet} data-ph="details" data-sheet="">
      <Head details={details} sheet={sheet} />
      {sheet.path !== '' && (
        <button type="button" className={own.path} data-command="task.move" onClick={() => run('task.move')}>
          <Icon name="list" size={14} />
          <span>{sheet.path}</span>
        </button>
      )}
      {details.notes !== '' && (
        <button
          type="button"
          className={own.notes}
          data-command="notes.edit"
          onClick={() => run('notes.edit')}
        >
          <span>{details.notes}</span>
        </button>
      )}
      <Properties details={details} sheet={sheet} />
      <Subtasks sheet={sheet} />
      <Rest details={details} />
      <div className={own.said}>
        <Message status={status} />
      </div>
      <div className={own.bar}>
        {THUMB.map(([icon, name, command]) => (
          <button
            key={command}
            type="button"
            className={own.errand}
            data-command={command}
            onClick={() => run(command)}
          >
            <Icon name={icon} size={22} />
            {name}
          </button>
        ))}
      </div>
    </div>
  );
}
