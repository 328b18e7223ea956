// Values of a form of text fields.

/** By the fields' names. */
export type FormValues = Readonly<Record<string, string>>;
