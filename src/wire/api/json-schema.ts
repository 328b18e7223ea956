// Schemas of the public API as JSON Schema, with their notes: for the OpenAPI document and for agents.
import * as z from 'zod/mini';
import { apiNotes } from './values.ts';

export type Json = Readonly<Record<string, unknown>>;

/** The JSON Schema of a schema. Schemas with an `id` in their note go to `$defs`. */
export function jsonSchemaOf(
  schema: z.ZodMiniType,
  io: 'input' | 'output',
): Json & { readonly $defs?: Readonly<Record<string, Json>> } {
  return z.toJSONSchema(schema, {
    io,
    metadata: apiNotes,
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      const note = apiNotes.get(zodSchema as unknown as z.ZodMiniType);
      if (note?.shape !== undefined) Object.assign(jsonSchema, note.shape);
      delete jsonSchema['shape'];
      delete jsonSchema['id'];
    },
  }) as Json & { readonly $defs?: Readonly<Record<string, Json>> };
}
