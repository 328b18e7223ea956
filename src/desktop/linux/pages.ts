// The windows and the pages in them, by GTK and WebKit.
import Gdk from 'gi://Gdk?version=3.0';
import GLib from 'gi://GLib?version=2.0';
import Gio from 'gi://Gio?version=2.0';
import Gtk from 'gi://Gtk?version=3.0';
import Soup from 'gi://Soup?version=3.0';
import WebKit2 from 'gi://WebKit2?version=4.1';
import { appScheme, readAddress, staysInApp } from '../app-files.ts';
import type { DesktopProgram } from '../program.ts';
import type { PageAnswer } from '../serving.ts';
import { readWindow, type WindowKind, type WindowName } from '../shell.ts';
import type { Menu, OwnItem } from '../menus.ts';
import { readStream } from './disk.ts';
import { followDrops } from './drops.ts';
import { createMenuBar } from './menu-bar.ts';

interface Look {
  readonly title: string;
  readonly width: number;
  readonly height: number;
}

const LOOKS: Readonly<Record<WindowKind, Look>> = {
  main: { title: 'Posthaste', width: 1_180, height: 800 },
  quick: { title: 'New task – Posthaste', width: 680, height: 240 },
};

interface Open {
  readonly window: Gtk.ApplicationWindow;
  readonly view: WebKit2.WebView;
  readonly box: Gtk.Box;
  bar: Gtk.MenuBar | null;
}

export interface PagesOptions {
  /** Where what pages store lies: of one server. */
  readonly data: string;
  readonly cache: string;
  readonly downloads: string;
  readonly isVerbose: boolean;
  /** Pages in a sandbox of their own (bubblewrap). */
  readonly isSandboxed: boolean;
}

/** The languages of this person, as pages are told them. Where there is none, as with "C", English. */
function systemLanguages(): readonly string[] {
  const known = GLib.get_language_names()
    .map((name) => name.replace(/[.@].*$/, '').replace('_', '-'))
    .filter((name) => /^[a-z]{2,3}(?:-[A-Z]{2})?$/.test(name));
  return known.length === 0 ? ['en-US'] : [...new Set(known)];
}

function headersOf(request: WebKit2.URISchemeRequest): Record<string, string> {
  const headers: Record<string, string> = {};
  request.get_http_headers()?.foreach((name, value) => {
    headers[name.toLowerCase()] = value;
  });
  return headers;
}

function finish(request: WebKit2.URISchemeRequest, answer: PageAnswer | null): void {
  if (answer === null) {
    request.finish_error(
      new GLib.Error(Gio.IOErrorEnum, Gio.IOErrorEnum.FAILED, 'The server did not answer.'),
    );
    return;
  }
  const stream = Gio.MemoryInputStream.new_from_bytes(new GLib.Bytes(answer.body));
  const response = new WebKit2.URISchemeResponse({ stream, stream_length: answer.body.length });
  const headers = new Soup.MessageHeaders(Soup.MessageHeadersType.RESPONSE);
  for (const [name, value] of Object.entries(answer.headers)) headers.append(name, value);
  response.set_http_headers(headers);
  response.set_content_type(answer.headers['content-type']?.split(';', 1)[0] ?? 'application/octet-stream');
  response.set_status(answer.status, null);
  request.finish_with_response(response);
}

/** The windows of the program. */
export class Pages {
  readonly #application: Gtk.Application;
  readonly #program: DesktopProgram;
  readonly #options: PagesOptions;
  readonly #context: WebKit2.WebContext;
  readonly #open = new Map<WindowName, Open>();
  #zoom = 1;

  constructor(application: Gtk.Application, program: DesktopProgram, options: PagesOptions) {
    this.#application = application;
    this.#program = program;
    this.#options = options;
    const manager = new WebKit2.WebsiteDataManager({
      base_data_directory: options.data,
      base_cache_directory: options.cache,
    });
    this.#context = new WebKit2.WebContext({ website_data_manager: manager });
    this.#context.set_sandbox_enabled(options.isSandboxed);
    this.#context.set_spell_checking_enabled(true);
    this.#context.set_preferred_languages(systemLanguages());
    const security = this.#context.get_security_manager();
    security.register_uri_scheme_as_secure(appScheme);
    security.register_uri_scheme_as_cors_enabled(appScheme);
    this.#context.register_uri_scheme(appScheme, (request) => void this.#answer(request));
    this.#context.connect('download-started', (_context, download) => {
      download.connect('decide-destination', (_download, name) => {
        const safe = name.replaceAll(/[/\\\0]/g, '-').replace(/^\.+/, '');
        download.set_destination(
          Gio.File.new_for_path(`${options.downloads}/${safe || 'posthaste'}`).get_uri(),
        );
        return true;
      });
    });
  }

  show(name: WindowName, page: string): void {
    const { window, view } = this.#open.get(name) ?? this.#make(name, page);
    window.show_all();
    window.present_with_time(Gdk.CURRENT_TIME);
    view.grab_focus();
  }

  hide(name: WindowName): void {
    this.#open.get(name)?.window.hide();
  }

  tell(name: WindowName, text: string): void {
    const detail = JSON.stringify(text);
    this.#open
      .get(name)
      ?.view.evaluate_javascript(
        `window.dispatchEvent(new CustomEvent('posthaste-shell', { detail: ${detail} }))`,
        -1,
        null,
        null,
        null,
        null,
      );
  }

  /** Leads a window that is open to another page of ours. */
  go(name: WindowName, page: string): void {
    this.#open.get(name)?.view.load_uri(page);
  }

  /** Ends a window and its page. */
  end(name: WindowName): void {
    const open = this.#open.get(name);
    if (open === undefined) return;
    this.#open.delete(name);
    this.#program.left(name);
    open.window.destroy();
  }

  /** What stands above a window. */
  entitle(name: WindowName, title: string): void {
    this.#open.get(name)?.window.set_title(title);
  }

  /** As if the person closed it. */
  close(name: WindowName): void {
    this.#open.get(name)?.window.close();
  }

  /** The program ends. */
  leaveAll(): void {
    for (const name of this.#open.keys()) this.#program.left(name);
  }

  /** The keys of the program were pressed in the window that is in front. */
  choose(id: OwnItem): void {
    for (const [name, { window }] of this.#open) if (window.is_active) return this.#program.choose(name, id);
  }

  /** Its page is loaded anew. */
  reload(name: WindowName): void {
    this.#open.get(name)?.view.reload();
  }

  /** How large pages are shown; 1: as they are. */
  zoom(level: number): void {
    this.#zoom = level;
    for (const { view } of this.#open.values()) view.zoom_level = level;
  }

  /** Languages in which spelling is checked; null: those of the system. Returns those that there are words for. */
  spell(languages: readonly string[] | null): readonly string[] {
    const asked = (languages ?? systemLanguages()).map((language) => language.replace('-', '_'));
    this.#context.set_spell_checking_languages(asked);
    const found: readonly string[] = this.#context.get_spell_checking_languages() ?? [];
    return found.map((language) => language.replace('_', '-'));
  }

  /** The menus of a window; null: none. */
  setMenus(name: WindowName, menus: readonly Menu[] | null, chosen: (id: string) => void): void {
    const open = this.#open.get(name);
    if (open === undefined) return;
    open.bar?.destroy();
    open.bar = null;
    if (menus === null) return;
    open.bar = createMenuBar(menus, (id) => {
      open.view.grab_focus();
      chosen(id);
    });
    open.box.pack_start(open.bar, false, false, 0);
    open.box.reorder_child(open.bar, 0);
    open.bar.show_all();
  }

  async #answer(request: WebKit2.URISchemeRequest): Promise<void> {
    const address = readAddress(request.get_uri());
    const body = request.get_http_body();
    const answer =
      address &&
      (await this.#program.answer(address.host, {
        method: request.get_http_method(),
        path: address.path,
        headers: headersOf(request),
        body: body === null ? null : await readStream(body),
      }));
    finish(request, answer);
  }

  #make(name: WindowName, page: string): Open {
    const { kind } = readWindow(name);
    const { title, width, height } = LOOKS[kind];
    const window = new Gtk.ApplicationWindow({
      application: this.#application,
      title,
      default_width: width,
      default_height: height,
      icon_name: 'posthaste',
      ...(kind === 'quick' && {
        type_hint: Gdk.WindowTypeHint.DIALOG,
        window_position: Gtk.WindowPosition.CENTER,
      }),
    });
    const manager = new WebKit2.UserContentManager();
    manager.register_script_message_handler('posthaste');
    manager.connect('script-message-received::posthaste', (_manager, message) =>
      this.#program.heard(name, message.get_js_value().to_string()),
    );
    const view = new WebKit2.WebView({ web_context: this.#context, user_content_manager: manager });
    const settings = view.get_settings();
    settings.javascript_can_access_clipboard = true;
    settings.enable_developer_extras = this.#options.isVerbose;
    settings.enable_write_console_messages_to_stdout = this.#options.isVerbose;
    this.#guard(name, view);
    followDrops(view, (files, x, y) => {
      const drop = { files, x: x / this.#zoom, y: y / this.#zoom };
      if (kind === 'main') void this.#program.dropped(name, drop);
    });
    view.connect('load-changed', (_view, event) => {
      if (event === WebKit2.LoadEvent.STARTED) this.#program.left(name);
    });
    // What is unsaved is on the disk: a new page goes on from there.
    view.connect('web-process-terminated', () => view.load_uri(view.get_uri() ?? page));
    window.connect('notify::is-active', () => {
      if (window.is_active) this.#program.entered(name);
    });
    const box = new Gtk.Box({ orientation: Gtk.Orientation.VERTICAL });
    box.pack_end(view, true, true, 0);
    window.add(box);
    window.connect('delete-event', () => {
      if (this.#program.staysHidden(name)) {
        window.hide();
        return true;
      }
      this.#open.delete(name);
      this.#program.left(name);
      return false;
    });
    if (kind === 'quick') {
      window.set_keep_above(true);
      window.set_skip_taskbar_hint(true);
    }
    const made: Open = { window, view, box, bar: null };
    view.zoom_level = this.#zoom;
    this.#open.set(name, made);
    view.load_uri(page);
    return made;
  }

  /** No page leads away from the app, and none gets anything that it asks the system for. */
  #guard(name: WindowName, view: WebKit2.WebView): void {
    const { NAVIGATION_ACTION, NEW_WINDOW_ACTION } = WebKit2.PolicyDecisionType;
    view.connect('decide-policy', (_view, decision, type) => {
      if (type !== NAVIGATION_ACTION && type !== NEW_WINDOW_ACTION) return false;
      const uri = decision.get_navigation_action().get_request().get_uri();
      const isApp = staysInApp(readWindow(name).host, uri);
      if (type === NAVIGATION_ACTION && isApp) {
        decision.use();
        return true;
      }
      decision.ignore();
      this.#program.leave(name, uri);
      return true;
    });
    view.connect('permission-request', (_view, request) => {
      request.deny();
      return true;
    });
  }
}
