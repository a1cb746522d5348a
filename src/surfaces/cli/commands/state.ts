/** `state [TARGET] PATH`: shows the objects at a moment: all as tables, the table of a kind, or one object as YAML. */
import { formatYaml } from '../../../schema/yaml/index.ts';
import { objectYaml } from '../../report/index.ts';
import { defineCommand, type OptionsOf } from '../command.ts';
import { BadInput } from '../exit.ts';
import { openHistory, type History } from '../question/history.ts';
import { queueLines, objectIntrospection } from '../question/introspection.ts';
import { formatMoment, readMoment, type Moment, worldAt, worldTables } from '../question/world.ts';
import { formatName, readKind, readTarget } from '../question/target.ts';
import { type Io, jsonText } from '../io.ts';
import { QUESTION, HISTORY_PATH } from '../options.ts';

const options = [
  ['--at <moment>', '5s, #212, end', 'end'],
  ['--as <process>', 'as the cache of this process holds it: controller-manager, scheduler, agent/node-0'],
  ['--inside', 'of a pod: its environment on the node (host name, resolver file, processors, mounts); of a node: what runs on it'],
  ...QUESTION,
] as const;
type Options = OptionsOf<typeof options>;

export const command = defineCommand({
  arguments: [
    ['[target]', 'an object such as Job/pi, or a kind such as Pod'],
    ['[path]', HISTORY_PATH],
  ],
  options,
  act({ io }, given, first, second) {
    const [target, path] = second === undefined ? [undefined, first] : [first, second];
    if (path === undefined) throw new BadInput('expected a path: a scenario or a trace');
    const history = openHistory(path, given, io);
    const moment = readMoment(given.at, history.trace, '--at');
    if (given.inside) printIntrospection(target, history, moment, given, io);
    else if (target?.includes('/') === true) printObject(target, history, moment, given, io);
    else printWorld(target === undefined ? undefined : readKind(target, history.kinds).kind, history, moment, given, io);
  },
});

function printWorld(only: string | undefined, history: History, moment: Moment, { json, as: observer }: Options, io: Io): void {
  const world = worldAt(history, moment, observer);
  if (json) {
    const kinds = history.kinds.list().filter(({ kind }) => only === undefined || kind === only);
    return io.out(jsonText({ ...moment, objects: kinds.flatMap(({ kind }) => world.list(kind)) }));
  }
  // The queues of the process, if its whole cache is shown.
  const queues = observer === undefined || only !== undefined ? [] : queueLines(history, moment, observer, io.palette);
  const head = io.palette.dim(`at ${formatMoment(moment, history.trace)}${seenBy(observer)}`);
  io.out(`${head}\n\n${[...worldTables(history, world, moment, only, io.palette), ...queues].join('\n')}\n`);
}

function printIntrospection(text: string | undefined, history: History, moment: Moment, { json }: Options, { out }: Io): void {
  // A machine has its name whether or not its Node object exists.
  const machine = /^nodes?\/([^/]+)$/i.exec(text ?? '')?.[1];
  const target =
    machine !== undefined ? { kind: 'Node', name: machine } : text?.includes('/') === true ? readTarget(text, history) : undefined;
  if (target?.kind !== 'Pod' && target?.kind !== 'Node')
    throw new BadInput('--inside shows one pod or one node: orchsim state Pod/web PATH --inside');
  const introspection = objectIntrospection(history, moment, target);
  if (introspection === undefined)
    throw new BadInput(
      target.kind === 'Node'
        ? `there is no machine ${target.name}: the machines are those of cluster.nodes`
        : `${formatName(target)} runs on no node at ${formatMoment(moment, history.trace)}: it has no environment yet`,
    );
  out(json ? jsonText(introspection) : formatYaml({ ...introspection }));
}

const seenBy = (observer: string | undefined): string => (observer === undefined ? '' : `, as ${observer} sees it`);

function printObject(text: string, history: History, moment: Moment, { json, as: observer }: Options, { out }: Io): void {
  const target = readTarget(text, history);
  const object = worldAt(history, moment, observer).get(target.kind, target.namespace, target.name);
  if (object === undefined)
    throw new BadInput(`${formatName(target)} is not there at ${formatMoment(moment, history.trace)}${seenBy(observer)}`);
  out(json ? jsonText(object) : objectYaml(object));
}
