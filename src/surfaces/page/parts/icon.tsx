/** Icons as paths: fonts of a minimal system lack these glyphs. */
const PATHS = {
  eye: 'M8 3.5C4.5 3.5 2 6 1 8c1 2 3.5 4.5 7 4.5S14 10 15 8c-1-2-3.5-4.5-7-4.5zM8 10.5a2.5 2.5 0 1 1 0-5 2.5 2.5 0 0 1 0 5z',
  start: 'M3 3h2v10H3zM13 3v10L6 8z',
  end: 'M11 3h2v10h-2zM3 3v10l7-5z',
  back: 'M11 3v10L4 8z',
  on: 'M5 3v10l7-5z',
  pause: 'M4 3h3v10H4zM9 3h3v10H9z',
  noteBack: 'M8 3v10L1.5 8zM14.5 3v10L8 8z',
  noteOn: 'M1.5 3v10L8 8zM8 3v10l6.5-5z',
  theme: 'M8 1.5a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13zM8 3a5 5 0 0 1 0 10z',
  close: 'M4.2 3 8 6.8 11.8 3 13 4.2 9.2 8 13 11.8 11.8 13 8 9.2 4.2 13 3 11.8 6.8 8 3 4.2z',
  flag: 'M4 2h1.5v1H13l-2 3 2 3H5.5v5H4z',
  zoom: 'M7 2a5 5 0 1 0 3 9l3.3 3.3 1-1L11 10a5 5 0 0 0-4-8zm0 1.5a3.5 3.5 0 1 1 0 7 3.5 3.5 0 0 1 0-7z',
  help: 'M8 1.5a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13zM8 3a5 5 0 1 1 0 10A5 5 0 0 1 8 3zm-.75 8h1.5v1.5h-1.5zM8 4.2c1.5 0 2.5.9 2.5 2.2 0 1.7-1.75 1.8-1.75 3.2h-1.5c0-2.2 1.75-2.3 1.75-3.2 0-.5-.4-.8-1-.8s-1 .4-1 1H5.5c0-1.5 1-2.4 2.5-2.4z',
  present: 'M1 2.5h14v1.5h-1v6.5H8.75v1.7l2.5 2-1 1.1L8 13.6l-2.25 1.7-1-1.1 2.5-2v-1.7H2V4H1zM3.5 4v5h9V4z',
  notes: 'M2 3h12v10H2zm1.5 1.5v7H7v-7z',
  print: 'M4 1.5h8V5H4zM2 6h12v6h-2v2.5H4V12H2zm3.5 4v3h5v-3z',
  blank: 'M2 3h12v10H2z',
  inspect: 'M2 3h12v10H2zm7 1.5v7h3.5v-7z',
  every: 'M2 3h1.5v10H2zM5.5 6H7v7H5.5zM9 3h1.5v10H9zM12.5 6H14v7h-1.5z',
  fold: 'M1 7.25h4V5l3.5 3L5 11V8.75H1zM15 7.25h-2.5V5L9.2 8l3.3 3V8.75H15z',
  check: 'M6.3 12.8 1.8 8.3 3.2 6.9l3.1 3.1 6.5-6.5 1.4 1.4z',
  bolt: 'M9.5 1 3 9.2h4L6.2 15 13 6.5H8.7z',
  crown: 'M2 12 1.5 5 5 8l3-5 3 5 3.5-3L14 12z',
} as const;

type IconName = keyof typeof PATHS;

interface ToolProps {
  readonly of: IconName;
  readonly name: string;
  readonly act: () => void;
  /** Left out if there is little space, or on a phone. */
  readonly shown?: 'wide' | 'projector' | '';
}

export const Tool = ({ of, name, act, shown = '' }: ToolProps) => (
  <button class={`button ${shown}`} aria-label={name} title={name} onClick={act}>
    <Icon of={of} />
  </button>
);

export const Icon = ({ of }: { readonly of: IconName }) => (
  <svg class="icon" viewBox="0 0 16 16" aria-hidden="true">
    <path d={PATHS[of]} />
  </svg>
);
