/** Everything that runs can cover: the faults, and the reasons in the sources, which the build collects. */
import { readFileSync } from 'node:fs';
import { faultsWith, joinDefinitions } from '../../../lab/definitions/index.ts';
import type { Known } from '../../report/index.ts';
import { builtProgram } from '../install.ts';
import type { LoadedScenario } from '../load.ts';

export function knownTo(chosen: readonly LoadedScenario[]): Known {
  const definitions = joinDefinitions([...new Set(chosen.map(({ plugins }) => plugins.definitions))]);
  const reasons = JSON.parse(readFileSync(builtProgram('branches.json'), 'utf8')) as Known['reasons'];
  return { faults: faultsWith(definitions).map(({ name }) => name), reasons };
}
