/** `state [TARGET] PATH`: shows the objects at a moment: all as tables, the table of a kind, or one object as YAML. */
import { formatYaml } from '../../../schema/yaml/index.ts';
import { objectYaml } from '../../report/index.ts';
import type { CommandModule } from '../command.ts';
import { BadInput, EXIT } from '../exit.ts';
import { openHistory, type History } from '../question/history.ts';
import { queueLines, objectIntrospection } from '../question/introspection.ts';
import { formatMoment, readMoment, type Moment, worldAt, worldTables } from '../question/world.ts';
import { formatName, readKind, readTarget } from '../question/target.ts';
import type { Io } from '../io.ts';
import { PATH_TEXT, withQuestionOptions, type QuestionOptions } from './question-options.ts';

interface Options extends QuestionOptions {
  readonly at: string;
  readonly as?: string;
  readonly inside?: boolean;
}

export const state: CommandModule = {
  define(command, { io, action }) {
    withQuestionOptions(
      command
        .argument('[target]', 'an object such as Job/pi, or a kind such as Pod')
        .argument('[path]', PATH_TEXT)
        .option('--at <moment>', '5s, #212, end', 'end')
        .option('--as <process>', 'as the cache of this process holds it: controller-manager, scheduler, agent/node-0')
        .option(
          '--inside',
          'of a pod: its environment on the node (host name, resolver file, processors, mounts); of a node: what runs on it',
        ),
    ).action(
      action((first: string | undefined, second: string | undefined, options: Options) => {
        const [target, path] = second === undefined ? [undefined, first] : [first, second];
        if (path === undefined) throw new BadInput('expected a path: a scenario or a trace');
        const history = openHistory(path, options, io);
        const moment = readMoment(options.at, history.trace, '--at');
        if (options.inside === true) return printIntrospection(target, history, moment, options, io);
        if (target?.includes('/') === true) return printObject(target, history, moment, options, io);
        const only = target === undefined ? undefined : readKind(target, history.kinds).kind;
        const world = worldAt(history, moment, options.as);
        if (options.json === true)
          io.out(
            `${JSON.stringify(
              {
                ...moment,
                objects: history.kinds
                  .list()
                  .filter(({ kind }) => only === undefined || kind === only)
                  .flatMap(({ kind }) => world.list(kind)),
              },
              null,
              2,
            )}\n`,
          );
        else
          io.out(
            `${io.palette.dim(`at ${formatMoment(moment, history.trace)}${seenBy(options.as)}`)}\n\n${[...worldTables(history, world, moment, only, io.palette), ...queueLinesOf(history, moment, options, only, io)].join('\n')}\n`,
          );
        return EXIT.held;
      }),
    );
  },
};

/** The queues of the process, if its whole cache is shown. */
const queueLinesOf = (
  history: History,
  moment: Moment,
  { as: observer }: Options,
  only: string | undefined,
  { palette }: Io,
): readonly string[] => (observer === undefined || only !== undefined ? [] : queueLines(history, moment, observer, palette));

/** Prints the environment of a pod, or what runs on a node, as YAML. */
function printIntrospection(text: string | undefined, history: History, moment: Moment, { json }: Options, { out }: Io): number {
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
  out(json === true ? `${JSON.stringify(introspection, null, 2)}\n` : formatYaml({ ...introspection }));
  return EXIT.held;
}

const seenBy = (observer: string | undefined): string => (observer === undefined ? '' : `, as ${observer} sees it`);

function printObject(text: string, history: History, moment: Moment, { json, as: observer }: Options, { out }: Io): number {
  const target = readTarget(text, history);
  const object = worldAt(history, moment, observer).get(target.kind, target.namespace, target.name);
  if (object === undefined)
    throw new BadInput(`${formatName(target)} is not there at ${formatMoment(moment, history.trace)}${seenBy(observer)}`);
  out(json === true ? `${JSON.stringify(object, null, 2)}\n` : objectYaml(object));
  return EXIT.held;
}
