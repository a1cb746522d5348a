/** The type of a user's definitions, and the registries with them. */
import { kindsFor, type KindRegistry, type OwnKind } from '../../apiserver/kinds/index.ts';
import type { Names } from '../../apiserver/machinery/index.ts';
import { controllers as registered, type ControllerOptions } from '../../controlplane/controllers/index.ts';
import type { Controller } from '../../controlplane/runtime/index.ts';
import { faults as registeredFaults, type Fault } from '../faults/index.ts';
import type { Position } from '../scenario/index.ts';
import { invariants as registeredInvariants, type Invariant } from '../invariants/index.ts';

/** A controller, or a function that makes one from the registry of kinds. */
export type OwnController = Controller | ((kinds: KindRegistry) => Controller);

/** Controllers, invariants, faults and kinds of a user. A run with them has them beside the built-in ones. */
export interface Definitions {
  /** Run in the controller manager, after the built-in ones. */
  readonly controllers?: readonly OwnController[];
  /** Built-in controllers to leave out, by name, so that another can take their place. */
  readonly without?: readonly string[];
  /** Checked in every run; scenarios select them by name. */
  readonly invariants?: readonly Invariant[];
  /** What a scenario may write behind `fault:`. */
  readonly faults?: readonly Fault[];
  readonly kinds?: readonly OwnKind[];
  /**
   * Follows a stack to a place in their author's files, where the stack itself does not say it: the command line, which bundles them, fills
   * it in.
   */
  readonly locate?: (stack: string) => Position | undefined;
}

export const NO_DEFINITIONS: Definitions = {};

/**
 * Names what one brings along; the type of each part is checked here, the rest when it is taken up.
 *
 * ```ts
 * export default defineConfig({ controllers: [tidier], invariants: [tidy] });
 * ```
 */
export const defineConfig = (definitions: Definitions): Definitions => definitions;

/** The kinds of a domain with those of a user; the same object on every call. */
export const kindsWith = (names: Names, { kinds }: Definitions): KindRegistry => kindsFor(names, kinds);

/** The controllers of the controller manager with those of one's own, each of which `bench` may put something around. */
export function controllersWith(
  { controllers = [], without = [] }: Definitions,
  bench: (controller: Controller, kinds: KindRegistry) => Controller = (controller) => controller,
): (kinds: KindRegistry, options?: ControllerOptions) => readonly Controller[] {
  return (kinds, options) => [
    ...registered(kinds, options).filter(({ name }) => !without.includes(name)),
    ...controllers.map((each) => bench(typeof each === 'function' ? each(kinds) : each, kinds)),
  ];
}

export const invariantsWith = ({ invariants = [] }: Definitions): readonly Invariant[] => [...registeredInvariants, ...invariants];

export const faultsWith = ({ faults = [] }: Definitions): readonly Fault[] => [...registeredFaults, ...faults];

/** Several as one, the first first. */
export const joinDefinitions = (all: readonly Definitions[]): Definitions => {
  const [only] = all;
  if (all.length <= 1) return only ?? NO_DEFINITIONS;
  return {
    controllers: all.flatMap(({ controllers = [] }) => controllers),
    without: all.flatMap(({ without = [] }) => without),
    invariants: all.flatMap(({ invariants = [] }) => invariants),
    faults: all.flatMap(({ faults = [] }) => faults),
    kinds: all.flatMap(({ kinds = [] }) => kinds),
  };
};
