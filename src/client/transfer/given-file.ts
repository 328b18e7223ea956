// A file that the person chose or gave, as text if it could be read. Importing is in file-import.ts; attaching files is
// separate.

/** A text file with its content, or the reason why it has none. */
export type GivenFile =
  | {
      readonly name: string;
      readonly text: string;
      /** A note on how it was decoded; absent or null: by its own declaration. */
      readonly note?: string | null;
      /** When the file was last written, in milliseconds since the epoch; absent: not known. */
      readonly writtenAt?: number;
    }
  | {
      readonly name: string;
      /** Why there is no text, as the rest of a sentence after its name. */
      readonly problem: string;
    };

export type TextFile = Extract<GivenFile, { readonly text: string }>;

/** Whether the file could be read as text. */
export const isText = (file: GivenFile): file is TextFile => 'text' in file;
