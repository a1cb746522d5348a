/**
 * `npm run explore -- [PROPERTY…] [--runs N] [--seed N] [--seeds N]`: searches further than the tests do. What is found is left in
 * .orchsim/found/.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { findingText, properties, search, type Property } from '../../lab/explore/index.ts';

const USAGE = `usage: npm run explore -- [PROPERTY…] [--runs N] [--seed N] [--seeds N]
  PROPERTY  ${properties.map(({ name }) => name).join(', ')} (default: all)
  --runs    scenarios a search (default: 500)
  --seed    of the first search (default: the time, so that each call looks elsewhere)
  --seeds   searches a property (default: 1)`;

process.exitCode = main(process.argv.slice(2));

function main(args: readonly string[]): number {
  let parsed;
  try {
    parsed = parseArgs({
      args: [...args],
      options: { runs: { type: 'string' }, seed: { type: 'string' }, seeds: { type: 'string' }, help: { type: 'boolean' } },
      allowPositionals: true,
    });
  } catch (error) {
    return wrongUsage(error instanceof Error ? error.message : String(error));
  }
  const { values, positionals } = parsed;
  if (values.help === true) {
    console.log(USAGE);
    return 0;
  }
  const unknown = positionals.find((name) => !properties.some((property) => property.name === name));
  if (unknown !== undefined) return wrongUsage(`there is no property ${unknown}`);
  const [runs, seeds, first] = [
    Number(values.runs ?? 500),
    Number(values.seeds ?? 1),
    Number(values.seed ?? Math.floor(Date.now() / 1000)),
  ];
  if (![runs, seeds].every((count) => Number.isInteger(count) && count > 0) || !Number.isInteger(first))
    return wrongUsage('numbers are whole and positive');
  const chosen = properties.filter(({ name }) => positionals.length === 0 || positionals.includes(name));
  const results = Array.from({ length: seeds }, (_, i) => first + i).flatMap((seed) =>
    chosen.map((property) => searchOne(property, seed, runs)),
  );
  const failed = results.filter((held) => !held).length;
  console.log(`${results.length - failed} passed, ${failed} failed`);
  return failed === 0 ? 0 : 1;
}

function wrongUsage(message: string): number {
  console.error(`${message}\n${USAGE}`);
  return 2;
}

function searchOne(property: Property, seed: number, runs: number): boolean {
  const startedAt = Date.now();
  const exploration = search(property, { seed, runs });
  const seconds = ((Date.now() - startedAt) / 1000).toFixed(1);
  if (exploration.finding === undefined) {
    console.log(`✓ ${property.name.padEnd(20)} seed ${seed}  ${runs} scenarios held  ${seconds} s`);
    return true;
  }
  const file = join('.orchsim', 'found', `${property.name}-${seed}.yaml`);
  mkdirSync(join('.orchsim', 'found'), { recursive: true });
  writeFileSync(file, exploration.finding.file);
  console.log(`✗ ${property.name.padEnd(20)} seed ${seed}  ${seconds} s\n${findingText(exploration.finding, relative('.', file))}`);
  return false;
}
