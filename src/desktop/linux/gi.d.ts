// What of GJS and of the libraries that it opens is used here. The packages with all of their types (@girs/…) need versions of each other that
// aren't published; these are checked by what runs.

/* oxlint-disable max-params, no-misused-new -- functions and static constructors as these libraries have them */

interface ImportMeta {
  readonly url: string;
}

declare const ARGV: readonly string[];
declare const console: { log(...said: readonly unknown[]): void; warn(...said: readonly unknown[]): void };

declare function setTimeout(work: () => void, ms: number): unknown;
declare function setInterval(work: () => void, ms: number): unknown;

declare class TextDecoder {
  decode(bytes: Uint8Array): string;
}
declare class TextEncoder {
  encode(text: string): Uint8Array;
}

declare module 'gi://GLib?version=2.0' {
  namespace GLib {
    class Bytes {
      constructor(bytes: Uint8Array);
      toArray(): Uint8Array;
    }
    class Error {
      constructor(domain: unknown, code: number, message: string);
    }
    class Variant<T = unknown> {
      constructor(type: string, value: T);
      deepUnpack(): T;
    }
    class VariantType {
      constructor(type: string);
    }
    const ChecksumType: { readonly SHA256: number };
    function compute_checksum_for_bytes(type: number, bytes: Bytes): string;
    const UserDirectory: { readonly DIRECTORY_DOWNLOAD: number };
    function get_user_name(): string;
    function get_language_names(): readonly string[];
    function get_user_special_dir(directory: number): string | null;
    function get_user_data_dir(): string;
    function get_user_cache_dir(): string;
    function get_user_config_dir(): string;
    function get_user_runtime_dir(): string;
    /** Throws where there is no such program. */
    function spawn_command_line_sync(
      line: string,
    ): [ok: boolean, out: Uint8Array, err: Uint8Array, status: number];
    function unlink(path: string): number;
    function get_home_dir(): string;
    function mkdir_with_parents(path: string, mode: number): number;
    function set_prgname(name: string): void;
    function set_application_name(name: string): void;
    const PRIORITY_DEFAULT: number;
  }
  export default GLib;
}

declare module 'gi://Gio?version=2.0' {
  import type GLib from 'gi://GLib?version=2.0';
  namespace Gio {
    interface AsyncResult {
      readonly _result: unique symbol;
    }
    interface InputStream {
      readonly _stream: unique symbol;
    }
    interface OutputStream {
      write_all_async(
        bytes: Uint8Array,
        priority: number,
        cancellable: null,
        done: (stream: OutputStream, result: AsyncResult) => void,
      ): void;
      write_all_finish(result: AsyncResult): [ok: boolean, written: number];
    }
    class DataInputStream {
      constructor(options: { readonly base_stream: InputStream });
      set_buffer_size(bytes: number): void;
      read_line_async(
        priority: number,
        cancellable: null,
        done: (stream: DataInputStream, result: AsyncResult) => void,
      ): void;
      read_line_finish(result: AsyncResult): [line: Uint8Array | null, length: number];
    }
    class UnixSocketAddress {
      static new(path: string): UnixSocketAddress;
    }
    const SocketType: { readonly STREAM: number };
    const SocketProtocol: { readonly DEFAULT: number };
    interface SocketConnection {
      get_input_stream(): InputStream;
      get_output_stream(): OutputStream;
      close_async(priority: number, cancellable: null, done: null): void;
    }
    class SocketService {
      /** Throws where it can't be had. */
      add_address(address: UnixSocketAddress, type: number, protocol: number, source: null): void;
      connect(
        signal: 'incoming',
        on: (service: SocketService, connection: SocketConnection) => boolean,
      ): number;
      start(): void;
    }
    class MemoryInputStream {
      static new_from_bytes(bytes: GLib.Bytes): InputStream;
    }
    class MemoryOutputStream {
      static new_resizable(): MemoryOutputStream;
      splice_async(
        from: InputStream,
        flags: number,
        priority: number,
        cancellable: null,
        done: (stream: MemoryOutputStream, result: AsyncResult) => void,
      ): void;
      splice_finish(result: AsyncResult): number;
      steal_as_bytes(): GLib.Bytes;
    }
    const OutputStreamSpliceFlags: { readonly CLOSE_SOURCE: number; readonly CLOSE_TARGET: number };
    class File {
      static new_for_path(path: string): File;
      static new_for_uri(uri: string): File;
      load_contents_async(cancellable: null, done: (file: File, result: AsyncResult) => void): void;
      load_contents_finish(result: AsyncResult): [ok: boolean, contents: Uint8Array, etag: string];
      replace_contents_bytes_async(
        contents: GLib.Bytes,
        etag: null,
        makeBackup: boolean,
        flags: number,
        cancellable: null,
        done: (file: File, result: AsyncResult) => void,
      ): void;
      replace_contents_finish(result: AsyncResult): [ok: boolean, etag: string];
      get_uri(): string;
      get_basename(): string | null;
      query_info_async(
        attributes: string,
        flags: number,
        priority: number,
        cancellable: null,
        done: (file: File, result: AsyncResult) => void,
      ): void;
      query_info_finish(result: AsyncResult): FileInfo;
      get_path(): string | null;
      /** Throws where it can't. */
      delete(cancellable: null): boolean;
      query_exists(cancellable: null): boolean;
      /** Throws where it can't. */
      set_attribute_uint32(name: string, value: number, flags: number, cancellable: null): boolean;
    }
    interface FileInfo {
      get_content_type(): string | null;
      get_display_name(): string;
      get_size(): number;
      get_file_type(): number;
    }
    const FileType: { readonly DIRECTORY: number; readonly REGULAR: number };
    function content_type_get_mime_type(type: string): string | null;
    const FileQueryInfoFlags: { readonly NONE: number };
    const FileCreateFlags: { readonly PRIVATE: number; readonly REPLACE_DESTINATION: number };
    const IOErrorEnum: { readonly FAILED: number; readonly NOT_FOUND: number };
    const ApplicationFlags: { readonly HANDLES_COMMAND_LINE: number };
    class Notification {
      static new(title: string): Notification;
      set_body(body: string): void;
      set_default_action_and_target(action: string, target: GLib.Variant | null): void;
    }
    class SimpleAction {
      connect(
        signal: 'activate',
        on: (action: SimpleAction, value: GLib.Variant<string> | null) => void,
      ): void;
      constructor(options: { readonly name: string; readonly parameter_type?: GLib.VariantType });
    }
    interface DBusConnection {
      emit_signal(to: null, path: string, face: string, signal: string, values: GLib.Variant): boolean;
      get_unique_name(): string;
      call(
        name: string,
        path: string,
        face: string,
        method: string,
        values: GLib.Variant,
        reply: null,
        flags: number,
        timeout: number,
        cancellable: null,
        done: (bus: DBusConnection, result: AsyncResult) => void,
      ): void;
      call_finish(result: AsyncResult): GLib.Variant;
    }
    class DBusExportedObject {
      static wrapJSObject(face: string, object: object): DBusExportedObject;
      export(bus: DBusConnection, path: string): void;
      unexport(): void;
      emit_signal(name: string, values: GLib.Variant | null): void;
    }
    const BusNameWatcherFlags: { readonly NONE: number };
    function bus_watch_name_on_connection(
      bus: DBusConnection,
      name: string,
      flags: number,
      came: () => void,
      went: () => void,
    ): number;
    function bus_unwatch_name(id: number): void;
    interface ApplicationCommandLine {
      get_arguments(): string[];
    }
    class AppInfo {
      static launch_default_for_uri_async(
        uri: string,
        context: null,
        cancellable: null,
        done: (source: unknown, result: AsyncResult) => void,
      ): void;
      static launch_default_for_uri_finish(result: AsyncResult): boolean;
    }
  }
  export default Gio;
}

declare module 'gi://Gtk?version=3.0' {
  import type Gdk from 'gi://Gdk?version=3.0';
  import type Gio from 'gi://Gio?version=2.0';
  namespace Gtk {
    class Widget {
      show(): void;
      show_all(): void;
      hide(): void;
      destroy(): void;
      grab_focus(): void;
    }
    class Container extends Widget {
      add(child: unknown): void;
    }
    const Orientation: { readonly HORIZONTAL: number; readonly VERTICAL: number };
    class Box extends Container {
      constructor(options: { readonly orientation: number; readonly spacing?: number });
      pack_start(child: Widget, expands: boolean, fills: boolean, padding: number): void;
      pack_end(child: Widget, expands: boolean, fills: boolean, padding: number): void;
      reorder_child(child: Widget, at: number): void;
    }
    class Label extends Widget {
      constructor(options: { readonly label: string; readonly xalign?: number });
      get_style_context(): { add_class(name: string): void };
    }
    class MenuShell extends Container {
      append(item: Widget): void;
    }
    class MenuBar extends MenuShell {}
    class Menu extends MenuShell {}
    class MenuItem extends Container {
      set_submenu(menu: Menu): void;
      connect(signal: 'activate', on: () => void): number;
    }
    class SeparatorMenuItem extends Widget {}
    class Application {
      constructor(options: { readonly application_id: string; readonly flags: number });
      connect(
        signal: 'command-line',
        on: (application: Application, line: Gio.ApplicationCommandLine) => number,
      ): number;
      connect(signal: 'activate' | 'startup' | 'shutdown', on: (application: Application) => void): number;
      run(args: readonly string[]): number;
      quit(): void;
      hold(): void;
      release(): void;
      add_action(action: Gio.SimpleAction): void;
      set_accels_for_action(action: string, keys: readonly string[]): void;
      send_notification(id: string, notification: Gio.Notification): void;
      withdraw_notification(id: string): void;
      get_dbus_connection(): Gio.DBusConnection | null;
    }
    class ApplicationWindow extends Container {
      constructor(options: {
        readonly application: Application;
        readonly title: string;
        readonly default_width: number;
        readonly default_height: number;
        readonly icon_name?: string;
        readonly decorated?: boolean;
        readonly type_hint?: number;
        readonly window_position?: number;
      });
      connect(signal: 'delete-event' | 'focus-out-event', on: () => boolean): number;
      connect(signal: 'notify::is-active', on: () => void): number;
      readonly is_active: boolean;
      set_title(title: string): void;
      close(): void;
      present_with_time(time: number): void;
      set_keep_above(isAbove: boolean): void;
      set_skip_taskbar_hint(isSkipped: boolean): void;
    }
    const WindowPosition: { readonly CENTER: number };
    interface SelectionData {
      get_uris(): readonly string[] | null;
    }
    /** Null: it began in another program. */
    function drag_get_source_widget(context: Gdk.DragContext): Widget | null;
    function drag_finish(context: Gdk.DragContext, isDone: boolean, isMoved: boolean, time: number): void;
  }
  export default Gtk;
}

declare module 'gi://Gdk?version=3.0' {
  namespace Gdk {
    const CURRENT_TIME: number;
    interface DragContext {
      readonly _drag: unique symbol;
    }
    const DragAction: { readonly COPY: number };
    function drag_status(context: DragContext, action: number, time: number): void;
    class Display {
      static get_default(): Display | null;
    }
    class Keymap {
      static get_for_display(display: Display): Keymap;
      get_modifier_state(): number;
    }
    const ModifierType: { readonly SHIFT_MASK: number };
    const WindowTypeHint: { readonly DIALOG: number };
  }
  export default Gdk;
}

declare module 'gi://Soup?version=3.0' {
  import type GLib from 'gi://GLib?version=2.0';
  import type Gio from 'gi://Gio?version=2.0';
  namespace Soup {
    class MessageHeaders {
      constructor(type: number);
      append(name: string, value: string): void;
      replace(name: string, value: string): void;
      foreach(each: (name: string, value: string) => void): void;
      get_one(name: string): string | null;
    }
    const MessageHeadersType: { readonly RESPONSE: number };
    const MessageFlags: { readonly NO_REDIRECT: number };
    class Message {
      static new(method: string, address: string): Message | null;
      readonly request_headers: MessageHeaders;
      readonly response_headers: MessageHeaders;
      readonly status_code: number;
      set_request_body_from_bytes(type: string | null, bytes: GLib.Bytes): void;
      add_flags(flags: number): void;
    }
    class WebsocketConnection {
      send_text(text: string): void;
      close(code: number, reason: string | null): void;
      get_state(): number;
      connect(
        signal: 'message',
        on: (socket: WebsocketConnection, type: number, bytes: GLib.Bytes) => void,
      ): number;
      connect(signal: 'closed', on: () => void): number;
      max_incoming_payload_size: number;
      keepalive_interval: number;
    }
    const WebsocketDataType: { readonly TEXT: number };
    const WebsocketState: { readonly OPEN: number };
    class Session {
      constructor(options?: { readonly timeout?: number; readonly user_agent?: string });
      send_and_read_async(
        message: Message,
        priority: number,
        cancellable: null,
        done: (session: Session, result: Gio.AsyncResult) => void,
      ): void;
      send_and_read_finish(result: Gio.AsyncResult): GLib.Bytes;
      websocket_connect_async(
        message: Message,
        origin: string | null,
        protocols: null,
        priority: number,
        cancellable: null,
        done: (session: Session, result: Gio.AsyncResult) => void,
      ): void;
      websocket_connect_finish(result: Gio.AsyncResult): WebsocketConnection;
    }
  }
  export default Soup;
}

declare module 'gi://Secret?version=1' {
  import type Gio from 'gi://Gio?version=2.0';
  namespace Secret {
    class Schema {
      constructor(name: string, flags: number, attributes: Readonly<Record<string, number>>);
    }
    const SchemaFlags: { readonly NONE: number };
    const SchemaAttributeType: { readonly STRING: number };
    const COLLECTION_DEFAULT: string;
    type Attributes = Readonly<Record<string, string>>;
    type Done = (source: unknown, result: Gio.AsyncResult) => void;
    function password_lookup(schema: Schema, attributes: Attributes, cancellable: null, done: Done): void;
    function password_lookup_finish(result: Gio.AsyncResult): string | null;
    function password_store(
      schema: Schema,
      attributes: Attributes,
      collection: string,
      label: string,
      text: string,
      cancellable: null,
      done: Done,
    ): void;
    function password_store_finish(result: Gio.AsyncResult): boolean;
    function password_clear(schema: Schema, attributes: Attributes, cancellable: null, done: Done): void;
    function password_clear_finish(result: Gio.AsyncResult): boolean;
  }
  export default Secret;
}

declare module 'gi' {
  import type Keybinder from 'gi://Keybinder?version=3.0';
  const gi: {
    /** Throws where it isn't installed. */
    require(name: 'Keybinder', version: '3.0'): typeof Keybinder;
  };
  export default gi;
}

declare module 'gi://Keybinder?version=3.0' {
  namespace Keybinder {
    function init(): void;
    function supported(): boolean;
    function bind(key: string, pressed: () => void): boolean;
    function unbind(key: string): void;
  }
  export default Keybinder;
}
