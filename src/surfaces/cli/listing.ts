/** Commands that print a list: a table, or the same as JSON. */
import type { CommandModule } from './command.ts';
import type { Definitions } from '../../lab/definitions/index.ts';
import { EXIT } from './exit.ts';
import { pluginsOf } from './load.ts';
import { fittedTable } from '../report/index.ts';

export interface Listing<Item extends object> {
  /** Upper-case headings. */
  readonly columns: readonly string[];
  items(plugins: Definitions): readonly Item[];
  row(item: Item): readonly string[];
}

/** Returns a command without arguments that prints a table. */
export const listing = <Item extends object>({ columns, items, row }: Listing<Item>): CommandModule => ({
  define(command, { io, action }) {
    command.option('--json', 'as JSON').action(
      action(({ json }: { readonly json?: boolean }) => {
        const all = items(pluginsOf(io).definitions);
        if (json === true) io.out(`${JSON.stringify(all, null, 2)}\n`);
        else
          io.out(
            `${fittedTable(
              [
                columns.map((name) => io.palette.dim(name)),
                ...all.map((item) => {
                  const [name = '', ...rest] = row(item);
                  return [io.palette.strong(name), ...rest];
                }),
              ],
              '   ',
              io.terminal ? io.columns : Infinity,
            ).join('\n')}\n`,
          );
        return EXIT.held;
      }),
    );
  },
});
