// Puts the chosen look on the page, and keeps it for the next start, which shows it before anything is loaded
// (public/theme-boot.js). client/settings/look.ts says what the look is.
import type { App } from '#client/app/app.ts';
import {
  accent,
  density,
  fontSize,
  motion,
  ownTheme,
  statusBar,
  theme,
  themeGradient,
} from '#client/settings/appearance.ts';
import { type Look, lookOf } from '#client/settings/look.ts';
import { followCustomCss, isOwnSheet } from './custom-css.ts';

const MARKS = ['theme', 'density', 'motion', 'status', 'gradient'] as const;
const KEPT = 'look';

/** The rule that holds the tokens: in a layer of its own, so that a person's own CSS wins over it. */
function ownRule(): CSSStyleDeclaration {
  for (const sheet of document.adoptedStyleSheets) {
    const [layer] = sheet.cssRules;
    if (!(layer instanceof CSSLayerBlockRule) || layer.name !== 'look' || isOwnSheet(sheet)) continue;
    const [rule] = layer.cssRules;
    if (rule instanceof CSSStyleRule) return rule.style;
  }
  const sheet = new CSSStyleSheet();
  sheet.replaceSync('@layer look { :root {} }');
  document.adoptedStyleSheets.unshift(sheet);
  return ownRule();
}

function show({ marks, tokens }: Look): void {
  const root = document.documentElement;
  for (const name of MARKS) {
    const mark = marks[name];
    if (mark === undefined) root.removeAttribute(`data-ph-${name}`);
    else root.setAttribute(`data-ph-${name}`, mark);
  }
  const rule = ownRule();
  const held = Array.from({ length: rule.length }, (_, index) => rule.item(index));
  for (const name of held) if (!(name in tokens)) rule.removeProperty(name);
  for (const [name, value] of Object.entries(tokens)) rule.setProperty(name, value);
}

/** Follows the settings from when they have been read; returns what stops it. */
export function followLook(app: App): () => void {
  const signals = {
    theme: app.setting(theme),
    accent: app.setting(accent),
    density: app.setting(density),
    fontSize: app.setting(fontSize),
    motion: app.setting(motion),
    statusBar: app.setting(statusBar),
    tokens: app.setting(ownTheme),
    gradient: app.setting(themeGradient),
  };
  let isOver = false;
  const apply = (): void => {
    if (isOver) return;
    const said = {
      theme: signals.theme.get(),
      accent: signals.accent.get(),
      density: signals.density.get(),
      fontSize: signals.fontSize.get(),
      motion: signals.motion.get(),
      statusBar: signals.statusBar.get(),
      tokens: signals.tokens.get(),
      gradient: signals.gradient.get(),
    };
    show(lookOf(said, app.platform.isSafe));
    app.platform.preferences.set(KEPT, JSON.stringify(lookOf(said, false)));
  };
  const stops: (() => void)[] = [followCustomCss(app)];
  // Before the account's settings are here, the look of the last time is the better one.
  void app.engine.loaded().then(() => {
    if (isOver) return;
    for (const signal of Object.values(signals)) stops.push(signal.subscribe(apply));
    apply();
  });
  return () => {
    isOver = true;
    for (const stop of stops) stop();
  };
}
