/** The type of a user's definitions, the registries extended by them, and custom kinds from CustomResourceDefinition manifests. */
import { kindsFor, type KindRegistry, type CustomKind } from '../../apiserver/kinds/index.ts';
import type { Names, Kind } from '../../apiserver/machinery/index.ts';
import { controllers as registered, type ControllerOptions } from '../../controlplane/controllers/index.ts';
import type { Controller } from '../../controlplane/runtime/index.ts';
import { faults as registeredFaults, type Fault } from '../faults/index.ts';
import { type Given, type Position, readFault } from '../scenario/index.ts';
import { invariants as registeredInvariants, type Invariant } from '../invariants/index.ts';
import { OrchsimError } from '../../engine/error.ts';
import { customKind } from '../../apiserver/custom/index.ts';
import { formatProblem, positionOf, readYaml } from '../../schema/yaml/index.ts';

/** A controller, or a function that makes one from the registry of kinds. */
export type UserController = Controller | ((kinds: KindRegistry) => Controller);

/** A fault of a user: its fields are in the words of JSON Schema. */
export type UserFault = Given<Fault>;

/** Controllers, invariants, faults and kinds of a user, which a run has in addition to the built-in ones. */
export interface Definitions {
  /** They run in the controller manager, after the built-in ones. */
  readonly controllers?: readonly UserController[];
  /** Names of built-in controllers to leave out, so that another can take their place. */
  readonly without?: readonly string[];
  /** Checked in every run; scenarios select them by name. */
  readonly invariants?: readonly Invariant[];
  /** They are written as `fault:` steps in a scenario. */
  readonly faults?: readonly UserFault[];
  readonly kinds?: readonly CustomKind[];
  /** Maps a stack to a position in the author's files. The command line sets it, because it bundles those files. */
  readonly locate?: (stack: string) => Position | undefined;
}

/** The definitions of a run without a user's additions. */
export const NO_DEFINITIONS: Definitions = {};

/**
 * Returns the definitions unchanged. The compiler checks their types; other checks happen when they are used.
 *
 * ```ts
 * export default defineConfig({ controllers: [tidier], invariants: [tidy] });
 * ```
 */
export const defineConfig = (definitions: Definitions): Definitions => definitions;

/** Returns the kinds of a domain together with a user's kinds; the same object on every call. */
export const kindsWith = (names: Names, { kinds }: Definitions): KindRegistry => kindsFor(names, kinds);

/** Returns the controllers of the controller manager, built-in and of the user. `bench` may wrap each controller of the user. */
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

export const faultsWith = ({ faults = [] }: Definitions): readonly Fault[] => [...registeredFaults, ...faults.map(readFault)];

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

/** Returns the kinds of all definitions in a text, or all problems, one line each with its position. */
export function readCustomKinds(
  text: string,
  file: string,
): { readonly kinds: readonly Kind[] } | { readonly problems: readonly string[] } {
  const { documents, problems: malformed } = readYaml(text, file);
  const problems = malformed.map(formatProblem);
  const kinds: Kind[] = [];
  for (const document of documents) {
    const made = customKind(document.plain);
    if ('kind' in made) kinds.push(made.kind);
    else {
      const { line } = positionOf(document);
      problems.push(...made.problems.map(({ path, message }) => `${file}:${line}: ${path}: ${message}`));
    }
  }
  if (problems.length === 0 && kinds.length === 0) problems.push(`${file}: expected a CustomResourceDefinition, found nothing`);
  return problems.length > 0 ? { problems } : { kinds };
}

/**
 * Returns the kinds of all definitions in a text, for a configuration file: `import widget from './widget.yaml'` gives the text.
 *
 * @throws OrchsimError with all problems.
 */
export function customKinds(text: string, file = 'custom resources'): readonly Kind[] {
  const read = readCustomKinds(text, file);
  if ('problems' in read) throw new OrchsimError('ORCH_DEFINITION', read.problems.join('\n'));
  return read.kinds;
}
