/** Where the specification asks more of configuration files than v1.24 does. Source: process-config.md, "AgentConfiguration". */
import type { RuleText } from '../../apiserver/machinery/index.ts';

export const SERVER_IS_SAID: RuleText & { readonly does: string } = {
  name: 'agent-configuration/server-is-said',
  kind: 'AgentConfiguration',
  field: 'enableServer',
  statement: 'A file says whether the agent serves.',
  place: 'process-config.md: AgentConfiguration, enableServer',
  recorded: 'takes a file without it as true',
  does: 'a file without it is invalid; a fragment inside a scenario, which says only what differs, is not',
};

export const ZERO_IS_SAID: RuleText & { readonly does: string } = {
  name: 'agent-configuration/zero-is-said',
  kind: 'AgentConfiguration',
  field: 'maxPods, registryBurst, …',
  statement: 'A number that a file states is that number, 0 as well.',
  place: 'process-config.md: Limits',
  recorded: 'takes a 0 for nothing where the field is no pointer, and the default instead',
  does: 'a 0 is judged and used like any other number: nodeLeaseDurationSeconds 0 is invalid, maxPods 0 is no pods',
};

export const FIELDS_ARE_KNOWN: RuleText & { readonly does: string } = {
  name: 'agent-configuration/fields-are-known',
  kind: 'AgentConfiguration',
  field: '*',
  statement: 'A file has only fields that there are.',
  place: 'process-config.md: AgentConfiguration',
  recorded: 'warns, and reads the rest',
  does: 'a file with another field is invalid',
};

const LEASES_OUTLIVE_A_LOST_RENEWAL: RuleText & { readonly does: string } = {
  name: 'agent-configuration/leases-are-renewed-at-a-quarter',
  kind: 'AgentConfiguration',
  field: 'nodeLeaseDurationSeconds',
  statement: 'The lease of a node is renewed every 10s.',
  place: 'process-config.md: AgentConfiguration, nodeLeaseDurationSeconds',
  recorded: 'renews at a quarter of the duration, which is 10s for the default of 40',
  does: 'read as v1.24 does, in either mode: every 10s is what a quarter of the default is; a lease of less than 10s would not live to its renewal',
};

const NAMES_NOT_ALLOWED: RuleText & { readonly does: string } = {
  name: 'scheduler/names-that-are-not-allowed-are-rejected',
  kind: 'Scheduler',
  field: '--requestheader-allowed-names',
  statement: 'Headers say who somebody is where the common name behind them is allowed.',
  place: 'process-config.md: Authentication, Scheduler server requests 2',
  recorded: 'rejects the certificate: 401 unless a token or another certificate says who it is',
  does: 'read as v1.24 does, in either mode: a name that is not allowed is rejected, and not let in as system:anonymous, who is whom no method rejects',
};

/** The rules of configuration files and flags. */
export const configSpecification = [SERVER_IS_SAID, ZERO_IS_SAID, FIELDS_ARE_KNOWN, LEASES_OUTLIVE_A_LOST_RENEWAL, NAMES_NOT_ALLOWED];
