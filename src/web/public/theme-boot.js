// Before the first paint: the look that platform/look.ts kept, checked again, and custom CSS.
(() => {
  const root = document.documentElement;
  const isSafe = new URLSearchParams(location.search).has('safe');
  if (isSafe) root.dataset.phSafe = '';
  const kept = (key) => localStorage.getItem(`posthaste.preference.${key}`);
  try {
    const css = kept('customCss');
    if (css && css.length <= 1e5 && kept('customCssOn') !== 'false' && !isSafe) {
      const own = new CSSStyleSheet({ media: 'all' });
      own.replaceSync(css);
      document.adoptedStyleSheets = [own];
    }
    const theme = kept('theme');
    if (theme === 'light' || theme === 'dark') root.dataset.phTheme = theme;
    const { marks = {}, tokens = {} } = JSON.parse(kept('look') ?? '{}');
    for (const name of ['density', 'motion', 'status', 'gradient'])
      if (typeof marks[name] === 'string' && !(isSafe && name === 'gradient'))
        root.setAttribute(`data-ph-${name}`, marks[name]);
    const sheet = new CSSStyleSheet();
    sheet.replaceSync('@layer look { :root {} }');
    const { style } = sheet.cssRules[0].cssRules[0];
    for (const [name, value] of Object.entries(tokens)) {
      const isPlain =
        typeof value === 'string' && value.length < 1000 && !/[;{}@\\]|url|image|element/i.test(value);
      if (isPlain && /^--ph-[a-z-]+$/.test(name) && (!isSafe || name === '--ph-scale'))
        style.setProperty(name, value);
    }
    document.adoptedStyleSheets.unshift(sheet);
  } catch {
    // Storage is blocked, or holds no look.
  }
})();
