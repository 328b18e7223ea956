// The settings: a field that finds them, their tabs beside it, and one control each. What is shown and what an answer does is
// client/settings; here arrow keys lead from control to control, as far as a control has no use of its own for them.
import { type ReactNode, useLayoutEffect, useRef } from 'react';
import type { ProgramInfo } from '#client/app/program-info.ts';
import type { SettingTab } from '#client/settings/setting.ts';
import type { SettingWayView, SettingRowView, SettingsView } from '#client/settings/settings-view.ts';
import { useApp } from '../../parts/app-context.ts';
import { Icon, type IconName } from '../../parts/icon.tsx';
import { Keys } from '../../parts/keycap.tsx';
import { keysIn } from '../../platform/input/options.ts';
import { Button } from '../button.tsx';
import { CloseButton } from '../close-button.tsx';
import styles from '../dialog.module.css';
import { Glyph } from '../glyph.tsx';
import { Segments } from './segments.tsx';
import { SettingsSample } from './settings-sample.tsx';
import own from './settings.module.css';

const ABOUT_LINKS = [
  ['/changelog', 'What’s new'],
  ['/guides', 'Guides'],
] as const;

/** The icon of each tab; a gap stands before what concerns the account and the device. */
const TAB_ICONS: Readonly<Record<SettingTab, ReactNode>> = {
  General: <Icon name="settings" />,
  Behavior: <Icon name="repeat" />,
  Appearance: <Glyph name="palette" />,
  Keys: <Icon name="keyboard" />,
  Labels: <Icon name="label" />,
  Account: <Icon name="person" />,
  Data: <Glyph name="data" />,
  'This app': <Icon name="device" />,
};
const APART: SettingTab = 'Account';

const THEME_ICONS: Readonly<Record<string, IconName>> = { auto: 'device', light: 'today', dark: 'moon' };

function iconOf(key: string, value: string): ReactNode {
  const name = key === 'theme' ? THEME_ICONS[value] : undefined;
  return name === undefined ? null : <Icon name={name} size={14} />;
}

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
  const { key, control, value, choices } = row;
  const describedBy = `${controlId(key)}-help`;
  const set = (text: string) => app.answer('settings', { action: 'set', key, text });
  if (control === 'text') return <TextControl row={row} />;
  if (control === 'switch') {
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
  if (control === 'menu')
    return (
      <span className={own.menu}>
        <select
          {...keysIn()}
          id={controlId(key)}
          className={`${styles.input} ${own.select}`}
          aria-describedby={describedBy}
          data-option=""
          value={value}
          onChange={(event) => set(event.currentTarget.value)}
        >
          {choices.map((choice) => (
            <option key={choice.value} value={choice.value}>
              {choice.title}
            </option>
          ))}
        </select>
        <Glyph name="down" size={14} />
      </span>
    );
  return (
    <Segments
      id={controlId(key)}
      labelledBy={`${controlId(key)}-name`}
      describedBy={describedBy}
      value={value}
      choices={choices.map((choice) => ({ ...choice, icon: iconOf(key, choice.value) }))}
      onChoose={set}
    />
  );
}

/** The focus goes to the control of a setting, in a group to what is chosen. */
function focusControl(key: string): void {
  const control = document.getElementById(controlId(key));
  const chosen = control?.querySelector<HTMLElement>('input:checked');
  (chosen ?? control)?.focus();
}

function Row({ row, showsTab }: { readonly row: SettingRowView; readonly showsTab: boolean }) {
  const app = useApp();
  const { key, title, help, control, tab, isHereOnly, isLong, usual, problem, command } = row;
  const caps = app.keysOf(command)[0] ?? [];
  const isGroup = control === 'segments' || control === 'colors';
  const nameId = `${controlId(key)}-name`;
  return (
    <div className={own.row} data-kind={isLong ? 'long' : control} data-ph="setting" data-setting={key}>
      <div className={own.said}>
        <div className={own.named}>
          {isGroup ? <span id={nameId}>{title}</span> : <label htmlFor={controlId(key)}>{title}</label>}
          {caps.length > 0 && <Keys caps={caps} />}
          {usual !== null && (
            <button
              type="button"
              className={own.reset}
              onClick={() => {
                app.answer('settings', { action: 'reset', key });
                focusControl(key);
              }}
            >
              Back to {usual}
              <span className="visually-hidden">: {title}</span>
            </button>
          )}
        </div>
        <p id={`${controlId(key)}-help`} className={own.help}>
          {help}
          {isHereOnly && ' On this device only.'}
          {showsTab && ` (${tab})`}
        </p>
        {problem !== null && <p className={styles.error}>{problem}</p>}
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
    <div className={own.row} data-kind="way" data-ph="setting">
      <div className={own.said}>
        <div className={own.named}>
          <span>{name}</span>
          <Keys caps={app.keysOf(command)[0] ?? []} />
        </div>
        <p className={own.help}>
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
        <span>About Posthaste</span>
        <p className={own.help}>
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
    if (tab === null) return;
    const chosen = document.getElementById(tabId(tab));
    // On a phone they are wider than the screen.
    chosen?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    // The focus goes along from tab to tab.
    if (list.current?.contains(document.activeElement) === true) chosen?.focus();
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
          data-apart={name === APART ? '' : undefined}
          aria-selected={name === tab}
          aria-controls="settings-panel"
          tabIndex={name === tab || (tab === null && at === 0) ? 0 : -1}
          onClick={() => app.answer('settings', { action: 'tab', tab: name })}
        >
          {TAB_ICONS[name]}
          {name}
        </button>
      ))}
    </div>
  );
}

/** The settings: their tabs, what was searched for, and the controls of the chosen tab. */
export function Settings({ settings }: { readonly settings: SettingsView }) {
  const app = useApp();
  const { tabs, tab, query, hasSample, rows, ways, about, answer } = settings;
  return (
    <div className={own.settings} data-ph="settings" data-options="" {...keysIn('list')}>
      <h2 className="visually-hidden">Settings</h2>
      <div className={own.side}>
        <div className={`${styles.finder} ${own.finder}`}>
          <Icon name="search" size={14} />
          <input
            id="settings-find"
            className={`${styles.input} ${styles.find} ${own.find}`}
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
        </div>
        <Tabs tabs={tabs} tab={tab} />
      </div>
      <div className={own.main}>
        <div className={own.head}>
          <h3 className={own.title}>{tab ?? 'Found'}</h3>
          <p
            role="status"
            className={own.answer}
            data-tone={answer?.isError === true ? 'error' : undefined}
            data-ph="settings-answer"
          >
            {answer?.text ?? ''}
          </p>
          <CloseButton />
        </div>
        <div
          id="settings-panel"
          {...keysIn('list')}
          className={own.panel}
          role={tab === null ? 'group' : 'tabpanel'}
          aria-label={tab === null ? 'What was found' : undefined}
          aria-labelledby={tab === null ? undefined : tabId(tab)}
        >
          {hasSample && <SettingsSample />}
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
      </div>
    </div>
  );
}
