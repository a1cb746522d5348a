/** Rules of configuration files in which the specification is stricter than v1.24. Source: process-config.md, "AgentConfiguration". */
import type { RuleText } from '../../apiserver/machinery/index.ts';

export const SERVER_IS_SAID: RuleText & { readonly does: string } = {
  name: 'agent-configuration/server-is-said',
  kind: 'AgentConfiguration',
  field: 'enableServer',
  statement: 'A file must set enableServer.',
  place: 'process-config.md: AgentConfiguration, enableServer',
  recorded: 'takes its absence as true',
  does: 'a file without it is invalid; a fragment inside a scenario, which contains only differences, is not',
};

export const ZERO_IS_SAID: RuleText & { readonly does: string } = {
  name: 'agent-configuration/zero-is-said',
  kind: 'AgentConfiguration',
  field: 'maxPods, registryBurst, …',
  statement: 'A number in a file is taken literally, 0 included.',
  place: 'process-config.md: Limits',
  recorded: 'treats 0 as absent where the field is no pointer, and uses the default',
  does: 'a 0 is validated and used like any other number: nodeLeaseDurationSeconds 0 is invalid, maxPods 0 is no pods',
};

export const FIELDS_ARE_KNOWN: RuleText & { readonly does: string } = {
  name: 'agent-configuration/fields-are-known',
  kind: 'AgentConfiguration',
  field: '*',
  statement: 'A file has only known fields.',
  place: 'process-config.md: AgentConfiguration',
  recorded: 'warns, and reads the rest',
  does: 'a file with an unknown field is invalid',
};

const LEASES_OUTLIVE_A_LOST_RENEWAL: RuleText & { readonly does: string } = {
  name: 'agent-configuration/leases-are-renewed-at-a-quarter',
  kind: 'AgentConfiguration',
  field: 'nodeLeaseDurationSeconds',
  statement: 'The lease of a node is renewed every 10s.',
  place: 'process-config.md: AgentConfiguration, nodeLeaseDurationSeconds',
  recorded: 'renews at a quarter of the duration: 10s for the default of 40s',
  does: 'interpreted as v1.24 does, in either mode: 10s is a quarter of the default; a lease of less than 10s would expire before its renewal',
};

const NAMES_NOT_ALLOWED: RuleText & { readonly does: string } = {
  name: 'scheduler/names-that-are-not-allowed-are-rejected',
  kind: 'Scheduler',
  field: '--requestheader-allowed-names',
  statement: 'Request headers authenticate where the common name of the certificate is allowed.',
  place: 'process-config.md: Authentication, Scheduler server requests 2',
  recorded: 'rejects the certificate: 401 unless a token or another certificate authenticates the request',
  does: 'interpreted as v1.24 does, in either mode: a name that is not allowed is rejected, and does not become system:anonymous, which is for requests that no method rejects',
};

export const configSpecification = [SERVER_IS_SAID, ZERO_IS_SAID, FIELDS_ARE_KNOWN, LEASES_OUTLIVE_A_LOST_RENEWAL, NAMES_NOT_ALLOWED];
