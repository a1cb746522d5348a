/** What becomes of a EndpointSlice on its way in. */
import { type Draft, type KindContext, readDraft } from '../../vocabulary/index.ts';
import type { Endpoint, EndpointSlice } from './shape.ts';

/** What a writer may not set: the older form's topology, which vanishes without a word, and what gates that are off allow no one who does not have it already. */
export function dropFields(draft: Draft, old: EndpointSlice | undefined, { gates }: KindContext): void {
  const all = readDraft<EndpointSlice>(draft).endpoints ?? [];
  const had = (has: (one: Endpoint) => boolean): boolean => old?.endpoints?.some(has) === true;
  const dropStates = gates['EndpointSliceTerminatingCondition'] === false && !had(hasStates);
  const dropHints = gates['TopologyAwareHints'] === false && !had(({ hints }) => hints !== undefined);
  if (!all.some((one) => one.deprecatedTopology !== undefined || (dropStates && hasStates(one)) || (dropHints && one.hints !== undefined)))
    return;
  draft['endpoints'] = all.map(({ deprecatedTopology: _, conditions, hints, ...rest }) => {
    const { serving: __, terminating: ___, ...ready } = conditions;
    return { ...rest, conditions: dropStates ? ready : conditions, ...(dropHints || hints === undefined ? {} : { hints }) };
  });
}
const hasStates = ({ conditions: { serving, terminating } }: Endpoint): boolean => serving !== undefined || terminating !== undefined;
