// The editor of a macro, a page over the sheet: the macro, its steps and its variables on one side, the fields of the chosen one on the
// other. client/macros/editor decides what is shown and what an answer does.
import { useEffect, useLayoutEffect, useRef } from 'react';
import type { MacroEditorView, MacroEntryView } from '#client/macros/editor/editor-view.ts';
import { useApp } from '../../parts/app-context.ts';
import { Icon } from '../../parts/icon.tsx';
import { Keys } from '../../parts/keycap.tsx';
import { PaletteIconOf } from '../../parts/palette-icon.tsx';
import { isField } from '../../platform/input/fields.ts';
import { keysIn } from '../../platform/input/options.ts';
import { Button } from '../button.tsx';
import { CloseButton } from '../close-button.tsx';
import { ChosenEntry } from './chosen.tsx';
import own from './editor.module.css';
import { Options } from './options.tsx';

const entryId = (index: number) => `macro-entry-${index}`;

function Entry({
  entry,
  index,
  isActive,
}: {
  readonly entry: MacroEntryView;
  readonly index: number;
  readonly isActive: boolean;
}) {
  const app = useApp();
  const { kind, icon, title, detail, problem, number } = entry;
  return (
    <div
      id={entryId(index)}
      role="option"
      aria-selected={isActive}
      className={own.entry}
      data-kind={kind}
      data-ph="macro-entry"
      onMouseDown={(event) => event.preventDefault()}
      onClick={() => app.answer('macroEditor', { action: 'choose', index })}
      onDoubleClick={() => app.answer('macroEditor', { action: 'open' })}
    >
      <span className={own.number}>
        {number !== null && (
          <>
            <span className="visually-hidden">Step </span>
            {number}
          </>
        )}
        {kind === 'variable' && <span className="visually-hidden">Variable</span>}
      </span>
      {kind !== 'variable' && <PaletteIconOf name={icon} />}
      <span className={own.words}>
        <span className={kind === 'variable' ? own.variable : own.what}>{title}</span>
        {problem === null ? (
          detail !== '' && <span className={own.detail}>{detail}</span>
        ) : (
          <span className={own.problem}>{problem}</span>
        )}
      </span>
    </div>
  );
}

function Adding({ adding }: { readonly adding: NonNullable<MacroEditorView['adding']> }) {
  const app = useApp();
  const { query, options, active } = adding;
  return (
    <div className={own.adding}>
      <input
        id="macro-adding"
        className={own.field}
        type="text"
        role="combobox"
        aria-label="Add which step?"
        aria-expanded={options.length > 0}
        aria-controls="macro-adding-options"
        aria-activedescendant={options.length > 0 ? `macro-adding-options-${active}` : undefined}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        placeholder="Add which step?"
        value={query}
        onFocus={() => app.answer('macroEditor', { action: 'atAdding' })}
        onChange={(event) => app.answer('macroEditor', { action: 'query', text: event.target.value })}
        {...keysIn('dialog.macroEditor', 'list')}
      />
      <Options
        id="macro-adding-options"
        name="Steps"
        options={options}
        active={active}
        onChoose={(index) => app.answer('macroEditor', { action: 'addStep', index })}
      />
      {options.length === 0 && <p className={own.none}>No command has those words. Type others.</p>}
    </div>
  );
}

function Section({
  name,
  entries,
  first,
  active,
}: {
  readonly name: string;
  readonly entries: readonly MacroEntryView[];
  /** The index of the first of them among all. */
  readonly first: number;
  readonly active: number;
}) {
  return (
    <div role="group" aria-label={name}>
      <div className={own.section} aria-hidden="true">
        {name}
      </div>
      {entries.map((entry, at) => (
        // Steps have no names of their own, and two may be the same.
        <Entry key={first + at} entry={entry} index={first + at} isActive={first + at === active} />
      ))}
    </div>
  );
}

function Entries({ macro }: { readonly macro: MacroEditorView }) {
  const app = useApp();
  const { entries, active, wanted } = macro;
  const list = useRef<HTMLDivElement>(null);
  const { length } = entries;
  // Not whenever something is typed: on a phone that would scroll away from the field, or from below a finger.
  useEffect(() => {
    document.getElementById(entryId(active))?.scrollIntoView({ block: 'nearest' });
  }, [active, length]);
  const steps = entries.filter(({ kind }) => kind === 'step');
  const variables = entries.filter(({ kind }) => kind === 'variable');
  const [about] = entries;
  return (
    <div
      ref={list}
      id="macro-entries"
      role="listbox"
      aria-label="The macro, its steps and its variables"
      aria-activedescendant={entryId(active)}
      className={own.entries}
      tabIndex={0}
      onFocus={() => app.answer('macroEditor', { action: 'atList' })}
      {...(wanted.place === 'entries' ? { 'data-first': '' } : {})}
      {...keysIn('dialog.macroSteps', 'dialog.macroEditor', 'list')}
    >
      {about && <Entry entry={about} index={0} isActive={active === 0} />}
      {steps.length > 0 && <Section name="Steps" entries={steps} first={1} active={active} />}
      {variables.length > 0 && (
        <Section name="Variables" entries={variables} first={1 + steps.length} active={active} />
      )}
    </div>
  );
}

function Side({ macro }: { readonly macro: MacroEditorView }) {
  const app = useApp();
  const way = (action: 'add' | 'variable' | 'record', words: string, command: string) => (
    <button type="button" className={own.way} onClick={() => app.answer('macroEditor', { action })}>
      {words} <Keys caps={app.keysOf(command)[0]} />
    </button>
  );
  return (
    <div className={own.side}>
      <Entries macro={macro} />
      {macro.adding === null ? (
        <div className={own.ways}>
          {way('add', 'Add a step', 'steps.add')}
          {way('record', 'Record what you do', 'steps.record')}
          {way('variable', 'Add a variable', 'steps.variable')}
        </div>
      ) : (
        <Adding adding={macro.adding} />
      )}
    </div>
  );
}

function Bar({ macro }: { readonly macro: MacroEditorView }) {
  const app = useApp();
  return (
    <div className={own.bar}>
      <CloseButton icon="back" />
      <h2 className={own.trail}>
        Macros
        <Icon name="chevron" size={12} />
        <b>{macro.name}</b>
      </h2>
      {macro.keys !== null && (
        <span className={own.hotkey}>
          <span className={own.hint}>Key</span> <Keys caps={macro.keys} />
        </span>
      )}
      <Button onClick={() => app.answer('macroEditor', { action: 'try' })}>
        Try it <Keys caps={app.keysOf('steps.check')[0]} />
      </Button>
      <Button onClick={() => app.answer('macroEditor', { action: 'run' })}>
        Run <Keys caps={app.keysOf('steps.run')[0]} />
      </Button>
      <Button kind="primary" onClick={() => app.closeDialog()}>
        Done
      </Button>
    </div>
  );
}

function Foot({ answer }: Pick<MacroEditorView, 'answer'>) {
  const app = useApp();
  const hint = (words: string, ...commands: readonly string[]) => (
    <span className={own.key}>
      {commands.map((command) => (
        <Keys key={command} caps={app.keysOf(command)[0]} />
      ))}{' '}
      {words}
    </span>
  );
  return (
    <div className={own.foot}>
      <p
        role="status"
        className={own.answer}
        data-error={answer?.isError === true ? '' : undefined}
        data-ph="macro-answer"
      >
        {answer?.text ?? ''}
      </p>
      <p className={own.help}>
        {hint('choose', 'options.up', 'options.down')}
        {hint('change', 'options.choose')}
        {hint('move step', 'steps.earlier', 'steps.later')}
        {hint('remove', 'steps.remove')}
        {hint('undo', 'edit.undo')}
      </p>
    </div>
  );
}

/** The editor of a macro, as the controller says. */
export function MacroEditor({ macro }: { readonly macro: MacroEditorView }) {
  const { wanted, chosen, completion, revision } = macro;
  const { place, turn, at } = wanted;
  useLayoutEffect(() => {
    if (turn === 0) return;
    const element = document.getElementById(`macro-${place}`);
    element?.focus();
    if (!isField(element)) return;
    if (at === 'all') element.select();
    else if (typeof at === 'number') element.setSelectionRange(at, at);
  }, [turn, place, at]);
  return (
    <div className={own.editor} data-ph="macro-editor">
      <Bar macro={macro} />
      <Side macro={macro} />
      <ChosenEntry chosen={chosen} completion={completion} wanted={wanted} revision={revision} />
      <Foot answer={macro.answer} />
    </div>
  );
}
