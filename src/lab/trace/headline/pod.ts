/** Pods: where they go, and what has become of them. */
import type { Pod } from '../../../apiserver/kinds/index.ts';
import { isOf } from '../../../controlplane/runtime/index.ts';
import { conditionIn, type Headline } from './contract.ts';

/** A pod's life in a word. */
function lifeOf({ spec, status }: Pod): string {
  switch (status.phase) {
    case 'Succeeded':
      return 'done';
    case 'Failed':
      return 'failed';
    case 'Running':
      return conditionIn(status.conditions, 'Ready') === 'True' ? 'ready' : 'running, not ready';
    default:
      return (spec.nodeName ?? '') === '' ? 'waiting for a node' : 'starting';
  }
}

const restarts = ({ status }: Pod): number => (status.containerStatuses ?? []).reduce((sum, { restartCount = 0 }) => sum + restartCount, 0);

export const pod: Headline = ({ before, after, name }) => {
  if (!isOf('Pod', before) || !isOf('Pod', after)) return undefined;
  const node = after.spec.nodeName ?? '';
  const [was, is] = [lifeOf(before), lifeOf(after)];
  if (node !== '' && node !== (before.spec.nodeName ?? ''))
    return is === 'starting' ? `puts ${name} on ${node}` : `puts ${name} on ${node}; it is ${is}`;
  const again = restarts(after) - restarts(before);
  if (again > 0) return `restarts a container of ${name} (for the ${ordinal(restarts(after))} time)`;
  if (was !== is) return `${name} is ${is} (was ${was})`;
  const taken = ({ status }: Pod): boolean => conditionIn(status.conditions, 'Initialized') === 'True';
  return taken(after) && !taken(before) ? `has ${name} in hand, and starts it` : undefined;
};

const ordinal = (n: number): string => `${n}${['th', 'st', 'nd', 'rd'][n % 100 > 10 && n % 100 < 14 ? 0 : n % 10] ?? 'th'}`;
