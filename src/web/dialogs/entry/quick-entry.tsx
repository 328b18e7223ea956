// Quick entry: the title first, notes under it, then what was recognized as chips and what can be chosen by hand.
// client/entry decides what is shown and what keys do.
import type { QuickEntryView } from '#client/entry/entry-view.ts';
import { useApp } from '../../parts/app-context.ts';
import { SaidKeys } from '../../parts/said-keys.tsx';
import { Chips, Tools } from './chips.tsx';
import { Line, Notes } from './line.tsx';
import { Question } from './question.tsx';
import own from './quick-entry.module.css';

/** What keys do in the line. */
function LineKeys({ entry }: { readonly entry: QuickEntryView }) {
  const { apple } = useApp().platform;
  return (
    <>
      {entry.tabAccepts && (
        <span>
          <SaidKeys caps={['Tab']} /> accept the suggestion
        </span>
      )}
      <span>
        <SaidKeys caps={apple ? ['⇧', '↵'] : ['Shift', '↵']} /> notes
      </span>
      <span>
        <SaidKeys caps={apple ? ['⌘', '↵'] : ['Ctrl', '↵']} /> add and go on
      </span>
      <span>
        <SaidKeys caps={['@']} /> list
      </span>
      {!entry.tabAccepts && (
        <span className={own.last}>
          <SaidKeys caps={['⌫']} /> right after a date keeps the words
        </span>
      )}
    </>
  );
}

/** What keys do in a question. */
function QuestionKeys() {
  const app = useApp();
  return (
    <>
      <span>
        <SaidKeys caps={app.keysOf('options.choose')[0]} /> choose
      </span>
      <span>
        <SaidKeys caps={app.keysOf('dialog.leave')[0]} /> back to the task
      </span>
    </>
  );
}

/** The quick entry dialog. */
export function QuickEntry({ entry }: { readonly entry: QuickEntryView }) {
  const app = useApp();
  return (
    <form
      className={own.entry}
      data-ph="quick-entry"
      data-sheet=""
      onSubmit={(event) => {
        event.preventDefault();
        app.answer('quickEntry', { action: 'save' });
      }}
    >
      <h2 className="visually-hidden">Quick entry</h2>
      {entry.reason !== '' && (
        <p role="alert" className={own.reason} data-ph="entry-reason">
          {entry.reason}
        </p>
      )}
      <div className={own.task}>
        <span className={own.box} aria-hidden="true" />
        <Line entry={entry} />
      </div>
      {entry.showsNotes && <Notes entry={entry} />}
      {entry.question === null ? (
        // The focus stays in the line, and the keyboard on the screen.
        <div
          className={own.below}
          role="group"
          aria-label="More about the task"
          onMouseDown={(event) => event.preventDefault()}
        >
          <Chips entry={entry} />
          <Tools entry={entry} />
        </div>
      ) : (
        <Question key={entry.question.what} question={entry.question} />
      )}
      <div className={own.foot}>
        <p role="status" className={own.answer} data-ph="entry-answer">
          {entry.answer}
        </p>
        <p id="quick-entry-help" className={own.help}>
          {entry.question === null ? <LineKeys entry={entry} /> : <QuestionKeys />}
        </p>
      </div>
    </form>
  );
}
