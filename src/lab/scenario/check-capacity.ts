/** Reports workloads that can never fit: more pods than a run may have objects. The run itself would fail only after minutes. */
import { MAX_OBJECTS } from '../../apiserver/handlers/index.ts';
import type { Located } from '../../schema/yaml/index.ts';
import { memberAt, note, type CheckContext, type Written } from './context.ts';

/** The field with the number of pods, by kind. */
const COUNTS: Readonly<Record<string, string>> = {
  Deployment: 'replicas',
  ReplicaSet: 'replicas',
  StatefulSet: 'replicas',
  Job: 'parallelism',
};

/** A larger number is an error of the field itself. */
const MOST_COUNTED = 2_147_483_647;

/** Reports every object with more pods than the limit; `scenario`: the document that may set the limit. */
export function checkCapacity(scenario: Located | undefined, context: CheckContext): void {
  // A quota may limit the pods.
  if (context.written.some(({ object }) => object.kind === 'ResourceQuota')) return;
  const said = memberAt(scenario, 'spec', 'limits', 'objects')?.plain;
  const limit = typeof said === 'number' ? said : MAX_OBJECTS;
  for (const written of context.written) checkPods(written, limit, context);
}

function checkPods({ object: { kind = '' }, node, path }: Written, limit: number, context: CheckContext): void {
  const member = Object.hasOwn(COUNTS, kind) ? COUNTS[kind] : undefined;
  const at = member === undefined ? undefined : memberAt(node, 'spec', member);
  const asked = at?.plain;
  if (at === undefined || typeof asked !== 'number' || asked <= limit || asked > MOST_COUNTED || isThrottledFor(node, limit)) return;
  note(
    context,
    at,
    `${path}.spec.${member ?? ''}`,
    `at most ${limit}, the objects that a run may hold (spec.limits.objects allows more; a pod takes about 20 KB of memory)`,
    String(asked),
  );
}

/** Whether a Job creates fewer pods: at most as many as its completions at a time, and none while it is suspended. */
function isThrottledFor(node: Located, limit: number): boolean {
  const completions = memberAt(node, 'spec', 'completions')?.plain;
  return (typeof completions === 'number' && completions <= limit) || memberAt(node, 'spec', 'suspend')?.plain === true;
}
