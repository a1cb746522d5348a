/** Normalises the output of kubectl, by the rules of the recordings' own normaliser. */

const RULES: readonly (readonly [RegExp, string])[] = [
  [/\u00a0/g, ' '],
  [/0xc[0-9a-f]{8,}/g, '<PTR>'],
  [/eyJ[\w-]+\.[\w-]+\.[\w-]+/g, '<JWT>'],
  [/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)/g, '<TIME>'],
  [/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d+)?( [+-]\d{4})?( [A-Z]{3,4})?( m=\+[\d.]+)?/g, '<TIME>'],
  [
    /(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d (Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{4} \d\d:\d\d:\d\d( [+-]\d{4}| [A-Z]{3,4})?/g,
    '<TIME>',
  ],
  [/\b[EWI]\d{4} \d\d:\d\d:\d\d\.\d+ +\d+ /g, '<KLOG> '],
  [/(?<![0-9a-f])[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}(?![0-9a-f])/g, '<UID>'],
  [/\.[0-9a-f]{16}(?![0-9a-f])/g, '.<EV>'],
  [/(resourceVersion\\?"?: ?)\\?"?\d+\\?"?/g, '$1<RV>'],
  [/(Resource Version: +)\d+/g, '$1<RV>'],
  [/\/tmp\/[\w./-]*?(LIVE|MERGED)-\d+/g, '<TMP>/$1'],
  [/(LIVE|MERGED)-\d+/g, '$1'],
  [/kubectl-edit-\d+\.(ya?ml|json)/g, 'kubectl-edit-<N>.$1'],
  [/\b10\.\d+\.\d+\.\d+\b/g, '<IP>'],
  [/\b172\.\d+\.\d+\.\d+\b/g, '<IP>'],
  [/https?:\/\/127\.0\.0\.1:\d+/g, '<SERVER>'],
  [/\b127\.0\.0\.1:\d+\b/g, '<SERVER>'],
  [/-[bcdfghjklmnpqrstvwxz2456789]{5}(?![\w])/g, '-<R5>'],
  [/(-)2\d{7}(?!\d)/g, '$1<MIN>'],
  [/(?<![\w./=-])(\d+(\.\d+)?(ms|[smhdy]))(\d+[smhd])?(?![\w-])/g, '<AGE>'],
  [/\(x\d+ over <AGE>\)/g, '(xN over <AGE>)'],
  [/(<AGE>) \(xN over <AGE>\)/g, '$1'],
  [/[ \t]{2,}/g, '  '],
  [/[ \t]+$/gm, ''],
];

export const normalise = (text: string): string => RULES.reduce((made, [pattern, by]) => made.replace(pattern, by), text);
