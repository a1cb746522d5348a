/** What containers that leave it open ask for. Models: v1.24 plugin/pkg/admission/limitranger mergePodResourceRequirements. */
import type { LimitRangeItem } from '../../kinds/index.ts';
import type { PodSpec } from '../../vocabulary/index.ts';
import { compareText } from '../../../grammar/values/index.ts';

type Container = NonNullable<PodSpec['containers']>[number];
type Amounts = Readonly<Record<string, string>>;

/** The given amounts with those of the defaults that they lack, and the names of these. */
function filled(
  given: Amounts | undefined,
  defaults: Amounts,
): { readonly amounts: Amounts | undefined; readonly names: readonly string[] } {
  const names = Object.keys(defaults)
    .filter((name) => given?.[name] === undefined)
    .toSorted(compareText);
  if (names.length === 0) return { amounts: given, names };
  const all = { ...defaults, ...given };
  return {
    amounts: Object.freeze(
      Object.fromEntries(
        Object.keys(all)
          .toSorted(compareText)
          .map((name) => [name, all[name] ?? '']),
      ),
    ),
    names,
  };
}

/** Later items win. */
const merged = (all: readonly (Amounts | undefined)[]): Amounts =>
  Object.fromEntries(all.flatMap((amounts) => Object.entries(amounts ?? {})));

/** The pod's specification with every default in place, and what to tell about it. */
export function withDefaults(
  spec: PodSpec,
  limits: readonly LimitRangeItem[],
): { readonly spec: PodSpec; readonly told: readonly string[] } {
  const ofContainers = limits.filter(({ type }) => type === 'Container');
  const limitDefaults = merged(ofContainers.map((item) => item.default));
  const requestDefaults = merged(ofContainers.map((item) => item.defaultRequest));
  const told: string[] = [];
  const completed = (containers: readonly Container[] | undefined | null, what: string): readonly Container[] =>
    (containers ?? []).map((container) => {
      const limited = filled(container.resources.limits, limitDefaults);
      const requested = filled(container.resources.requests, requestDefaults);
      if (requested.names.length > 0) told.push(`${requested.names.join(', ')} request for ${what} ${container.name}`);
      if (limited.names.length > 0) told.push(`${limited.names.join(', ')} limit for ${what} ${container.name}`);
      if (requested.names.length === 0 && limited.names.length === 0) return container;
      const resources = {
        ...(limited.amounts === undefined ? {} : { limits: limited.amounts }),
        ...(requested.amounts === undefined ? {} : { requests: requested.amounts }),
      };
      return Object.freeze({ ...container, resources: Object.freeze(resources) });
    });
  const containers = Object.freeze(completed(spec.containers, 'container'));
  const initContainers = Object.freeze(completed(spec.initContainers, 'init container'));
  if (told.length === 0) return { spec, told };
  return { spec: Object.freeze({ ...spec, containers, ...(spec.initContainers === undefined ? {} : { initContainers }) }), told };
}
