/** A scenario as programs are served it. */
import type { Scenario } from '../../../lab/scenario/index.ts';
import type { LoadedScenario } from '../load.ts';
import { readDomain } from '../options.ts';
import { readInstant } from '../commands/serve.ts';
import { servedCluster } from '../serve/start.ts';

/** The scenario with the names that the command line chooses, and what clients expect of a cluster. */
export function servedScenario(
  { scenario }: LoadedScenario,
  { domain, start }: { readonly domain?: string; readonly start?: string },
): Scenario {
  return {
    ...scenario,
    cluster: servedCluster(scenario.cluster),
    ...(domain === undefined ? {} : { domain: readDomain(domain) }),
    ...(start === undefined ? {} : { startAt: readInstant(start) }),
  };
}
