/** The four languages of patches: each makes the object a client wants of the stored one. */
import type { ApiObject } from '../vocabulary/index.ts';
import { applyJsonPatch, applyMergePatch, applyStrategicPatch, type Patched } from '../patch/index.ts';
import type { Schema } from '../../grammar/schema/index.ts';
import { failure } from '../request/index.ts';

/** The document with a patch applied, not decoded yet. Apply is not among them: it needs to know who owns what. */
export function patched(schema: Schema, document: ApiObject, type: 'json' | 'merge' | 'strategic', body: unknown): unknown {
  const result = byType(schema, document, type, body);
  if (result.error !== undefined) throw failure(result.error);
  return result.ok;
}

function byType(schema: Schema, document: ApiObject, type: 'json' | 'merge' | 'strategic', body: unknown): Patched {
  switch (type) {
    case 'json':
      return applyJsonPatch(document, body);
    case 'merge':
      return applyMergePatch(document, body, schema);
    case 'strategic':
      return applyStrategicPatch(schema, document, body);
  }
}
