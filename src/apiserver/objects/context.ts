/** The context that the hooks of a kind may read besides the object. */
import type { Names } from './names.ts';
import type { KeyTables } from './key-tables.ts';

/**
 * `specification`: a violation of a rule that v1.24 does not have is refused. `recorded`: it gives a warning, where the recorded server
 * accepted it without one.
 */
export type RulesMode = 'specification' | 'recorded';

/** The context of defaulting and validation. */
export interface KindContext {
  readonly names: Names;
  readonly gates: FeatureGates;
  /** How rules that the recorded server does not have are treated; absent: by the default of the domain. */
  readonly rules?: RulesMode | undefined;
  /** The server's tables of long lists; absent: none are kept. */
  readonly keyTables?: KeyTables;
  /** The instant of the request in milliseconds since the epoch. */
  readonly now: number;
}

/** Feature gates by name; an unknown name is off. */
export interface FeatureGates {
  readonly [gate: string]: boolean;
}
