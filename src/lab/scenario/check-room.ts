/** Finds what could never be there: more pods than a run may hold objects. Nobody waits minutes to be told. */
import { MAX_OBJECTS } from '../../apiserver/handlers/index.ts';
import type { Located } from '../../schema/yaml/index.ts';
import { memberAt, note, type CheckContext, type Written } from './context.ts';

/** Where the number of pods of a kind stands. */
const COUNTS: Readonly<Record<string, string>> = {
  Deployment: 'replicas',
  ReplicaSet: 'replicas',
  StatefulSet: 'replicas',
  Job: 'parallelism',
};

/** A larger number is none of the field's. */
const MOST_COUNTED = 2_147_483_647;

/** Notes every object that asks for more pods than there is room for; `scenario`: what may say how much there is. */
export function checkRoom(scenario: Located | undefined, context: CheckContext): void {
  // A quota may keep them out.
  if (context.written.some(({ object }) => object.kind === 'ResourceQuota')) return;
  const said = memberAt(scenario, 'spec', 'limits', 'objects')?.plain;
  const room = typeof said === 'number' ? said : MAX_OBJECTS;
  for (const written of context.written) checkPods(written, room, context);
}

function checkPods({ object: { kind = '' }, node, path }: Written, room: number, context: CheckContext): void {
  const member = Object.hasOwn(COUNTS, kind) ? COUNTS[kind] : undefined;
  const at = member === undefined ? undefined : memberAt(node, 'spec', member);
  const asked = at?.plain;
  if (at === undefined || typeof asked !== 'number' || asked <= room || asked > MOST_COUNTED || isThrottledFor(node, room)) return;
  note(
    context,
    at,
    `${path}.spec.${member ?? ''}`,
    `at most ${room}, the objects that a run may hold (spec.limits.objects allows more; a pod takes about 20 KB of memory)`,
    String(asked),
  );
}

/** A Job makes no more pods at a time than it has completions, and none while it is suspended. */
function isThrottledFor(node: Located, room: number): boolean {
  const completions = memberAt(node, 'spec', 'completions')?.plain;
  return (typeof completions === 'number' && completions <= room) || memberAt(node, 'spec', 'suspend')?.plain === true;
}
