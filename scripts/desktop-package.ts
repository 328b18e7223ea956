// Packs the desktop app for Debian and Ubuntu: dist/posthaste_<version>_all.deb. `dpkg-deb` makes it, which these systems have.
import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { buildDesktop } from './desktop-build.ts';
import { ROOT } from './files.ts';

const ID = 'app.posthaste.Desktop';
const EXECUTABLE = 0o755;

const LAUNCHER = `#!/bin/sh
exec gjs -m "$(dirname "$(readlink -f "$0")")/../lib/posthaste/main.js" "$@"
`;

const ENTRY = `[Desktop Entry]
Type=Application
Name=Posthaste
GenericName=Task manager
Comment=Capture, plan, search and finish tasks without touching the mouse
Exec=posthaste-desktop %u
Icon=posthaste
Terminal=false
Categories=Office;ProjectManagement;
Keywords=task;todo;list;plan;
MimeType=x-scheme-handler/posthaste;x-scheme-handler/web+posthaste;
StartupNotify=true
StartupWMClass=${ID}
`;

const control = (version: string, kilobytes: number) => `Package: posthaste
Version: ${version}
Architecture: all
Section: utils
Priority: optional
Maintainer: Posthaste
Installed-Size: ${kilobytes}
Depends: gjs (>= 1.72), gir1.2-gtk-3.0, gir1.2-webkit2-4.1 (>= 2.40), gir1.2-soup-3.0, gir1.2-secret-1
Recommends: gir1.2-keybinder-3.0, bubblewrap, xdg-dbus-proxy
Description: keyboard-driven, offline-first task manager
 Capture, plan, search and finish tasks without touching the mouse. Works
 offline, and syncs with the server of your choice.
`;

function kilobytesOf(folder: string): number {
  const { stdout } = spawnSync('du', ['-sk', folder], { encoding: 'utf8' });
  return Number.parseInt(stdout, 10) || 0;
}

/** Makes the package and returns its path. Throws with what `dpkg-deb` says. */
export async function packDesktop(): Promise<string> {
  await buildDesktop();
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
  const work = mkdtempSync(join(tmpdir(), 'posthaste-deb-'));
  const put = (path: string, text: string) => {
    mkdirSync(dirname(join(work, path)), { recursive: true });
    writeFileSync(join(work, path), text);
  };
  try {
    chmodSync(work, EXECUTABLE);
    cpSync(join(ROOT, 'dist/desktop'), join(work, 'usr/lib/posthaste'), { recursive: true });
    put('usr/bin/posthaste-desktop', LAUNCHER);
    chmodSync(join(work, 'usr/bin/posthaste-desktop'), EXECUTABLE);
    put(`usr/share/applications/${ID}.desktop`, ENTRY);
    put(
      'usr/share/icons/hicolor/scalable/apps/posthaste.svg',
      readFileSync(join(ROOT, 'src/web/public/icons/icon.svg'), 'utf8'),
    );
    put('usr/share/doc/posthaste/copyright', readFileSync(join(ROOT, 'LICENSE'), 'utf8'));
    put('DEBIAN/control', control(version, kilobytesOf(join(work, 'usr'))));
    const to = join(ROOT, `dist/posthaste_${version}_all.deb`);
    const made = spawnSync('dpkg-deb', ['--root-owner-group', '-Zxz', '--build', work, to], {
      encoding: 'utf8',
    });
    if (made.status !== 0) throw new Error(made.error?.message ?? made.stderr);
    return to;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}
