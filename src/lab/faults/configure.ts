/** Another file or other flags for a process: it goes on as it was started, and takes them up when it starts again. */
import type { Fault } from './fault.ts';
import { noProcess, processField, subjectText } from './parameters.ts';

export const configure: Fault = {
  name: 'configure',
  description: 'Changes the file or the flags that a process is started with; it takes them up when it starts again.',
  overlap: 'The last one counts when the process starts.',
  subject: processField,
  parameters: {
    config: { type: 'document', description: "Its AgentConfiguration from then on; absent: as it was. A scheduler's file is not read." },
    flags: {
      type: 'list',
      items: { type: 'string', description: 'A flag such as --max-pods=20.' },
      description: 'Its own flags from then on; absent: as they were.',
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
