// Runs before the first paint, as a classic script: the chosen theme must not flash the other one.
(() => {
  try {
    const theme = localStorage.getItem('posthaste.preference.theme');
    if (theme === 'light' || theme === 'dark') document.documentElement.dataset.phTheme = theme;
  } catch {
    // Storage is blocked: the system's theme holds.
  }
})();
