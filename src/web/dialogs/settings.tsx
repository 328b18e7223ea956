// The settings: a field that finds them, tabs, and one control each. What is shown and what an answer does is client/settings;
// here arrow keys lead from control to control, as far as a control has no use of its own for them.
import { useLayoutEffect, useRef } from 'react';
import type { ProgramInfo } from '#client/app/program-info.ts';
import type { SettingWayView, SettingRowView, SettingsView } from '#client/settings/settings-view.ts';
import { useApp } from '../parts/app-context.ts';
import { Keys } from '../parts/keycap.tsx';
import { Button } from './button.tsx';
import styles from './dialog.module.css';
import own from './settings.module.css';
import { keysIn } from '../platform/input/options.ts';

const ABOUT_LINKS = [
  ['/changelog', 'What’s new'],
  ['/guides', 'Guides'],
] as const;

const controlId = (key: string) => `setting-${key}`;
const tabId = (tab: string) => `settings-tab-${tab.replaceAll(/[^a-z]+/gi, '-').toLowerCase()}`;

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
    'data-option': '',
    defaultValue: value,
    onInput: (event: React.FormEvent<HTMLInputElement | HTMLTextAreaElement>) =>
      app.answer('settings', { action: 'draft', key, text: event.currentTarget.value }),
    onBlur: () => app.answer('settings', { action: 'commit' }),
  };
  if (isLong) return <textarea rows={4} {...common} {...keysIn()} />;
  return (
    <input
      type="text"
      {...common}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && !event.nativeEvent.isComposing)
          app.answer('settings', { action: 'commit' });
      }}
    />
  );
}

function Control({ row }: { readonly row: SettingRowView }) {
  const app = useApp();
  const { key, kind, value, choices } = row;
  const describedBy = `${controlId(key)}-help`;
  if (kind === 'text') return <TextControl row={row} />;
  if (kind === 'toggle') {
    const turn = (isOn: boolean) => app.answer('settings', { action: 'switch', key, isOn });
    return (
      <input
        id={controlId(key)}
        className={own.switch}
        type="checkbox"
        aria-describedby={describedBy}
        data-option=""
        checked={value === 'true'}
        onChange={(event) => turn(event.currentTarget.checked)}
      />
    );
  }
  return (
    <select
      {...keysIn()}
      id={controlId(key)}
      className={`${styles.input} ${own.select}`}
      aria-describedby={describedBy}
      data-option=""
      value={value}
      onChange={(event) => app.answer('settings', { action: 'set', key, text: event.currentTarget.value })}
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
              app.answer('settings', { action: 'reset', key });
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
          data-option=""
          onClick={() => {
            app.closeDialog();
            app.run(command);
          }}
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
          Version {about.version}, build {about.build}. {about.licence} license.
        </p>
        <p className={own.links}>
          {ABOUT_LINKS.map(([address, name]) => (
            <a
              key={address}
              className={own.aboutLink}
              href={address}
              target="_blank"
              rel="noreferrer"
              data-option=""
            >
              {name}
            </a>
          ))}
        </p>
      </div>
    </section>
  );
}

function Tabs({ tabs, tab }: Pick<SettingsView, 'tabs' | 'tab'>) {
  const app = useApp();
  const list = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    // The focus goes along from tab to tab.
    if (tab !== null && list.current?.contains(document.activeElement) === true)
      document.getElementById(tabId(tab))?.focus();
  }, [tab]);
  return (
    <div
      ref={list}
      className={own.tabs}
      role="tablist"
      aria-label="Settings"
      {...keysIn('dialog.settings', 'list')}
    >
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
          onClick={() => app.answer('settings', { action: 'tab', tab: name })}
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
    <div className={`${styles.form} ${own.settings}`} data-ph="settings" data-options="" {...keysIn('list')}>
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
          onChange={(event) => app.answer('settings', { action: 'filter', text: event.target.value })}
          data-option=""
          {...keysIn('list')}
        />
        {tab !== null && <Tabs tabs={tabs} tab={tab} />}
      </div>
      <div
        id="settings-panel"
        {...keysIn('list')}
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
