// The fields of what is chosen in the macro editor: the macro itself, a step with the answers of its command, a script, a variable.
import { macroIcons } from '#client/macros/macro.ts';
import type { MacroChosenView, MacroEditorDeed } from '#client/macros/editor/editor-view.ts';
import { counted } from '#core/counted.ts';
import { useApp } from '../../parts/app-context.ts';
import { Keys } from '../../parts/keycap.tsx';
import { PaletteIconOf } from '../../parts/palette-icon.tsx';
import { Switch } from '../../parts/switch.tsx';
import { keysIn } from '../../platform/input/options.ts';
import { Button } from '../button.tsx';
import own from './editor.module.css';
import { type Around, Field } from './field.tsx';
import { Script } from './script.tsx';

function Turn({
  action,
  what,
  name,
  hint,
  isOn,
}: {
  readonly action: 'asked' | 'links';
  readonly what: string;
  readonly name: string;
  readonly hint: string;
  readonly isOn: boolean;
}) {
  const app = useApp();
  return (
    <div className={own.row}>
      <span id={`macro-${action}`} className={own.name}>
        {what}
      </span>
      <div className={own.control}>
        <label className={own.check}>
          <Switch
            data-option=""
            aria-labelledby={`macro-${action} macro-${action}-name`}
            aria-describedby={`macro-${action}-hint`}
            isOn={isOn}
            onTurn={(turned) => app.answer('macroEditor', { action, isOn: turned })}
            {...keysIn('dialog.macroEditor', 'list')}
          />
          <span id={`macro-${action}-name`}>{name}</span>
        </label>
        <p id={`macro-${action}-hint`} className={own.hint}>
          {hint}
        </p>
      </div>
    </div>
  );
}

function Icons({ value }: { readonly value: string }) {
  const app = useApp();
  return (
    <div className={own.row}>
      <span id="macro-icon" className={own.name}>
        Icon
      </span>
      <div className={own.icons} role="radiogroup" aria-labelledby="macro-icon">
        {macroIcons.map((icon) => (
          <label key={icon} className={own.icon}>
            <input
              type="radio"
              name="macro-icon"
              aria-label={icon}
              checked={icon === value}
              onChange={() => app.answer('macroEditor', { action: 'icon', icon })}
              {...(icon === value ? { 'data-option': '' } : {})}
            />
            <PaletteIconOf name={icon} />
          </label>
        ))}
      </div>
    </div>
  );
}

function About({
  chosen,
  ...around
}: Around & { readonly chosen: Extract<MacroChosenView, { readonly kind: 'macro' }> }) {
  const app = useApp();
  const { name, icon, keys, takesLinks, address } = chosen;
  const act = (action: 'key' | 'copyLink' | 'copyText' | 'copyMacro' | 'delete') => () =>
    app.answer('macroEditor', { action });
  return (
    <>
      <Field field="name" name="Name" value={name} {...around} />
      <Icons value={icon} />
      <div className={own.row}>
        <span className={own.name}>Key</span>
        <div className={own.inline}>
          {keys === null ? <span className={own.hint}>None yet</span> : <Keys caps={keys} />}
          <Button onClick={act('key')}>
            {keys === null ? 'Give it a key' : 'Change the key'} <Keys caps={app.keysOf('steps.key')[0]} />
          </Button>
        </div>
      </div>
      <Turn
        action="links"
        what="Links"
        name="Links and programs may run it"
        hint="The app asks before the first link of a session. Programs may only if you let them in the settings."
        isOn={takesLinks}
      />
      {takesLinks && (
        <div className={own.row}>
          <span className={own.name}>Its link</span>
          <div className={own.inline}>
            <code className={own.address}>{address}</code>
            <Button onClick={act('copyLink')}>Copy</Button>
          </div>
        </div>
      )}
      <div className={own.last}>
        <Button onClick={act('copyText')}>Copy as text</Button>
        <Button onClick={act('copyMacro')}>Duplicate</Button>
        <Button kind="danger" onClick={act('delete')}>
          Delete macro
        </Button>
      </div>
    </>
  );
}

function CommandStep({
  chosen,
  ...around
}: Around & { readonly chosen: Extract<MacroChosenView, { readonly kind: 'step' }> }) {
  const { answers, asksLater, note, problem } = chosen;
  const none = asksLater ? 'It asks when it runs, so it can only be the last step.' : 'It asks for nothing.';
  return (
    <>
      {answers.map(({ field, prompt, text, isLong }) => (
        <Field key={field} field={field} name={prompt} value={text} isLong={isLong} {...around} />
      ))}
      {answers.length === 0 && <p className={own.hint}>{none}</p>}
      <Field field="note" name="Name of this step" value={note} placeholder="Optional" {...around} />
      {problem !== null && (
        <p className={own.problem} data-ph="macro-problem">
          {problem}
        </p>
      )}
      {answers.length > 0 && (
        <p className={own.hint}>
          Type {'{{'} for a variable. It stands for its value wherever you write it: in a title, a list, a
          date.
        </p>
      )}
    </>
  );
}

function Variable({
  chosen,
  ...around
}: Around & { readonly chosen: Extract<MacroChosenView, { readonly kind: 'variable' }> }) {
  const { name, value, isAsked, uses } = chosen;
  return (
    <>
      <Field
        field="variable"
        name="Name"
        value={name}
        hint={
          uses === 0 ? 'No step uses it yet.' : `${counted(uses, 'step')} ${uses === 1 ? 'uses' : 'use'} it.`
        }
        {...around}
      />
      <Turn
        action="asked"
        what="Value"
        name="Ask each time"
        hint="The palette asks for it when the macro starts. A link or another macro can give it."
        isOn={isAsked}
      />
      {!isAsked && <Field field="value" name="It is" value={value} {...around} />}
    </>
  );
}

/** What keys do with a step or a variable, for a pointer. */
function Deeds({ isStep }: { readonly isStep: boolean }) {
  const app = useApp();
  const deed = (words: string, command: string, action: MacroEditorDeed) => (
    <Button onClick={() => app.answer('macroEditor', action)}>
      {words} <Keys caps={app.keysOf(command)[0]} />
    </Button>
  );
  return (
    <div className={own.last}>
      {isStep && deed('Move up', 'steps.earlier', { action: 'shift', by: -1 })}
      {isStep && deed('Move down', 'steps.later', { action: 'shift', by: 1 })}
      {isStep && deed('Duplicate', 'steps.duplicate', { action: 'duplicate' })}
      {deed('Remove', 'steps.remove', { action: 'remove' })}
    </div>
  );
}

const isText = (element: Element) => element.matches('input[type=text], textarea');

const titleOf = (chosen: MacroChosenView): string => {
  if (chosen.kind === 'macro') return 'Macro';
  if (chosen.kind === 'variable') return 'Variable';
  return `${chosen.number}. ${chosen.kind === 'script' ? 'Run JavaScript' : chosen.title}`;
};

export function ChosenEntry({ chosen, ...around }: Around & { readonly chosen: MacroChosenView }) {
  const app = useApp();
  const key = chosen.kind === 'step' || chosen.kind === 'script' ? chosen.number : chosen.kind;
  return (
    <section
      key={key}
      className={own.chosen}
      aria-label={titleOf(chosen)}
      data-options=""
      data-ph="macro-chosen"
      onFocus={({ target }) => isText(target) || app.answer('macroEditor', { action: 'atControl' })}
    >
      <h3 className={own.heading}>{titleOf(chosen)}</h3>
      {chosen.kind === 'macro' && <About chosen={chosen} {...around} />}
      {chosen.kind === 'step' && <CommandStep chosen={chosen} {...around} />}
      {chosen.kind === 'script' && <Script chosen={chosen} {...around} />}
      {chosen.kind === 'variable' && <Variable chosen={chosen} {...around} />}
      {chosen.kind !== 'macro' && <Deeds isStep={chosen.kind !== 'variable'} />}
    </section>
  );
}
