/** Default requests and limits of containers. Models: v1.24 plugin/pkg/admission/limitranger mergePodResourceRequirements. */
import type { LimitRangeItem } from '../../kinds/index.ts';
import type { Draft, PodSpec } from '../../machinery/index.ts';
import { own, compareText } from '../../../schema/values/index.ts';

type Amounts = Readonly<Record<string, string>>;

/** Later items win. */
const merged = (all: readonly (Amounts | undefined)[]): Amounts =>
  Object.fromEntries(all.flatMap((amounts) => Object.entries(amounts ?? {})));

/** Returns the given amounts with the missing ones added from the defaults, and the names of the added ones. */
function filled(
  given: Amounts | undefined,
  defaults: Amounts,
): { readonly amounts: Record<string, string>; readonly names: readonly string[] } {
  const all = { ...defaults, ...given };
  return {
    amounts: Object.fromEntries(
      Object.keys(all)
        .toSorted(compareText)
        .map((name) => [name, all[name] ?? '']),
    ),
    names: Object.keys(defaults)
      .filter((name) => own(given, name) === undefined)
      .toSorted(compareText),
  };
}

/** Adds all defaults of a namespace's limit ranges to a pod; returns a description of each change. */
export function addDefaults(spec: Draft<PodSpec>, items: readonly LimitRangeItem[]): readonly string[] {
  const ofContainers = items.filter(({ type }) => type === 'Container');
  const limitDefaults = merged(ofContainers.map((item) => item.default));
  const requestDefaults = merged(ofContainers.map((item) => item.defaultRequest));
  const reported: string[] = [];
  const complete = (containers: Draft<PodSpec>['containers'] | undefined, what: string): void => {
    for (const { name, resources } of containers ?? []) {
      const requests = filled(resources.requests, requestDefaults);
      const limits = filled(resources.limits, limitDefaults);
      if (requests.names.length > 0) reported.push(`${requests.names.join(', ')} request for ${what} ${name}`);
      if (limits.names.length > 0) reported.push(`${limits.names.join(', ')} limit for ${what} ${name}`);
      // The published order has limits first.
      if (requests.names.length === 0 && limits.names.length === 0) continue;
      const asked = requests.names.length > 0 ? requests.amounts : resources.requests;
      delete resources.requests;
      if (limits.names.length > 0) resources.limits = limits.amounts;
      if (asked !== undefined) resources.requests = asked;
    }
  };
  complete(spec.containers, 'container');
  complete(spec.initContainers, 'init container');
  return reported;
}
