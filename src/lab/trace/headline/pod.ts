/** Headlines of pods: where they run, and their state. */
import type { Pod } from '../../../apiserver/kinds/index.ts';
import { isOf } from '../../../controlplane/runtime/index.ts';
import { conditionIn, type Headline } from './contract.ts';

/** The state of a pod in a few words. */
function stateOf({ spec, status }: Pod): string {
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
  const [was, is] = [stateOf(before), stateOf(after)];
  if (node !== '' && node !== (before.spec.nodeName ?? ''))
    return is === 'starting' ? `binds ${name} to ${node}` : `binds ${name} to ${node}; it is ${is}`;
  const again = restarts(after) - restarts(before);
  if (again > 0) return `restarts a container of ${name} (for the ${ordinal(restarts(after))} time)`;
  if (was !== is) return `${name} is ${is} (was ${was})`;
  const initialized = ({ status }: Pod): boolean => conditionIn(status.conditions, 'Initialized') === 'True';
  return initialized(after) && !initialized(before) ? `accepts ${name}, and starts it` : undefined;
};

const ordinal = (n: number): string => `${n}${['th', 'st', 'nd', 'rd'][n % 100 > 10 && n % 100 < 14 ? 0 : n % 10] ?? 'th'}`;
