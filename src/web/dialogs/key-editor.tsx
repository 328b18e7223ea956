// The sheet of keys and their editor: the keys that most days need, side by side; then, once one seeks or changes, one line
// per key and a place that records. What it shows and what an answer does is client/keys/editor.ts.
import { useEffect, useRef } from 'react';
import type { KeyEditorView, KeyLineAction, KeyOptionView, RecorderView } from '#client/keys/editor-view.ts';
import { useApp } from '../parts/app-context.ts';
import { useDrawn } from '../parts/drawn.ts';
import { Icon } from '../parts/icon.tsx';
import { Keys, KeyWords } from '../parts/keycap.tsx';
import { KeyBadges } from './key-badges.tsx';
import { KeyColumns, OwnKeysLegend } from './cheat-sheet.tsx';
import { Button } from './button.tsx';
import { CloseButton } from './close-button.tsx';
import styles from './dialog.module.css';
import own from './key-editor.module.css';
import { keysIn } from '../platform/input/options.ts';
import { Segments } from './settings/segments.tsx';

const optionId = (index: number) => `key-option-${index}`;

function Option({
  option,
  index,
  count,
  active,
}: {
  readonly option: KeyOptionView;
  readonly index: number;
  readonly count: number;
  readonly active: boolean;
}) {
  const app = useApp();
  const { id, heading, title, caps, isOwn, warning } = option;
  return (
    <>
      {heading !== null && (
        <div className={own.heading} role="presentation">
          {heading}
        </div>
      )}
      <div
        id={optionId(index)}
        role="option"
        aria-selected={active}
        aria-posinset={index + 1}
        aria-setsize={count}
        className={own.option}
        data-ph="key-option"
        onClick={() => app.answer('keys', { action: 'choose', id })}
      >
        <span className={own.what}>
          {title}
          {heading === null ? null : <span className="visually-hidden">, {heading}</span>}
        </span>
        {warning !== null && <span className={own.warning}>{warning}</span>}
        {isOwn && <span className={own.mine}>yours</span>}
        {caps.length > 0 ? <Keys caps={caps} /> : <span className={own.none}>no key</span>}
        {caps.length > 0 && <span className="visually-hidden">{caps.join(' ')}</span>}
      </div>
    </>
  );
}

function Options({ editor }: { readonly editor: KeyEditorView }) {
  const { query, sought, options, active } = editor;
  const list = useRef<HTMLDivElement>(null);
  const of = sought === null ? query : `pressed ${sought.join(' ')}`;
  const { drawn, growIfNear } = useDrawn(list, { of, count: options.length, active });
  useEffect(() => {
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' });
  }, [active, options]);
  return (
    <div
      ref={list}
      id="key-options"
      role="listbox"
      aria-label="Keys"
      className={own.list}
      data-lists-keys=""
      tabIndex={-1}
      onScroll={growIfNear}
    >
      {options.slice(0, drawn).map((option, index) => (
        <Option
          key={option.id}
          option={option}
          index={index}
          count={options.length}
          active={index === active}
        />
      ))}
    </div>
  );
}

function Recorder({ recorder }: { readonly recorder: RecorderView }) {
  const app = useApp();
  const { title, caps, isListening, instruction, notes, problem, swap } = recorder;
  const canSave = caps.length > 0 && problem === null;
  const place = useRef<HTMLElement>(null);
  const save = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    // While keys are heard nothing in it may have the focus; then the likely answer has it.
    if (isListening) place.current?.focus();
    else save.current?.focus();
  }, [isListening]);
  return (
    <section
      ref={place}
      className={own.recorder}
      tabIndex={-1}
      aria-label={`Keys for ${title}`}
      data-ph="key-recorder"
      data-lists-keys=""
    >
      <p className={own.pressed} role="status">
        <span className={own.what}>{title}</span>
        {caps.length > 0 && <Keys caps={caps} />}
        <span className="visually-hidden">{caps.join(' ')}</span>
        <span className={styles.rule}>{instruction}</span>
      </p>
      {problem !== null && <p className={styles.error}>{problem}</p>}
      {notes.map((note) => (
        <p key={note} className={own.note}>
          {note}
        </p>
      ))}
      <div className={styles.actions}>
        <Button onClick={() => app.answer('keys', { action: 'cancel' })}>Keep the old keys</Button>
        {!isListening && (
          <Button onClick={() => app.answer('keys', { action: 'again' })}>Press others</Button>
        )}
        {swap !== null && canSave && (
          <Button onClick={() => app.answer('keys', { action: 'swap' })}>{swap}</Button>
        )}
        <Button
          ref={save}
          kind="primary"
          disabled={!canSave}
          onClick={() => app.answer('keys', { action: 'save' })}
        >
          Save
        </Button>
      </div>
    </section>
  );
}

function Choices({ editor }: { readonly editor: KeyEditorView }) {
  const app = useApp();
  return (
    <div className={own.choices}>
      <label className={own.choice}>
        <input
          type="checkbox"
          checked={editor.chords}
          onChange={(event) => app.answer('keys', { action: 'chords', isOn: event.currentTarget.checked })}
        />
        Key sequences
      </label>
      <label className={own.choice}>
        <input
          type="checkbox"
          checked={editor.isSynced}
          onChange={() => app.answer('keys', { action: 'sync' })}
        />
        Sync hotkeys
      </label>
    </div>
  );
}

function About({ editor }: { readonly editor: KeyEditorView }) {
  return (
    <p className={`${styles.rule} ${own.about}`}>
      <KeyWords text={editor.about} />
    </p>
  );
}

function LineActions({ editor }: { readonly editor: KeyEditorView }) {
  const app = useApp();
  const act = (action: KeyLineAction) => () => {
    app.answer('keys', { action });
    if (action !== 'record' && action !== 'add') document.getElementById('key-find')?.focus();
  };
  const { canRemove, canReset } = editor;
  return (
    <div className={styles.actions}>
      <Button disabled={!canReset} onClick={act('reset')}>
        Reset
      </Button>
      <Button disabled={!canRemove} onClick={act('remove')}>
        Remove key
      </Button>
      <Button disabled={!canRemove} onClick={act('add')}>
        Add another key
      </Button>
      <Button kind="primary" onClick={act('record')}>
        Record <Keys caps={['↵']} />
      </Button>
    </div>
  );
}

function Find({ editor }: { readonly editor: KeyEditorView }) {
  const app = useApp();
  const { query, sought, sheet, options, active, recorder } = editor;
  const isHeard = sought !== null || recorder?.isListening === true;
  const isListed = sheet === null;
  return (
    <div className={`${styles.finder} ${own.find}`}>
      <Icon name="search" size={14} />
      <input
        id="key-find"
        className={`${styles.input} ${styles.find} ${own.field}`}
        data-first=""
        data-narrows=""
        type="text"
        role="combobox"
        aria-label={sought === null ? 'Find a key by what it does' : 'Press the keys to find'}
        aria-expanded={isListed && options.length > 0}
        aria-controls={isListed ? 'key-options' : undefined}
        aria-activedescendant={isListed && active >= 0 ? optionId(active) : undefined}
        autoComplete="off"
        spellCheck={false}
        readOnly={isHeard}
        placeholder={sought === null ? 'Find by words' : 'Press keys; Esc ends this'}
        value={sought === null ? query : sought.join(' ')}
        onChange={(event) => app.answer('keys', { action: 'filter', text: event.target.value })}
        {...(isHeard ? {} : keysIn('list'))}
      />
      <Button
        aria-pressed={sought !== null}
        onClick={() => {
          app.answer('keys', { action: 'byKey' });
          document.getElementById('key-find')?.focus();
        }}
      >
        Find by key
      </Button>
    </div>
  );
}

function Files({ editor }: { readonly editor: KeyEditorView }) {
  const app = useApp();
  return (
    <>
      <Button disabled={!editor.canResetAll} onClick={() => app.answer('keys', { action: 'resetAll' })}>
        Reset all
      </Button>
      <Button onClick={() => app.answer('keys', { action: 'import' })}>Import…</Button>
      <Button onClick={() => app.answer('keys', { action: 'export' })}>Export</Button>
    </>
  );
}

function Head({ editor }: { readonly editor: KeyEditorView }) {
  const app = useApp();
  return (
    <div className={own.head}>
      <h2 className={own.title}>Keys</h2>
      <Find editor={editor} />
      <span id="key-set" className="visually-hidden">
        Set of keys
      </span>
      <Segments
        id="key-sets"
        labelledBy="key-set"
        value={editor.preset}
        choices={editor.presets.map(({ id, title }) => ({ value: id, title }))}
        onChoose={(value) => {
          const chosen = editor.presets.find(({ id }) => id === value);
          if (chosen) app.answer('keys', { action: 'preset', preset: chosen.id });
        }}
      />
      <Button onClick={() => app.run('keys.print')}>Print…</Button>
      <CloseButton />
    </div>
  );
}

/** Every key and command, and what can be done about the chosen one. */
function List({ editor }: { readonly editor: KeyEditorView }) {
  const { options, recorder } = editor;
  return (
    <div className={own.lines}>
      <Choices editor={editor} />
      <About editor={editor} />
      <Options editor={editor} />
      {options.length === 0 && (
        <p className={styles.rule}>Nothing found. Type other words, or press another key.</p>
      )}
      {recorder ? <Recorder recorder={recorder} /> : options.length > 0 && <LineActions editor={editor} />}
    </div>
  );
}

export function KeyEditor({ editor }: { readonly editor: KeyEditorView }) {
  const app = useApp();
  const { sheet, options, answer } = editor;
  return (
    <div className={own.editor} data-ph="keys-editor">
      <Head editor={editor} />
      {sheet === null ? (
        <List editor={editor} />
      ) : (
        // What is higher than the dialog is scrolled to by keys too.
        // oxlint-disable-next-line no-noninteractive-tabindex
        <div className={own.sheet} role="group" aria-label="Most used keys" tabIndex={0} data-ph="key-sheet">
          <KeyColumns groups={sheet} />
        </div>
      )}
      <div className={own.foot}>
        {sheet === null ? (
          <Files editor={editor} />
        ) : (
          <Button
            onClick={() => {
              app.answer('keys', { action: 'list' });
              document.getElementById('key-find')?.focus();
            }}
          >
            Change keys <Keys caps={app.keysOf('options.choose')[0]} />
          </Button>
        )}
        <p
          role="status"
          className={`${own.answer} ${answer?.isError === true ? styles.error : styles.rule}`}
          data-ph="key-answer"
        >
          {answer?.text ?? ''}
        </p>
        {sheet !== null && <About editor={editor} />}
        {sheet !== null && <OwnKeysLegend groups={sheet} />}
      </div>
      <KeyBadges keys={options} />
    </div>
  );
}
