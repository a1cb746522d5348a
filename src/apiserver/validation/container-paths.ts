/** The containers of a pod with their paths, which several checks visit. */
import type { Container, PodSpec } from '../structs/index.ts';

type List = 'containers' | 'initContainers';

/** Some checks of upstream visit the init containers first: the order of errors shows it. */
export const INIT_FIRST: readonly List[] = ['initContainers', 'containers'];
const USUAL: readonly List[] = ['containers', 'initContainers'];

/** Returns every container with its path, list by list. */
export const containersOf = (spec: PodSpec, field: string, lists = USUAL): readonly (readonly [Container, string])[] =>
  lists.flatMap((list) => (spec[list] ?? []).map((one, at) => [one, `${field}.${list}[${at}]`] as const));
