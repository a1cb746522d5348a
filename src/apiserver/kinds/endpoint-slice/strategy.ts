/** Changes of EndpointSlices before they are stored. */
import type { Draft, KindContext } from '../../machinery/index.ts';
import type { Endpoint, EndpointSlice } from './shape.ts';

/** Drops the deprecated topology, and fields whose gates are off unless the stored object has them. */
export function dropFields(draft: Draft<EndpointSlice>, old: EndpointSlice | undefined, { gates }: KindContext): void {
  const had = (has: (one: Endpoint) => boolean): boolean => old?.endpoints?.some(has) === true;
  const dropStates = gates['EndpointSliceTerminatingCondition'] === false && !had(hasStates);
  const dropHints = gates['TopologyAwareHints'] === false && !had(({ hints }) => hints !== undefined);
  for (const endpoint of draft.endpoints ?? []) {
    delete endpoint.deprecatedTopology;
    if (dropStates) {
      delete endpoint.conditions.serving;
      delete endpoint.conditions.terminating;
    }
    if (dropHints) delete endpoint.hints;
  }
}
const hasStates = ({ conditions: { serving, terminating } }: Endpoint): boolean => serving !== undefined || terminating !== undefined;
