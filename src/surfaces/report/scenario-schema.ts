/** The scenario format as JSON Schema, with the schemas of the kinds, so that editors also complete manifests inside scenarios. */
import type { KindRegistry } from '../../apiserver/kinds/index.ts';
import { NO_DEFINITIONS, type Definitions } from '../../lab/definitions/index.ts';
import { scenarioJsonSchema } from '../../lab/scenario/index.ts';
import { vocabulary } from '../../lab/vocabulary.ts';
import { partialObjectSchema, type JsonSchema } from './kind-schema.ts';

/** Returns the schema that `orchsim schema scenario` prints. */
export function scenarioSchema(kinds: KindRegistry, definitions: Definitions = NO_DEFINITIONS): JsonSchema {
  const format = scenarioJsonSchema(vocabulary(definitions));
  const { $defs, ...root } = format as { readonly $defs: Readonly<Record<string, JsonSchema>> };
  const objects = partialObjectSchema(kinds);
  return { ...root, $defs: { ...$defs, manifest: { ...$defs['manifest'], ...objects.schema }, ...objects.definitions } };
}
