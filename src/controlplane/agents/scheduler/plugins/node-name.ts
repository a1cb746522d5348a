/**
 * A pod with a nodeName runs only on that node. Models: v1.24 plugins/nodename. Pods with a nodeName are bound already, so this plugin
 * rarely refuses.
 */
import { on } from '../cluster-events.ts';
import { unresolvable, type Plugin } from '../plugin.ts';

const OTHER_NODE = unresolvable("node(s) didn't match the requested node name");

export const nodeName: Plugin = {
  name: 'NodeName',
  local: true,
  events: { Node: on('add') },
  filterFor({ pod: { spec } }) {
    const wanted = spec.nodeName ?? '';
    return wanted === '' ? undefined : { filter: { check: ({ name }) => (name === wanted ? undefined : OTHER_NODE) } };
  },
};
