/**
 * Sets other configuration files or flags for a process. The running process keeps its configuration; the change applies at its next start.
 */
import type { Fault } from './fault.ts';
import { noProcess, processField, subjectText } from './parameters.ts';

export const configure: Fault = {
  name: 'configure',
  description: 'Changes the configuration file or the flags of a process; the change applies at its next start.',
  overlap: 'The last one before the start of the process applies.',
  subject: processField,
  parameters: {
    config: { type: 'document', says: "The new AgentConfiguration; absent: unchanged. A scheduler's file is not read." },
    flags: {
      type: 'list',
      items: { type: 'string', says: 'A flag such as --max-pods=20.' },
      says: 'The new flags; absent: unchanged.',
    },
  },
  apply(cluster, call) {
    const name = subjectText(call);
    const { config, flags } = call.parameters;
    const how = {
      ...(typeof config === 'object' && config !== null ? { config: { ...config } } : {}),
      ...(Array.isArray(flags) ? { flags: flags.map(String) } : {}),
    };
    if (cluster.runtime.process(name) === undefined) return noProcess(cluster, name);
    return cluster.configure(name, how)
      ? { detail: `${name} will start with another configuration` }
      : { error: `${name} has neither a file nor flags: agents and schedulers have` };
  },
};
