/**
 * Rules of the specification that the recorded server does not enforce: their contract and their two modes. A kind lists its rules as
 * `specification`, one member each; the server applies them after the kind's own validation.
 */
import type { ApiObject, Domain, FieldError, KindContext, RulesMode } from '../objects/index.ts';

export type { RulesMode } from '../objects/index.ts';

export const RULES_MODES: readonly RulesMode[] = ['specification', 'recorded'];

/**
 * The neutral domain uses the rules of the specification. The other domain uses those of the recordings, because its manifests were
 * accepted by the real server.
 */
export const rulesFor = (domain: Domain): RulesMode => (domain === 'orch.io' ? 'specification' : 'recorded');

/** Returns the mode of a server or process: the configured one, or the default of its domain. */
export const rulesOf = ({ rules, names }: Pick<KindContext, 'rules' | 'names'>): RulesMode => rules ?? rulesFor(names.domain);

/** The input of a rule besides the object. */
export interface RuleFacts<O extends ApiObject = ApiObject> extends KindContext {
  /** The stored object; undefined: the object is new. */
  readonly old: O | undefined;
  /** The document of the client before any defaults; undefined where there is none. */
  readonly sent: unknown;
  /** `status` for a status update. */
  readonly subresource: string | undefined;
  /** Returns another object as it is stored now; undefined: there is none. */
  find(kind: string, namespace: string | undefined, name: string): ApiObject | undefined;
}

/** The printed parts of a rule. */
export interface RuleText {
  /** The unique name: `stateful-set/claims-are-mounted`. */
  readonly name: string;
  readonly kind: string;
  readonly field: string;
  /** The statement, in our words. */
  readonly statement: string;
  /** The file and section in the specification. */
  readonly place: string;
  /** The behavior of v1.24. */
  readonly recorded: string;
}

/** A rule that the server applies to writes. */
export interface WriteRule<O extends ApiObject = ApiObject> extends RuleText {
  /**
   * The member that the rule is about: it applies only where this member is new or has changed. Absent: it applies to the document as sent.
   */
  readonly member?: 'metadata' | 'spec' | 'status' | 'rules' | 'subsets' | 'endpoints' | 'ports';
  /** The rule reads the member as sent: an omitted value may be filled in from the stored object, without a change. */
  readonly asSent?: true;
  check(object: O, facts: RuleFacts<O>): readonly FieldError[];
}

/** A rule about the behavior of a process: nothing is refused, and the process itself reads the mode. */
export interface BehaviorRule extends RuleText {
  /** The behavior in the mode `specification`. */
  readonly does: string;
}

export type Rule<O extends ApiObject = ApiObject> = WriteRule<O> | BehaviorRule;

/**
 * A rule as a kind declares it. The kind and the member are those of the field; the place begins with the section of the kind and is, unless
 * given, the field there.
 */
export type RuleOf<O extends ApiObject> = Omit<RuleText, 'kind' | 'place'> & {
  readonly place?: string;
  /** The rule is about the document as sent, whether or not the member has changed. */
  readonly ofDocument?: true;
} & (Pick<WriteRule<O>, 'asSent' | 'check'> | Pick<BehaviorRule, 'does'>);

/** Whether a rule is checked at writes; the other rules are about behavior. */
export const isWriteRule = (rule: Rule): rule is WriteRule => 'check' in rule;

/** Returns the warning of a write that violates a rule which is not enforced. */
export const ruleWarning = ({ name }: RuleText, field: string, what: string): string => `rule ${name}: ${field}: ${what}`;

/** Whether a warning is about such a rule; no recorded server has such warnings. */
export const isRuleWarning = (text: string): boolean => /^rule [\w-]+\/[\w-]+: /.test(text);
