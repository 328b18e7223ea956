// The settings: a field that finds them, tabs, and one control each. What is shown and what an answer does is client/settings;
// here arrow keys lead from control to control, as far as a control has no use of its own for them.
import { type KeyboardEvent, useLayoutEffect, useRef } from 'react';
import type { ProgramInfo } from '#client/program-info.ts';
import type { SettingWayView, SettingRowView, SettingsView } from '#client/settings/settings-view.ts';
import { useApp } from '../parts/app-context.ts';
import { Keys } from '../parts/keycap.tsx';
import { Button } from './button.tsx';
import styles from './dialog.module.css';
import own from './settings.module.css';

const ABOUT_LINKS = [
  ['/changelog', 'What has changed'],
  ['/guides', 'Guides'],
] as const;

const controlId = (key: string) => `setting-${key}`;
const tabId = (tab: string) => `settings-tab-${tab.replaceAll(/[^a-z]+/gi, '-').toLowerCase()}`;

/** The next or previous control of the panel; null at its ends. */
function neighbourOf(control: Element, step: 1 | -1): HTMLElement | null {
  const all = [...document.querySelectorAll<HTMLElement>('[data-setting-control]')];
  return all[all.indexOf(control as HTMLElement) + step] ?? null;
}

function onArrow(event: KeyboardEvent<HTMLElement>): void {
  const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
  if (step === 0 || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const next =
    neighbourOf(event.currentTarget, step) ?? (step === -1 ? document.getElementById('settings-find') : null);
  if (!next) return;
  event.preventDefault();
  next.focus();
}

function TextControl({ row }: { readonly row: SettingRowView }) {
  const app = useApp();
  const field = useRef<HTMLInputElement & HTMLTextAreaElement>(null);
  const { key, value, problem, isLong } = row;
  useLayoutEffect(() => {
    if (field.current && field.current.value !== value) field.current.value = value;
  }, [value, problem]);
  const common = {
    ref: field,
    id: controlId(key),
    className: `${styles.input} ${own.text}`,
    autoComplete: 'off',
    autoCapitalize: 'off',
    spellCheck: false,
    'aria-describedby': `${controlId(key)}-help`,
    'aria-invalid': problem !== null,
    'data-setting-control': '',
    defaultValue: value,
    onInput: (event: React.FormEvent<HTMLInputElement | HTMLTextAreaElement>) =>
      app.submitDialog({ action: 'draft', key, text: event.currentTarget.value }),
    onBlur: () => app.submitDialog({ action: 'commit' }),
  };
  if (isLong) return <textarea rows={4} {...common} />;
  return (
    <input
      type="text"
      {...common}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && !event.nativeEvent.isComposing) app.submitDialog({ action: 'commit' });
        else onArrow(event);
      }}
    />
  );
}

function Control({ row }: { readonly row: SettingRowView }) {
  const app = useApp();
  const { key, kind, value, choices } = row;
  const describedBy = `${controlId(key)}-help`;
  const set = (text: string) => app.submitDialog({ action: 'set', key, text });
  if (kind === 'text') return <TextControl row={row} />;
  if (kind === 'toggle')
    return (
      <input
        id={controlId(key)}
        className={own.switch}
        type="checkbox"
        aria-describedby={describedBy}
        data-setting-control=""
        checked={value === 'true'}
        onChange={(event) => set(String(event.currentTarget.checked))}
        onKeyDown={(event) => {
          if (event.key === 'Enter') {
            event.preventDefault();
            if (!event.repeat) set(String(value !== 'true'));
          } else onArrow(event);
        }}
      />
    );
  return (
    <select
      id={controlId(key)}
      className={`${styles.input} ${own.select}`}
      aria-describedby={describedBy}
      data-setting-control=""
      value={value}
      onChange={(event) => set(event.currentTarget.value)}
    >
      {choices.map((choice) => (
        <option key={choice.value} value={choice.value}>
          {choice.title}
        </option>
      ))}
    </select>
  );
}

function Row({ row, showsTab }: { readonly row: SettingRowView; readonly showsTab: boolean }) {
  const app = useApp();
  const { key, title, help, kind, tab, isHereOnly, isLong, usual, problem, command } = row;
  const caps = app.keysOf(command)[0] ?? [];
  return (
    <div className={own.row} data-kind={isLong ? 'long' : kind} data-ph="setting" data-setting={key}>
      <div className={own.said}>
        <label className={styles.label} htmlFor={controlId(key)}>
          {title}
        </label>
        {caps.length > 0 && <Keys caps={caps} />}
        <p id={`${controlId(key)}-help`} className={styles.rule}>
          {help}
          {isHereOnly && ' On this device only.'}
          {showsTab && ` (${tab})`}
        </p>
        {problem !== null && <p className={styles.error}>{problem}</p>}
        {usual !== null && (
          <button
            type="button"
            className={own.reset}
            onClick={() => {
              app.submitDialog({ action: 'reset', key });
              document.getElementById(controlId(key))?.focus();
            }}
          >
            Back to {usual}
            <span className="visually-hidden">: {title}</span>
          </button>
        )}
      </div>
      <Control row={row} />
    </div>
  );
}

/** What is set elsewhere. */
function Way({ way, showsTab }: { readonly way: SettingWayView; readonly showsTab: boolean }) {
  const app = useApp();
  const { command, verb, title, help, tab, unavailable } = way;
  const name = title.replace(/…$/, '');
  return (
    <div className={own.row} data-kind="toggle" data-ph="setting">
      <div className={own.said}>
        <span className={styles.label}>{name}</span>
        <Keys caps={app.keysOf(command)[0] ?? []} />
        <p className={styles.rule}>
          {unavailable ?? help}
          {showsTab && ` (${tab})`}
        </p>
      </div>
      {unavailable === null && (
        <Button
          data-setting-control=""
          onClick={() => {
            app.closeDialog();
            app.run(command);
          }}
          onKeyDown={onArrow}
        >
          {verb}
          <span className="visually-hidden">: {name}</span>
        </Button>
      )}
    </div>
  );
}

function About({ about }: { readonly about: ProgramInfo }) {
  return (
    <section className={own.row} data-kind="about" data-ph="about" aria-label="About Posthaste">
      <div className={own.said}>
        <span className={styles.label}>About Posthaste</span>
        <p className={styles.rule}>
          Version {about.version}, build {about.build}. {about.licence} licence.
        </p>
        <p className={own.links}>
          {ABOUT_LINKS.map(([address, name]) => (
            <a
              key={address}
              className={own.aboutLink}
              href={address}
              target="_blank"
              rel="noreferrer"
              data-setting-control=""
              onKeyDown={onArrow}
            >
              {name}
            </a>
          ))}
        </p>
      </div>
    </section>
  );
}

function Tabs({ tabs, tab }: { readonly tabs: readonly string[]; readonly tab: string | null }) {
  const app = useApp();
  function onKey(event: KeyboardEvent<HTMLElement>, at: number): void {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const moves: Readonly<Record<string, number>> = {
      ArrowRight: at + 1,
      ArrowLeft: at - 1,
      Home: 0,
      End: tabs.length - 1,
    };
    const to = moves[event.key];
    if (to !== undefined) {
      const next = tabs[(to + tabs.length) % tabs.length] ?? '';
      event.preventDefault();
      app.submitDialog({ action: 'tab', text: next });
      document.getElementById(tabId(next))?.focus();
    } else if (event.key === 'ArrowDown') {
      event.preventDefault();
      document.querySelector<HTMLElement>('[data-setting-control]')?.focus();
    }
  }
  return (
    <div className={own.tabs} role="tablist" aria-label="Settings">
      {tabs.map((name, at) => (
        <button
          key={name}
          id={tabId(name)}
          type="button"
          role="tab"
          className={own.tab}
          aria-selected={name === tab}
          aria-controls="settings-panel"
          tabIndex={name === tab || (tab === null && at === 0) ? 0 : -1}
          onClick={() => app.submitDialog({ action: 'tab', text: name })}
          onKeyDown={(event) => onKey(event, at)}
        >
          {name}
        </button>
      ))}
    </div>
  );
}

export function Settings({ settings }: { readonly settings: SettingsView }) {
  const app = useApp();
  const { tabs, tab, query, rows, ways, about, answer } = settings;
  return (
    <div className={`${styles.form} ${own.settings}`} data-ph="settings">
      <div className={own.head}>
        <h2 className={styles.title}>Settings</h2>
        <input
          id="settings-find"
          className={styles.input}
          data-first=""
          type="search"
          aria-label="Find a setting"
          aria-controls="settings-panel"
          autoComplete="off"
          spellCheck={false}
          placeholder="Find a setting"
          value={query}
          onChange={(event) => app.submitDialog({ action: 'filter', text: event.target.value })}
          onKeyDown={(event) => {
            if (event.nativeEvent.isComposing || (event.key !== 'ArrowDown' && event.key !== 'Enter')) return;
            event.preventDefault();
            document.querySelector<HTMLElement>('[data-setting-control]')?.focus();
          }}
        />
        {tab !== null && <Tabs tabs={tabs} tab={tab} />}
      </div>
      <div
        id="settings-panel"
        className={own.panel}
        role={tab === null ? 'group' : 'tabpanel'}
        aria-label={tab === null ? 'What was found' : undefined}
        aria-labelledby={tab === null ? undefined : tabId(tab)}
      >
        {rows.map((row) => (
          <Row key={row.key} row={row} showsTab={tab === null} />
        ))}
        {ways.map((way) => (
          <Way key={way.command} way={way} showsTab={tab === null} />
        ))}
        {about !== null && <About about={about} />}
        {rows.length + ways.length === 0 && about === null && (
          <p className={styles.rule}>No setting has these words. Try another.</p>
        )}
      </div>
      <div className={own.foot}>
        <Button onClick={() => app.closeDialog()}>Close</Button>
        <p
          role="status"
          className={answer?.isError === true ? styles.error : own.answer}
          data-ph="settings-answer"
        >
          {answer?.text ?? ''}
        </p>
      </div>
    </div>
  );
}
