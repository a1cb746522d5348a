/** Where the specification asks more of configuration files than v1.24 does. Source: process-config.md, "AgentConfiguration". */
import type { RuleText } from '../../apiserver/vocabulary/index.ts';

export const SERVER_IS_SAID: RuleText & { readonly does: string } = {
  name: 'agent-configuration/server-is-said',
  kind: 'AgentConfiguration',
  field: 'enableServer',
  statement: 'A file says whether the agent serves.',
  place: 'process-config.md: AgentConfiguration, enableServer',
  recorded: 'takes a file without it as true',
  does: 'a file without it is invalid; a fragment inside a scenario, which says only what differs, is not',
};

/** The rules of configuration files. */
export const configSpecification = [SERVER_IS_SAID];
