/** A small cluster with one controller and two clients, to which a test applies faults of a scenario. */
import { faults } from '../../../src/lab/faults/index.ts';
import { about, START, world } from '../../controlplane/runtime/config-maps.ts';

export const MANAGER = 'controller-manager';
/** The time of a cluster that `start` returns. */
export const NOW = START + 100;

/** A cluster with a ConfigMap, a process and two clients, at 100 ms; `apply` returns what a fault says. */
export function start() {
  const { cluster, make, pass, set, cached, seen } = world(about(), { clients: ['kubectl', 'operator'] });
  make('c');
  pass(100);
  const apply = (name: string, subject: unknown, parameters: object = {}): string => {
    const fault = faults.find((each) => each.name === name);
    if (fault === undefined) throw new Error(`there is no fault ${name}`);
    const answer = fault.apply(cluster, { name, subject, parameters } as never, [3]);
    return 'detail' in answer ? answer.detail : `error: ${answer.error}`;
  };
  const rules = (): readonly unknown[] => cluster.faults.map(({ notice, describe: says }) => [notice, says?.()]);
  return { cluster, apply, rules, pass, set, cached, seen };
}
