// What of WebKitGTK is used here, as gi.d.ts has it of the other libraries.

/* oxlint-disable max-params -- functions as this library has them */

declare module 'gi://WebKit2?version=4.1' {
  import type GLib from 'gi://GLib?version=2.0';
  import type Gio from 'gi://Gio?version=2.0';
  import type Gtk from 'gi://Gtk?version=3.0';
  import type Soup from 'gi://Soup?version=3.0';
  import type Gdk from 'gi://Gdk?version=3.0';
  namespace WebKit2 {
    class WebsiteDataManager {
      constructor(options: { readonly base_data_directory: string; readonly base_cache_directory: string });
    }
    interface SecurityManager {
      register_uri_scheme_as_secure(scheme: string): void;
      register_uri_scheme_as_cors_enabled(scheme: string): void;
    }
    interface URISchemeRequest {
      get_http_method(): string;
      get_uri(): string;
      get_http_headers(): Soup.MessageHeaders | null;
      get_http_body(): Gio.InputStream | null;
      finish_with_response(response: URISchemeResponse): void;
      finish_error(error: GLib.Error): void;
    }
    class URISchemeResponse {
      constructor(options: { readonly stream: Gio.InputStream; readonly stream_length: number });
      set_status(code: number, reason: string | null): void;
      set_content_type(type: string): void;
      set_http_headers(headers: Soup.MessageHeaders): void;
    }
    interface Download {
      connect(signal: 'decide-destination', on: (download: Download, name: string) => boolean): number;
      set_destination(uri: string): void;
      get_web_view(): WebView | null;
    }
    class WebContext {
      constructor(options: { readonly website_data_manager: WebsiteDataManager });
      get_security_manager(): SecurityManager;
      register_uri_scheme(scheme: string, answer: (request: URISchemeRequest) => void): void;
      set_sandbox_enabled(isOn: boolean): void;
      set_preferred_languages(languages: readonly string[]): void;
      set_spell_checking_enabled(isOn: boolean): void;
      set_spell_checking_languages(languages: readonly string[]): void;
      get_spell_checking_languages(): readonly string[] | null;
      connect(signal: 'download-started', on: (context: WebContext, download: Download) => void): number;
    }
    interface ScriptMessage {
      get_js_value(): { to_string(): string };
    }
    class UserContentManager {
      register_script_message_handler(name: string): boolean;
      connect(
        signal: `script-message-received::${string}`,
        on: (manager: UserContentManager, message: ScriptMessage) => void,
      ): number;
    }
    interface PolicyDecision {
      ignore(): void;
      use(): void;
      get_navigation_action(): { get_request(): { get_uri(): string }; is_user_gesture(): boolean };
    }
    const PolicyDecisionType: { readonly NAVIGATION_ACTION: number; readonly NEW_WINDOW_ACTION: number };
    const LoadEvent: { readonly STARTED: number };
    class Settings {
      enable_developer_extras: boolean;
      enable_write_console_messages_to_stdout: boolean;
      javascript_can_access_clipboard: boolean;
      enable_back_forward_navigation_gestures: boolean;
    }
    class WebView extends Gtk.Widget {
      constructor(options: {
        readonly web_context: WebContext;
        readonly user_content_manager: UserContentManager;
      });
      get_settings(): Settings;
      load_uri(uri: string): void;
      get_uri(): string | null;
      reload(): void;
      zoom_level: number;
      evaluate_javascript(
        script: string,
        length: number,
        world: null,
        source: null,
        cancellable: null,
        done: null,
      ): void;
      connect(
        signal: 'decide-policy',
        on: (view: WebView, decision: PolicyDecision, type: number) => boolean,
      ): number;
      connect(
        signal: 'permission-request',
        on: (view: WebView, request: { deny(): void }) => boolean,
      ): number;
      connect(signal: 'load-changed', on: (view: WebView, event: number) => void): number;
      connect(
        signal: 'drag-data-received',
        on: (view: WebView, drag: Gdk.DragContext, x: number, y: number, data: Gtk.SelectionData) => void,
      ): number;
      connect(
        signal: 'drag-motion' | 'drag-drop',
        on: (view: WebView, drag: Gdk.DragContext, x: number, y: number, time: number) => boolean,
      ): number;
      connect(signal: 'web-process-terminated' | 'close', on: (view: WebView) => void): number;
      set_background_color(color: unknown): void;
    }
  }
  export default WebKit2;
}
