/**
 * Lint warnings: members of manifests and patches that their kind does not have. The server drops them silently, as upstream's does;
 * kubectl would warn before sending.
 */
import type { Domain } from '../../apiserver/machinery/index.ts';
import { findUnknownFields, type Schema } from '../../schema/shape/index.ts';
import { didYouMean } from '../../schema/values/index.ts';
import type { Scenario, Step } from './types.ts';
import { type Position, joinPath } from '../../schema/yaml/index.ts';

export interface LintWarning extends Partial<Position> {
  readonly text: string;
}

interface Written {
  readonly kind: string;
  readonly body: unknown;
  readonly source: Position | undefined;
}

/** Returns the warnings in reading order. Objects in `expectError` may be invalid on purpose and are skipped. */
export function lintWarningsOn(
  { manifests, steps, domain }: Scenario,
  schemaOf: (kind: string, domain?: Domain) => Schema | undefined,
): readonly LintWarning[] {
  const written = [
    ...manifests.map(({ object, source }) => ({ kind: object.kind ?? '', body: object, source })),
    ...steps.flatMap(writtenBy),
  ];
  return written.flatMap(({ kind, body, source }) => {
    const schema = schemaOf(kind, domain);
    if (schema === undefined) return [];
    return findUnknownFields(schema, body)
      .filter(({ steps: way }) => !isDirective(way.at(-1)))
      .map(({ steps: way, known }) => ({
        ...source,
        text: `${kind} has no field ${way.reduce<string>(joinPath, '')}: the server drops it${didYouMean(String(way.at(-1)), known)}`,
      }));
  });
}

/** Whether a key is a directive of a strategic merge patch: `$patch`, `$setElementOrder/containers`. */
const isDirective = (key: string | number | undefined): boolean => typeof key === 'string' && key.startsWith('$');

function writtenBy(step: Step): readonly Written[] {
  switch (step.verb) {
    case 'apply':
    case 'create':
    case 'replace':
      return step.objects.map(({ object, source }) => ({ kind: object.kind ?? '', body: object, source: source ?? step.source }));
    case 'patch':
      return step.type === 'json' ? [] : [{ kind: step.target.kind, body: step.patch, source: step.source }];
    default:
      return [];
  }
}
