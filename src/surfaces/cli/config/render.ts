/** The configuration of a process as text: values with their sources, listeners, access, gates, and settings without effect. */
import { GATES } from '../../../apiserver/machinery/index.ts';
import { type ConfigProblem, type EffectiveValue, type Outline, withoutEffect } from '../../../controlplane/config/index.ts';
import { count, table, type Palette } from '../../report/index.ts';
import type { ProcessName, ReadConfig } from './read.ts';

const GAP = '   ';

const sourceText = ({ source, flag, position }: EffectiveValue, file: string | undefined): string =>
  source === 'flag'
    ? `flag ${flag ?? ''}`
    : source === 'file'
      ? `${file ?? 'file'}${position === undefined ? '' : `:${position.line}:${position.col}`}`
      : 'default';

const valueText = (value: unknown): string =>
  value === undefined ? '' : typeof value === 'string' && value !== '' ? value : JSON.stringify(value);

const heads = (palette: Palette, ...names: readonly string[]): readonly string[] => names.map((name) => palette.dim(name));

/** Everything except the problems. `changed`: only values that differ from the default. */
export function configLines(process: ProcessName, read: ReadConfig, changed: boolean, palette: Palette): readonly string[] {
  return [
    ...valueLines(read, changed, palette),
    ...(read.outline === undefined ? [] : outlineLines(read.outline, palette)),
    ...gateLines(read.gates, changed, palette),
    ...effectless(process, read.values, palette),
  ];
}

function valueLines({ values, file }: ReadConfig, changed: boolean, palette: Palette): readonly string[] {
  const shown = changed ? values.filter(({ source }) => source !== 'default') : values;
  const rows = shown.map((each) => {
    const row = [each.path, valueText(each.value), sourceText(each, file)];
    return each.source === 'default' ? row.map((cell) => palette.dim(cell)) : row;
  });
  const set = values.filter(({ source }) => source !== 'default').length;
  return [
    ...table([heads(palette, 'NAME', 'VALUE', 'FROM'), ...rows], GAP),
    '',
    `${count(values.length, 'value')}, ${set} not at their defaults`,
  ];
}

function outlineLines({ listeners, authentication, authorization }: Outline, palette: Palette): readonly string[] {
  const access = (lines: Outline['authentication']): readonly string[][] =>
    lines.map(({ method, is, why }) => [method, is, palette.dim(why)]);
  return [
    '',
    ...table(
      [
        heads(palette, 'LISTENER', 'AT', ''),
        ...listeners.map(({ name, address, protocol, says }) => [name, address === undefined ? '-' : `${protocol}://${address}`, says]),
      ],
      GAP,
    ),
    '',
    ...table([heads(palette, 'WHO IT IS', '', 'BECAUSE'), ...access(authentication)], GAP),
    '',
    ...table([heads(palette, 'WHAT HE MAY', '', 'BECAUSE'), ...access(authorization)], GAP),
  ];
}

function gateLines(gates: ReadConfig['gates'], changed: boolean, palette: Palette): readonly string[] {
  if (gates === undefined) return [];
  const onOff = (on: boolean): string => (on ? 'on' : 'off');
  const all = [...GATES].map(([name, { stage, default: fallback }]) => ({ name, stage, fallback, on: gates[name] ?? fallback }));
  const other = all.filter(({ fallback, on }) => fallback !== on);
  const shown = changed ? other : all;
  const rows = shown.map(({ name, stage, fallback, on }) => {
    const row = [name, stage, onOff(fallback), onOff(on)];
    return on === fallback ? row.map((cell) => palette.dim(cell)) : row;
  });
  return [
    '',
    ...(rows.length === 0 ? [] : [...table([heads(palette, 'GATE', 'STAGE', 'DEFAULT', 'IS'), ...rows], GAP), '']),
    `${count(all.length, 'gate')}, ${other.length} not at their defaults`,
  ];
}

/** Settings that were set and have no effect in a run. */
function effectless(process: ProcessName, values: readonly EffectiveValue[], palette: Palette): readonly string[] {
  if (process === 'credential-provider') return [];
  const rows = withoutEffect(process, values).map(({ path, because }) => [path, because]);
  return rows.length === 0 ? [] : ['', ...table([heads(palette, 'SET, WITHOUT EFFECT IN A RUN', 'BECAUSE'), ...rows], GAP)];
}

/** Warnings and errors, with their places. */
export function problemLines({ warnings, errors, file }: ReadConfig, palette: Palette): readonly string[] {
  const place = ({ position, path }: ConfigProblem): string =>
    position !== undefined && file !== undefined
      ? `${file}:${position.line}:${position.col}: `
      : path.startsWith('--')
        ? ''
        : file === undefined
          ? ''
          : `${file}: `;
  return [
    ...warnings.map((problem) => `${palette.warn('warning')}: ${place(problem)}${problem.message}`),
    ...errors.map((problem) => `${palette.bad('error')}: ${place(problem)}${problem.message}`),
  ];
}
