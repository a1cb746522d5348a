/**
 * Partial objects in patches, held against the fields of what they change. What stands in `expectError` is meant to be wrong and is let be.
 */
import { joinPath, type Located } from '../../grammar/yaml/index.ts';
import { memberAt, type CheckContext } from './context.ts';
import { checkMembers, UNLESS_ALLOWED } from './read-manifests.ts';
import { parseTarget } from './targets.ts';

export function checkPatches(document: Located, context: CheckContext): void {
  const steps = memberAt(document, 'spec', 'steps');
  if (steps?.shape !== 'list') return;
  for (const [index, item] of steps.items.entries()) {
    const step = memberAt(item, 'patch');
    const body = memberAt(step, 'patch');
    const kind = kindOf(memberAt(step, 'target'));
    // A scale is an object of its own, and lists of operations name paths.
    if (body?.shape !== 'map' || kind === undefined || memberAt(step, 'subresource')?.plain === 'scale') continue;
    checkMembers(body, joinPath(joinPath(`spec.steps[${index}]`, 'patch'), 'patch'), context, kind, UNLESS_ALLOWED);
  }
}

function kindOf(target: Located | undefined): string | undefined {
  const kind: unknown = target?.shape === 'map' ? target.plain['kind'] : undefined;
  if (typeof kind === 'string') return kind;
  return typeof target?.plain === 'string' ? parseTarget(target.plain)?.kind : undefined;
}
