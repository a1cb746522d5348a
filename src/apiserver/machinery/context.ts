/** What the parts of a kind may know besides the object, whatever they do with it. */
import type { Names } from './names.ts';

/**
 * `specification`: what breaks a rule that v1.24 does not have is refused. `recorded`: it passes with a warning, as the recorded server let
 * it pass without one.
 */
export type RulesMode = 'specification' | 'recorded';

/** What defaulting and validation may know besides the object. */
export interface KindContext {
  readonly names: Names;
  readonly gates: FeatureGates;
  /** What is made of rules that the recorded server does not have; absent: as the domain has it. */
  readonly rules?: RulesMode | undefined;
  /** The instant of the request, milliseconds since the epoch. */
  readonly now: number;
}

/** Feature gates by name; an unknown name is off. */
export interface FeatureGates {
  readonly [gate: string]: boolean;
}
