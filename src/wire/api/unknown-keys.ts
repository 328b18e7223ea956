// Finds the keys of a value that its schema does not know: schemas drop them, and the sender is told.
import type * as z from 'zod/mini';

/** The schema without `optional` and `nullable` around it. */
function bare(schema: z.ZodMiniType): z.ZodMiniType {
  const { def } = schema._zod;
  return 'innerType' in def ? bare(def.innerType as z.ZodMiniType) : schema;
}

function shapeOf(schema: z.ZodMiniType): Readonly<Record<string, z.ZodMiniType>> | null {
  const { def } = schema._zod;
  return def.type === 'object' && 'shape' in def ? (def.shape as Record<string, z.ZodMiniType>) : null;
}

/** Paths of the keys that the schema does not know, such as `tasks.0.due`. */
export function unknownKeys(schema: z.ZodMiniType, value: unknown, path = ''): string[] {
  if (typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) {
    const { def } = bare(schema)._zod;
    const element = def.type === 'array' && 'element' in def ? (def.element as z.ZodMiniType) : null;
    return element === null ? [] : value.flatMap((item, at) => unknownKeys(element, item, `${path}${at}.`));
  }
  const shape = shapeOf(bare(schema));
  if (shape === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    const known = Object.hasOwn(shape, key) ? shape[key] : undefined;
    if (known === undefined) return [`${path}${key}`];
    return unknownKeys(known, inner, `${path}${key}.`);
  });
}
