/**
 * Where the specification says more than the recorded server holds anybody to: the contract of such a rule, and the two ways to live with
 * it. A kind's rules stand in `kinds/<kind>/specification.ts`, one member a rule; the server applies them after the kind's own.
 */
import type { KindContext, RulesMode } from './context.ts';
import type { Domain } from './names.ts';
import type { ApiObject } from './object.ts';
import type { FieldError } from './status.ts';

export type { RulesMode } from './context.ts';

export const RULES_MODES: readonly RulesMode[] = ['specification', 'recorded'];

/** The neutral domain is that of the specification, the other that of the recordings, and of manifests that the real server took. */
export const rulesFor = (domain: Domain): RulesMode => (domain === 'orch.io' ? 'specification' : 'recorded');

/** The mode of a server or of a process: as it was told, or as its domain has it. */
export const rulesOf = ({ rules, names }: Pick<KindContext, 'rules' | 'names'>): RulesMode => rules ?? rulesFor(names.domain);

/** What a rule is told besides the object. */
export interface RuleFacts<O extends ApiObject = ApiObject> extends KindContext {
  /** What is stored; undefined: the object is new. */
  readonly old: O | undefined;
  /** The document that the writer means, before anything was filled in; undefined where there is none. */
  readonly sent: unknown;
  /** `status` where that alone is written. */
  readonly subresource: string | undefined;
  /** An object beside it, as it is stored now. */
  find(kind: string, namespace: string | undefined, name: string): ApiObject | undefined;
}

/** What a table of rules prints of one. */
export interface RuleText {
  /** `stateful-set/claims-are-mounted`: unique, in the words of the rule. */
  readonly name: string;
  readonly kind: string;
  readonly field: string;
  /** The statement, in our words. */
  readonly statement: string;
  /** File and section of the specification. */
  readonly place: string;
  /** What v1.24 does instead. */
  readonly recorded: string;
}

/** A rule that the server applies: it finds what is wrong. */
export interface WriteRule<O extends ApiObject = ApiObject> extends RuleText {
  /** The member that it looks at: only where that is new or has changed is there anything to say. Absent: it looks at what was sent. */
  readonly member?: 'metadata' | 'spec' | 'status' | 'rules' | 'subsets' | 'endpoints' | 'ports';
  /** It looks at what was sent of that member: what is left out there may be filled in with what is stored, and change nothing. */
  readonly asSent?: true;
  check(object: O, facts: RuleFacts<O>): readonly FieldError[];
}

/** A rule that says what becomes of something: nobody is refused, what obeys it asks for the mode. */
export interface Conduct extends RuleText {
  /** What is done under `rules: specification`. */
  readonly does: string;
}

export type Rule<O extends ApiObject = ApiObject> = WriteRule<O> | Conduct;

export const isWriteRule = (rule: Rule): rule is WriteRule => 'check' in rule;

/** The warning that a write gets where its rule is not held against it. */
export const ruleWarning = ({ name }: RuleText, field: string, what: string): string => `rule ${name}: ${field}: ${what}`;

/** Whether a warning is of that kind: no recorded server says such a thing. */
export const isRuleWarning = (text: string): boolean => /^rule [\w-]+\/[\w-]+: /.test(text);
