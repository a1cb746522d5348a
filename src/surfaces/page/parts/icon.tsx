/** Icons as paths: fonts of a minimal system lack these glyphs. */
const PATHS = {
  eye: 'M8 3.5C4.5 3.5 2 6 1 8c1 2 3.5 4.500 7 4.500S14 10 15 8c-1-2-3.500-4.500-7-4.500zM8 10.500a2.500 2.500 0 1 1 0-5 2.500 2.500 0 0 1 0 5z',
  start: 'M3 3h2v10H3zM13 3v10L6 8z',
  end: 'M11 3h2v10h-2zM3 3v10l7-5z',
  back: 'M11 3v10L4 8z',
  on: 'M5 3v10l7-5z',
  pause: 'M4 3h3v10H4zM9 3h3v10H9z',
  noteBack: 'M8 3v10L1.500 8zM14.500 3v10L8 8z',
  noteOn: 'M1.500 3v10L8 8zM8 3v10l6.500-5z',
  theme: 'M8 1.500a6.500 6.500 0 1 0 0 13 6.500 6.500 0 0 0 0-13zM8 3a5 5 0 0 1 0 10z',
  close: 'M4.200 3 8 6.800 11.800 3 13 4.200 9.200 8 13 11.800 11.800 13 8 9.200 4.200 13 3 11.800 6.800 8 3 4.200z',
  flag: 'M4 2h1.500v1H13l-2 3 2 3H5.500v5H4z',
  zoom: 'M7 2a5 5 0 1 0 3 9l3.300 3.300 1-1L11 10a5 5 0 0 0-4-8zm0 1.500a3.500 3.500 0 1 1 0 7 3.500 3.500 0 0 1 0-7z',
  help: 'M8 1.500a6.500 6.500 0 1 0 0 13 6.500 6.500 0 0 0 0-13zM8 3a5 5 0 1 1 0 10A5 5 0 0 1 8 3zm-.75 8h1.500v1.500h-1.500zM8 4.200c1.500 0 2.500.9 2.500 2.200 0 1.700-1.750 1.800-1.750 3.200h-1.500c0-2.200 1.750-2.300 1.750-3.200 0-.5-.4-.8-1-.8s-1 .4-1 1H5.500c0-1.500 1-2.400 2.500-2.400z',
  present: 'M1 2.500h14v1.500h-1v6.500H8.750v1.700l2.500 2-1 1.100L8 13.600l-2.250 1.700-1-1.100 2.500-2v-1.700H2V4H1zM3.500 4v5h9V4z',
  notes: 'M2 3h12v10H2zm1.500 1.500v7H7v-7z',
  print: 'M4 1.500h8V5H4zM2 6h12v6h-2v2.500H4V12H2zm3.500 4v3h5v-3z',
  blank: 'M2 3h12v10H2z',
  inspect: 'M2 3h12v10H2zm7 1.500v7h3.500v-7z',
  every: 'M2 3h1.500v10H2zM5.500 6H7v7H5.500zM9 3h1.500v10H9zM12.500 6H14v7h-1.500z',
  fold: 'M1 7.250h4V5l3.500 3L5 11V8.750H1zM15 7.250h-2.500V5L9.200 8l3.300 3V8.750H15z',
  check: 'M6.300 12.800 1.800 8.300 3.200 6.900l3.100 3.100 6.500-6.500 1.400 1.400z',
  bolt: 'M9.500 1 3 9.200h4L6.200 15 13 6.500H8.700z',
  crown: 'M2 12 1.500 5 5 8l3-5 3 5 3.500-3L14 12z',
} as const;

export type IconName = keyof typeof PATHS;

export const Icon = ({ of }: { readonly of: IconName }) => (
  <svg class="icon" viewBox="0 0 16 16" aria-hidden="true">
    <path d={PATHS[of]} />
  </svg>
);
