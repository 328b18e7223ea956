// Runs before the first paint, as a classic script of its own: the chosen colours must not flash the others, and the
// buttons for the visitor's system must not move. The app keeps its theme under the same name.
(() => {
  const root = document.documentElement;
  root.dataset.script = '';
  const system = `${navigator.userAgentData?.platform ?? ''} ${navigator.platform ?? ''} ${navigator.userAgent}`;
  root.dataset.os = /iPhone|iPad|iPod/.test(system) ? 'ios' : /mac/i.test(system) ? 'mac' : 'other';
  try {
    const theme = localStorage.getItem('posthaste.preference.theme');
    if (theme === 'light' || theme === 'dark') root.dataset.phTheme = theme;
  } catch {
    // Storage is blocked: the system's colours hold.
  }
})();
