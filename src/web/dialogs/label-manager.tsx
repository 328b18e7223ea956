// Labels and groups themselves: a field to find or name one and the list on one side, the chosen one on the other.
// client/labels decides what is shown and what an answer does.
import { counted } from '#core/counted.ts';
import { Fragment, useEffect, useLayoutEffect, useRef } from 'react';
import { colorName, swatches } from '#client/labels/colors.ts';
import type { LabelChosenView, LabelEntryView, LabelManagerView } from '#client/labels/label-view.ts';
import { useApp } from '../parts/app-context.ts';
import { Icon } from '../parts/icon.tsx';
import { Keys } from '../parts/keycap.tsx';
import { Switch } from '../parts/switch.tsx';
import { Button } from './button.tsx';
import own from './label-manager.module.css';
import { keysIn } from '../platform/input/options.ts';

const FIND = 'label-find';
const entryId = (index: number) => `label-entry-${index}`;
const dot = (color: string) => ({ '--ph-label': color }) as React.CSSProperties;

/** Committed by Enter, by leaving it, and by closing the dialog. */
function TextField({
  field,
  name,
  value,
  revision,
  hint,
}: {
  readonly field: 'name' | 'hotkey';
  readonly name: string;
  readonly value: string;
  readonly revision: number;
  readonly hint?: string;
}) {
  const app = useApp();
  const input = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    if (input.current && input.current.value !== value) input.current.value = value;
  }, [value, revision]);
  return (
    <div className={own.row}>
      <label className={own.what} htmlFor={`label-${field}`}>
        {name}
      </label>
      <input
        ref={input}
        id={`label-${field}`}
        data-option={field === 'name' ? '' : undefined}
        data-field={field}
        className={own.field}
        type="text"
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        aria-describedby={hint === undefined ? undefined : `label-${field}-hint`}
        defaultValue={value}
        onInput={(event) =>
          app.answer('labelManager', { action: 'draft', field, text: event.currentTarget.value })
        }
        onBlur={() => app.answer('labelManager', { action: 'commit' })}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && !event.nativeEvent.isComposing)
            app.answer('labelManager', { action: 'commit' });
        }}
      />
      {hint !== undefined && (
        <p id={`label-${field}-hint`} className={own.hint}>
          {hint}
        </p>
      )}
    </div>
  );
}

function Colors({ value }: { readonly value: string }) {
  const app = useApp();
  const isOwn = !swatches.some((color) => color.value === value);
  const colors = isOwn ? [...swatches, { name: colorName(value), value }] : swatches;
  return (
    <div className={own.row} role="radiogroup" aria-labelledby="label-color">
      <span id="label-color" className={own.what}>
        Color
      </span>
      <div className={own.swatches}>
        {colors.map((color) => (
          <input
            key={color.value}
            type="radio"
            name="label-color"
            className={own.swatch}
            style={dot(color.value)}
            aria-label={color.name}
            title={color.name}
            checked={color.value === value}
            onChange={() => app.answer('labelManager', { action: 'color', color: color.value })}
          />
        ))}
      </div>
    </div>
  );
}

function Groups({
  group,
  groups,
}: {
  readonly group: string | null;
  readonly groups: LabelManagerView['groups'];
}) {
  const app = useApp();
  const choices = [{ id: null, name: 'None' }, ...groups];
  return (
    <div className={own.row} role="radiogroup" aria-labelledby="label-group">
      <span id="label-group" className={own.what}>
        Group
      </span>
      <div className={own.segments}>
        {choices.map(({ id, name }) => (
          <label key={id ?? ''} className={own.segment}>
            <input
              type="radio"
              name="label-group"
              checked={id === group}
              onChange={() => app.answer('labelManager', { action: 'group', group: id })}
            />
            {name}
          </label>
        ))}
      </div>
    </div>
  );
}

function Turn({
  what,
  action,
  isOn,
  name,
  hint,
}: {
  readonly what: string;
  readonly action: 'private' | 'exclusive';
  readonly isOn: boolean;
  readonly name: string;
  readonly hint: string;
}) {
  const app = useApp();
  return (
    <div className={own.row}>
      <span id={`label-${action}`} className={own.what}>
        {what}
      </span>
      <label className={own.check}>
        <Switch
          aria-labelledby={`label-${action} label-${action}-name`}
          aria-describedby={`label-${action}-hint`}
          isOn={isOn}
          onTurn={(turned) => app.answer('labelManager', { action, isOn: turned })}
        />
        <span id={`label-${action}-name`}>{name}</span>
      </label>
      <p id={`label-${action}-hint`} className={own.hint}>
        {hint}
      </p>
    </div>
  );
}

/** How a task with the label looks. */
function Preview({ chosen }: { readonly chosen: Extract<LabelChosenView, { readonly kind: 'label' }> }) {
  return (
    <div className={own.preview} aria-hidden="true">
      <span className={own.box} />
      <span className={own.title}>{chosen.sample ?? 'A task with this label'}</span>
      <span className={own.color} style={dot(chosen.color)} />
      <span className={own.worn}>{chosen.name}</span>
    </div>
  );
}

function Tasks({ chosen }: { readonly chosen: LabelChosenView }) {
  const app = useApp();
  const { count, name } = chosen;
  return (
    <div className={own.row}>
      <span className={own.what}>Tasks</span>
      <span className={own.count}>{count === 0 ? 'No open task' : counted(count, 'open task')}</span>
      <Button onClick={() => app.answer('labelManager', { action: 'tasks' })}>
        <span>
          Show<span className="visually-hidden"> the tasks with {name}</span>
        </span>
        <Keys caps={app.keysOf('labels.tasks')[0]} />
      </Button>
    </div>
  );
}

function Exclusive({ group }: { readonly group: { readonly name: string; readonly exclusive: boolean } }) {
  return (
    <Turn
      what={`Group “${group.name}”`}
      action="exclusive"
      isOn={group.exclusive}
      name="One label per task"
      hint="A task keeps the last one you put on."
    />
  );
}

function Chosen({
  chosen,
  manager,
}: {
  readonly chosen: LabelChosenView;
  readonly manager: LabelManagerView;
}) {
  const app = useApp();
  const { revision, groups } = manager;
  const { kind, id, name, isPrivate, list } = chosen;
  const group = kind === 'label' ? groups.find((each) => each.id === chosen.group) : undefined;
  return (
    <section className={own.chosen} aria-label={`The chosen ${kind}`} data-ph="label-chosen">
      {kind === 'label' && <Preview chosen={chosen} />}
      <TextField key={`${id}.name`} field="name" name="Name" value={name} revision={revision} />
      {kind === 'label' && (
        <>
          <Colors value={chosen.color} />
          <Groups group={chosen.group} groups={groups} />
          <TextField
            key={`${id}.hotkey`}
            field="hotkey"
            name="Key"
            value={chosen.hotkey}
            revision={revision}
            hint="Adds it to the selected tasks or removes it. Use 1, Alt+1, or l h for a sequence."
          />
        </>
      )}
      {list === null ? (
        <Turn
          what="Private"
          action="private"
          isOn={isPrivate}
          name={kind === 'label' ? 'Only you see it' : 'Only you see it and its labels'}
          hint="People who share a list with you don’t."
        />
      ) : (
        <p className={own.hint}>It belongs to the list “{list}”: everybody on it sees and changes it.</p>
      )}
      <Tasks chosen={chosen} />
      {kind === 'group' && <Exclusive group={chosen} />}
      {group !== undefined && (
        <>
          <hr className={own.rule} />
          <Exclusive group={group} />
        </>
      )}
      <div className={own.last}>
        <Button kind="danger" onClick={() => app.answer('labelManager', { action: 'delete' })}>
          Delete {kind}
        </Button>
      </div>
    </section>
  );
}

function Entry({
  entry,
  index,
  isActive,
  isApart,
}: {
  readonly entry: LabelEntryView;
  readonly index: number;
  readonly isActive: boolean;
  /** The first label without a group, below groups. */
  readonly isApart: boolean;
}) {
  const app = useApp();
  const { kind, color, note, count } = entry;
  return (
    <div
      id={entryId(index)}
      role="option"
      aria-selected={isActive}
      className={own.entry}
      data-kind={kind}
      data-apart={isApart ? '' : undefined}
      data-ph="label-entry"
      onMouseDown={(event) => event.preventDefault()}
      onClick={() => app.answer('labelManager', { action: 'choose', id: entry.id })}
      onDoubleClick={() => app.answer('labelManager', { action: 'rename' })}
    >
      {color !== null && <span className={own.color} style={dot(color)} aria-hidden="true" />}
      <span className={own.name}>{entry.name}</span>
      {kind === 'group' && <span className="visually-hidden">, group</span>}
      {note !== '' && (
        <>
          <span className="visually-hidden">, </span>
          <span className={own.note}>{note}</span>
        </>
      )}
      <Keys caps={entry.keys} />
      {kind === 'label' && (
        <span className={own.number}>
          <span className="visually-hidden">, </span>
          {count}
          <span className="visually-hidden"> open</span>
        </span>
      )}
    </div>
  );
}

/** Stands over the name of the chosen entry: an option of a list holds no field. */
function Renaming({ chosen, active }: { readonly chosen: LabelChosenView; readonly active: number }) {
  const app = useApp();
  const input = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    const element = input.current;
    const entry = document.getElementById(entryId(active));
    if (!element || !entry) return undefined;
    element.style.setProperty('--entry-y', `${entry.offsetTop}px`);
    element.focus();
    element.select();
    return () => {
      // Back to where the arrows choose, unless the person went on elsewhere.
      const { activeElement } = document;
      if (activeElement === element || activeElement === document.body)
        document.getElementById(FIND)?.focus();
    };
  }, [active]);
  return (
    <input
      ref={input}
      className={own.renaming}
      data-kind={chosen.kind}
      type="text"
      aria-label={`New name of ${chosen.name}`}
      autoComplete="off"
      autoCapitalize="off"
      spellCheck={false}
      defaultValue={chosen.name}
      onInput={(event) =>
        app.answer('labelManager', { action: 'draft', field: 'name', text: event.currentTarget.value })
      }
      onBlur={() => app.answer('labelManager', { action: 'commit' })}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && !event.nativeEvent.isComposing)
          app.answer('labelManager', { action: 'commit' });
      }}
    />
  );
}

function List({ manager }: { readonly manager: LabelManagerView }) {
  const list = useRef<HTMLDivElement>(null);
  const { entries, active, filter, chosen, isRenaming } = manager;
  const { length } = entries;
  // Not whenever something is typed: on a phone that would scroll away from the field.
  useEffect(() => {
    list.current?.querySelectorAll('[role=option]')[active]?.scrollIntoView({ block: 'nearest' });
  }, [active, length]);
  const firstLoose = entries.findIndex(({ kind, level }) => kind === 'label' && level === 1);
  return (
    <div className={own.scroll}>
      <div ref={list} id="label-entries" role="listbox" aria-label="Labels and groups" tabIndex={-1}>
        {entries.map((entry, index) => (
          <Fragment key={entry.id}>
            {entry.heading !== null && (
              <div className={own.scope} role="presentation" data-ph="label-scope">
                {entry.heading}
              </div>
            )}
            <Entry
              entry={entry}
              index={index}
              isActive={index === active}
              isApart={index > 0 && index === firstLoose}
            />
          </Fragment>
        ))}
      </div>
      {entries.length === 0 && (
        <p className={own.none}>
          {filter === ''
            ? 'No labels yet. Type a name and press Enter.'
            : 'No label has that name. Press Enter to create it.'}
        </p>
      )}
      {isRenaming && chosen && <Renaming key={chosen.id} chosen={chosen} active={active} />}
    </div>
  );
}

function Head({ named }: { readonly named: string }) {
  const app = useApp();
  const create = (action: 'createLabel' | 'createGroup') => {
    app.answer('labelManager', { action });
    // A name is wanted first.
    if (named === '') document.getElementById(FIND)?.focus();
  };
  return (
    <div className={own.head}>
      <h2 className={own.heading}>Labels</h2>
      <Button onClick={() => create('createLabel')}>
        <Icon name="plus" />
        <span className={own.wanted}>New label{named}</span>
      </Button>
      <Button onClick={() => create('createGroup')}>
        <Icon name="folder" />
        <span className={own.wanted}>New group{named}</span>
      </Button>
      <button type="button" className={own.close} aria-label="Close" onClick={() => app.closeDialog()}>
        <Icon name="close" />
      </button>
    </div>
  );
}

function Foot({ answer }: Pick<LabelManagerView, 'answer'>) {
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
        data-ph="label-answer"
      >
        {answer?.text ?? ''}
      </p>
      <p className={own.help}>
        {hint('choose', 'options.up', 'options.down')}
        {hint('rename', 'labels.rename')}
        {hint('show tasks', 'labels.tasks')}
        {hint('undo', 'history.undo')}
      </p>
    </div>
  );
}

export function LabelManager({ manager }: { readonly manager: LabelManagerView }) {
  const app = useApp();
  const { entries, active, filter, chosen, answer } = manager;
  const named = filter.trim() === '' ? '' : ` ‘${filter.trim()}’`;
  return (
    <div className={own.manager} data-ph="label-manager">
      <Head named={named} />
      <div className={own.side}>
        <span className={own.find}>
          <Icon name="search" />
          <input
            id={FIND}
            className={own.field}
            data-first=""
            data-narrows=""
            type="text"
            role="combobox"
            aria-label="Find a label or name a new one"
            aria-expanded={entries.length > 0}
            aria-controls="label-entries"
            aria-activedescendant={active >= 0 ? entryId(active) : undefined}
            autoComplete="off"
            spellCheck={false}
            placeholder="Find, or name a new one"
            value={filter}
            onChange={(event) => app.answer('labelManager', { action: 'filter', text: event.target.value })}
            data-option=""
            {...keysIn('dialog.labelManager', 'list')}
          />
        </span>
        <List manager={manager} />
      </div>
      {chosen && <Chosen chosen={chosen} manager={manager} />}
      <Foot answer={answer} />
    </div>
  );
}
